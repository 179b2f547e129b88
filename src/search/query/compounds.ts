import { type Language, perLanguage } from '../text/language.ts';
import { anyIn, wordsIn } from '../text/phrases.ts';

/** The words of a catalogue in which a term is a part. */
export interface CompoundsOf {
  /** Those that it ends: a `Kochtopf` is a `Topf`. */
  readonly kinds: readonly string[];
  /** Those that it begins, which are not what it names: a `Lederhandschuh` is of `Leder`. */
  readonly others: readonly string[];
}

export type Compounds = ReadonlyMap<string, CompoundsOf>;

/** Letters of the other part, at least. */
export const FIRST_LENGTH_MIN = 3;
export const REST_LENGTH_MIN = 4;

/** A last part as short as this ends many words by chance: the first part must be a word too. */
const DOUBTFUL_LENGTH = 3;

interface CompoundWords {
  /** Words that are not what their last part names: a `Handschuh` is no `Schuh`. */
  readonly solid: readonly string[];
  /** Short words that end compounds. */
  readonly heads: ReadonlySet<string>;
  /** The joint at the end of a first part, and at the beginning of a rest. */
  readonly jointBefore: RegExp;
  readonly jointBehind: RegExp;
}

const compoundWordsOf = perLanguage(({ words: { analysis, question }, termOf }): CompoundWords => {
  const joints = anyIn(question.compoundJoints);
  return {
    solid: wordsIn(analysis.solidWords).map(termOf),
    heads: new Set(wordsIn(analysis.compoundHeads).map(termOf)),
    jointBefore: new RegExp(`(?:${joints})$`),
    jointBehind: new RegExp(`^(?:${joints})`),
  };
});

/** The other parts whose own words are evidence that these are compounds. */
export function partsToCount(
  term: string,
  { ending, beginning }: { ending: readonly string[]; beginning: readonly string[] },
  language: Language,
): string[] {
  return [
    ...ending.flatMap((word) => firstParts(word.slice(0, -term.length), language)),
    ...beginning.flatMap((word) => lastParts(word.slice(term.length), language)),
  ];
}

/**
 * Which of the words that end or begin like a term are compounds of it, by the evidence of the catalogue's
 * own words. Pure.
 */
export function compoundsOf(
  term: string,
  { ending, beginning }: { ending: readonly string[]; beginning: readonly string[] },
  { language, count }: { readonly language: Language; count(term: string): number },
): CompoundsOf {
  const { solid, heads } = compoundWordsOf(language);
  const isWord = (parts: readonly string[]) => parts.some((part) => count(part) > 0);
  const isKind = (word: string) => {
    const first = word.slice(0, -term.length);
    if (solid.some((whole) => word.endsWith(whole) && whole.length > term.length)) return false;
    return term.length > DOUBTFUL_LENGTH || heads.has(term)
      ? /[aeiouy]/.test(first)
      : isWord(firstParts(first, language));
  };
  return {
    kinds: ending.filter(isKind),
    others: beginning.filter((word) => isWord(lastParts(word.slice(term.length), language))),
  };
}

/** The words that the beginning of a compound may be, with and without what joins it to the rest. */
function firstParts(first: string, language: Language): string[] {
  const whole = language.termOf(first);
  return [...new Set([first, whole, first.replace(compoundWordsOf(language).jointBefore, '')])];
}

function lastParts(rest: string, language: Language): string[] {
  const bare = rest.replace(compoundWordsOf(language).jointBehind, '');
  return [rest, bare].filter((part) => part.length >= REST_LENGTH_MIN);
}
