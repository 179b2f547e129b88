import { type AskedCode, findCodes } from '../text/codes.ts';
import { type Language, perLanguage } from '../text/language.ts';
import { Memo } from '../text/memo.ts';
import { anyIn, wordsIn } from '../text/phrases.ts';
import { quantityOf } from '../text/units.ts';
import { type Constraint, readConstraints } from './constraints.ts';

/** A parsed question. */
export interface Question {
  /** As asked, trimmed. */
  readonly text: string;
  /** The language that it was read in. */
  readonly language: Language;
  /** The text to embed: without prices and exclusions. */
  readonly embeddingText: string;
  /** The distinct terms that say what is wanted, in order. Empty for a question without words. */
  readonly terms: readonly string[];
  /**
   * How many of the terms form the head, before `for …` or `with …`: `case for a tablet` asks for a
   * case.
   */
  readonly headLength: number;
  /** Whether it has words besides the terms: a sentence, or a product with conditions. */
  readonly isSentence: boolean;
  /** Whether it asks how the shop works (`how do I return …`) rather than only for a product. */
  readonly asksShop: boolean;
  /** Whether that is something that shops have policies about. */
  readonly asksPolicy: boolean;
  /** Terms that only say that a policy is meant. */
  readonly policyTerms: ReadonlySet<string>;
  /** Terms that stand for any product: `gift` of `gift for a gamer`. */
  readonly vagueTerms: ReadonlySet<string>;
  /** Terms of what the thing asked for is used with: those behind the head. */
  readonly hostTerms: ReadonlySet<string>;
  /** Sizes among the terms. */
  readonly measures: readonly string[];
  /** Parts that may be codes; only the catalogue can tell. */
  readonly codes: readonly AskedCode[];
  readonly constraints: readonly Constraint[];
  /** The word of each term, in a language whose terms are stems; else empty. */
  readonly words: ReadonlyMap<string, string>;
  /** What a term is in the other languages of the shops that are asked. */
  readonly otherTerms: ReadonlyMap<string, readonly string[]>;
}

const WORD_START = '(?<![\\p{L}\\p{N}])';
const WORD_END = '(?![\\p{L}\\p{N}])';

const NO_WORDS: Question['words'] = new Map();
const NO_OTHER_TERMS: Question['otherTerms'] = new Map();
const NO_TERMS: ReadonlySet<string> = new Set();

/** Further terms are ignored: they rarely add anything to the first ones. */
const TERMS_MAX = 32;

/** Parsed questions that are kept for each language, because many are asked again: some kilobytes each. */
const REMEMBERED_MAX = 500;

/** How questions of one language are read. */
interface QuestionPatterns {
  /** Words that end the head of a question. */
  readonly headEnd: RegExp;
  /** `How do I …`, `can I …`, `do you …`, `what is your …`. */
  readonly asksShop: RegExp;
  readonly topics: ReadonlySet<string>;
  readonly policyTerms: ReadonlySet<string>;
  readonly vagueWords: ReadonlySet<string>;
}

const patternsOf = perLanguage(({ words: { question }, termOf }): QuestionPatterns => {
  const termSet = (words: string) => new Set(wordsIn(words).map(termOf));
  const shopQuestions = question.shopQuestions.map(
    ({ begins, about }) => `(?:${anyIn(begins)})${WORD_END}.*${WORD_START}(?:${anyIn(about)})`,
  );
  return {
    headEnd: new RegExp(`(?<=[\\p{L}\\p{N}"″]\\s+)(?:${anyIn(question.headEnds)})\\s`, 'iu'),
    asksShop: new RegExp(`^(?:${[...shopQuestions, '(?!)'].join('|')})${WORD_END}`, 'iu'),
    topics: termSet(question.shopTopics),
    policyTerms: termSet(question.policyWords),
    vagueWords: termSet(question.vagueWords),
  };
});

const parsedIn = perLanguage(
  (language) => new Memo((text) => parse(text, language), REMEMBERED_MAX),
);

/**
 * Parses a question. Stop words count only if a question has no other words ("the who", "it"). A
 * question made only of constraints ("lactose-free") is searched for the words of its constraints.
 * Pure; the same object for a question that was asked shortly before.
 */
export function parseQuestion(text: string, language: Language): Question {
  return parsedIn(language).get(text);
}

function parse(text: string, language: Language): Question {
  const { headEnd, asksShop, topics, policyTerms, vagueWords } = patternsOf(language);
  const { constraints, rest } = readConstraints(text, language);
  const asked = distinctTerms(rest, language);
  const isBare = asked.every((term) => language.isStopWord(term));
  const all = isBare ? distinctTerms(text, language) : asked;
  const telling = language.stopWords.tellingTerms(all);
  const terms = telling.slice(0, TERMS_MAX);
  const end = rest.search(headEnd);
  const head = new Set(end < 0 ? terms : language.termsOf(rest.slice(0, end)));
  const named = terms.filter((term) => head.has(term));
  const isVague = named.length < terms.length && named.every((term) => vagueWords.has(term));
  const headLength = isVague ? terms.length : named.length;
  const hasTopic = terms.some((term) => topics.has(term));
  const isTopic = hasTopic && terms.every((term) => topics.has(term) || policyTerms.has(term));
  const isAboutShop = isTopic || asksShop.test(text.replace(/^[\s\p{P}]+/u, ''));
  const embeddingText = rest.replace(/\s+/g, ' ').trim();
  return {
    text: text.trim(),
    language,
    embeddingText: isBare || embeddingText === '' ? text.trim() : embeddingText,
    terms,
    headLength,
    isSentence: constraints.length > 0 || telling.length < all.length,
    asksShop: isAboutShop,
    asksPolicy: isAboutShop && hasTopic,
    policyTerms: isAboutShop ? policyTerms : NO_TERMS,
    vagueTerms: isVague ? head : NO_TERMS,
    hostTerms: new Set(
      terms.slice(headLength).filter((term) => !language.stopWords.isPerson(term)),
    ),
    measures: terms.filter((term) => quantityOf(term) !== null),
    codes: findCodes(rest),
    constraints,
    words: language.isStemmed ? wordsByTerm(text, language) : NO_WORDS,
    otherTerms: NO_OTHER_TERMS,
  };
}

function wordsByTerm(text: string, language: Language): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { start, end, term } of language.scanWords(text).reverse())
    words.set(term, text.slice(start, end));
  return words;
}

function distinctTerms(text: string, language: Language): string[] {
  const terms = new Set<string>();
  for (const { term } of language.scanWords(text)) if (term !== '') terms.add(term);
  return [...terms];
}
