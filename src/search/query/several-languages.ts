import type { Language } from '../text/language.ts';
import { parseQuestion, type Question } from './parse-question.ts';

/**
 * Parses a question to shops of several languages. It is read in the one that most of its stop words belong
 * to, the first of equals. Each term also has those that its word becomes in the other languages, because
 * the words of a document are those of its shop's. Pure.
 */
export function parseQuestionIn(
  text: string,
  languages: readonly [Language, ...Language[]],
): Question {
  const [first, ...further] = languages;
  if (further.length === 0) return parseQuestion(text, first);
  const language = further.reduce(
    (best, other) => (stopWordCount(text, other) > stopWordCount(text, best) ? other : best),
    first,
  );
  const others = languages.filter((other) => other !== language);
  return { ...parseQuestion(text, language), otherTerms: termsInOthers(text, language, others) };
}

function stopWordCount(text: string, language: Language): number {
  return language.termsOf(text).filter((term) => language.isStopWord(term)).length;
}

/** The terms of each word in the other languages, by its term in the first. */
function termsInOthers(
  text: string,
  language: Language,
  others: readonly Language[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const termAt = new Map(language.scanWords(text).map(({ start, term }) => [start, term]));
  for (const other of others) {
    for (const { start, term } of other.scanWords(text)) {
      const own = termAt.get(start);
      if (own === undefined || own === term || other.isStopWord(term)) continue;
      found.set(own, (found.get(own) ?? new Set()).add(term));
    }
  }
  return new Map([...found].map(([own, terms]) => [own, [...terms]]));
}
