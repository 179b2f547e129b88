import { wordsIn } from '../text/phrases.ts';
import type { TermGroup } from './expand-terms.ts';
import type { Question } from './parse-question.ts';

/** The spelling that the catalogue knows in place of a term; null for a term that was not respelt. */
export function respelling({ alternatives, guess }: TermGroup): string | null {
  return guess === 'spelling' ? alternatives.at(-1)! : null;
}

/**
 * The question with its misspelt terms in the catalogue's spelling; null if none is misspelt. A term
 * that is the replacement with a further ending (`gamer` for `game`) is another word, not a
 * misspelling. Null in a language whose terms are stems, which are no words to show. Pure.
 */
export function suggestSpelling(
  { terms, language }: Question,
  groups: readonly TermGroup[],
): string | null {
  if (language.isStemmed) return null;
  const endings = wordsIn(language.words.question.wordEndings);
  const isOtherWord = (term: string, replacement: string) =>
    endings.some((ending) => term === replacement + ending);
  let isMisspelt = false;
  const spelt = groups
    .filter(({ term }) => terms.includes(term))
    .map((group) => {
      const replacement = respelling(group);
      if (replacement === null || isOtherWord(group.term, replacement)) return group.term;
      isMisspelt = true;
      return replacement;
    });
  return isMisspelt ? spelt.join(' ') : null;
}
