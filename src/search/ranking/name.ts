import type { TermGroup } from '../query/expand-terms.ts';
import { type Language, perLanguage } from '../text/language.ts';
import { anyIn, wordsIn } from '../text/phrases.ts';
import type { Measure } from '../text/units.ts';
import { MODIFIER_SHARE } from '../tuning/ranking-weights.ts';

/** A tokenized name. */
export interface NameTerms<Term = string> {
  readonly terms: readonly Term[];
  /**
   * The length of the head, which names the product itself: the terms before `for …`, `with …`, a
   * comma or a bracket, without the colours, numbers and codes at its end (`Notebook Silver 43
   * cm`).
   */
  readonly headLength: number;
  /**
   * The place of the head noun: the last of the head or, in a language whose nouns come first, the first that
   * may be one. -1 for a name without words.
   */
  readonly noun: number;
}

/** How names of one language are read. */
interface NameReader {
  /** Words and punctuation that end the head of a name: what follows only qualifies it. */
  readonly headEnd: RegExp;
  /** Colours that shops append to a name. */
  readonly colours: ReadonlySet<string>;
  readonly forms: ReadonlySet<string>;
  readonly accessories: ReadonlySet<string>;
  /** Null where the noun comes last. */
  readonly beforeNoun: ReadonlySet<string> | null;
}

const readerOf = perLanguage(
  ({ words: { items }, termOf }): NameReader => ({
    headEnd: new RegExp(` (?:${anyIn(items.nameHeadEnds)}) | w\\/|[,([|/:;]| [-–—+] `, 'i'),
    colours: new Set(wordsIn(items.colours).map(termOf)),
    forms: new Set(wordsIn(items.forms).map(termOf)),
    accessories: new Set(wordsIn(items.accessories).map(termOf)),
    beforeNoun: items.isNounFirst ? new Set(wordsIn(items.beforeNoun).map(termOf)) : null,
  }),
);

/** The terms of a name's words in order, and where each begins. */
interface ScannedName<Term> {
  readonly terms: readonly Term[];
  readonly starts: readonly number[];
  readonly textOf: (term: Term) => string;
}

/** `measures`: the sizes in the name, if they are already known. */
export function nameTerms(
  name: string,
  language: Language,
  measures: readonly Measure[] = language.measures.find(name),
): NameTerms {
  const words = language.scanWords(name, measures).filter(({ term }) => term !== '');
  const terms = words.map(({ term }) => term);
  const starts = words.map(({ start }) => start);
  return readName(name, { terms, starts, textOf: (term) => term }, language);
}

/** As `nameTerms`, of words that are scanned already. */
export function readName<Term>(
  name: string,
  { terms, starts, textOf }: ScannedName<Term>,
  language: Language,
): NameTerms<Term> {
  const reader = readerOf(language);
  const end = name.search(reader.headEnd);
  let headLength = terms.length;
  if (end >= 0) while (headLength > 0 && starts[headLength - 1]! >= end) headLength -= 1;
  while (headLength > 1 && isTrailing(textOf(terms[headLength - 1]!), reader)) headLength -= 1;
  const first =
    reader.beforeNoun === null
      ? -1
      : terms.findIndex((term) => mayBeFirstNoun(textOf(term), language));
  return first < 0
    ? { terms, headLength, noun: headLength - 1 }
    : { terms, headLength: Math.max(headLength, first + 1), noun: first };
}

/** Whether a word may be the noun that begins a name or a question; never where nouns come last. */
export function mayBeFirstNoun(term: string, language: Language): boolean {
  const { beforeNoun, forms } = readerOf(language);
  if (beforeNoun === null || beforeNoun.has(term) || forms.has(term)) return false;
  return !NUMBERED.test(term) && !language.isStopWord(term);
}

/** A model, a number, a size (`m102`, `11`, `16gb`), but not `49ers`. */
const NUMBERED = /\d$|^\d+\D{0,2}$/;

/** Whether a word behind a noun only qualifies it. */
export function isQualifier(term: string, language: Language): boolean {
  return readerOf(language).forms.has(term) || NUMBERED.test(term);
}

/** The terms of things that are made for another product. */
export function accessoryTerms(language: Language): ReadonlySet<string> {
  return readerOf(language).accessories;
}

function isTrailing(term: string, { colours, forms }: NameReader): boolean {
  return colours.has(term) || forms.has(term) || /\d/.test(term);
}

/** How well a name answers a question; each number is from 0 to 1. */
export interface NameSignals {
  /**
   * Share of the name's words that the question asks for: higher for a short name such as `USB
   * cable`.
   */
  readonly density: number;
  /** Share of the question's pairs of adjacent terms that are also adjacent in the name. */
  readonly adjacency: number;
  /**
   * 1 if the head noun is what the question asks for; three quarters if its modifier is: the word before it
   * (`laptop bag` for `laptop`) or, where nouns come first, the word behind it.
   */
  readonly head: number;
  /**
   * Whether the question contains the head noun at all: `repair` of `bike repair` for `repair my
   * bike`.
   */
  readonly hasNoun: boolean;
  /**
   * Whether it names something made for what the question asks for: `laptop bag` or `bag for a
   * laptop` for `laptop`, `printer label` for `label printer`.
   */
  readonly isAccessory: boolean;
  /**
   * Whether it names what the thing asked for is used with: `label printer` for `labels for the label
   * printer`.
   */
  readonly isHost: boolean;
}

const NOTHING: NameSignals = {
  density: 0,
  adjacency: 0,
  head: 0,
  hasNoun: false,
  isAccessory: false,
  isHost: false,
};

/** The groups that each term belongs to, one bit each. */
export function groupBits(groups: readonly TermGroup[]): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [index, { alternatives, substitutes = [] }] of groups.entries()) {
    for (const term of [...alternatives, ...substitutes]) {
      bits.set(term, (bits.get(term) ?? 0) | (1 << index));
    }
  }
  return bits;
}

/** The groups of what the thing asked for is used with, one bit each. */
export function hostBits(groups: readonly TermGroup[]): number {
  return groups.reduce((bits, { isHost }, at) => (isHost === true ? bits | (1 << at) : bits), 0);
}

/** A value for each term, by its number: 0 for most. */
interface TermValues {
  get(term: number): number;
}

/** A name as the numbers of its terms: `length` of the words from `start` on. */
export interface NameWords {
  readonly words: ArrayLike<number>;
  readonly start: number;
  readonly length: number;
  readonly headLength: number;
  /** As in NameTerms. */
  readonly noun: number;
}

interface AskedTerms {
  /** The groups of each term, one bit each. */
  readonly groupsOf: TermValues;
  /** 1 for the terms of things that are made for another product. */
  readonly accessories: TermValues;
  readonly groupCount: number;
  /** The group that names what is asked for. */
  readonly headGroup: number;
  /** The `hostBits`. */
  readonly hosts: number;
  /** The signals of earlier names, by what determines them: those of many are equal, and share one object. */
  readonly known: Map<number, NameSignals>;
}

/** The bits of a count of words in a key of known signals; signals of longer names are not shared. */
const COUNT_BITS = 7;
/** The same for a count of pairs of groups, and for a share of the head. */
const PAIRS_BITS = 5;
const HEAD_BITS = 2;

/** The signals of a name. All 0 if no word matches. Pure. */
export function nameSignals(name: NameWords, asked: AskedTerms): NameSignals {
  const { words, start, length, headLength, noun: nounPlace } = name;
  const { groupsOf, groupCount, headGroup, hosts, known } = asked;
  const askedBit = headGroup < 0 ? 0 : 1 << headGroup;
  let matched = 0;
  let before = 0;
  let neighbours = 0;
  let noun = 0;
  let lastAsked = -1;
  let hasAsked = false;
  for (let at = 0; at < length; at++) {
    const present = groupsOf.get(words[start + at]!);
    if (present !== 0) {
      matched += 1;
      // Groups whose predecessor in the question also precedes them in the name.
      neighbours |= (before << 1) & present;
      if (at === nounPlace) noun = present;
      if ((present & askedBit) !== 0) {
        hasAsked = true;
        if (at < headLength) lastAsked = at;
      }
    }
    before = present;
  }
  if (matched === 0) return NOTHING;
  const modifierPlace = nounPlace === headLength - 1 ? nounPlace - 1 : nounPlace + 1;
  const modifier = modifierPlace < 0 ? 0 : groupsOf.get(words[start + modifierPlace]!);
  const adjacent = bitCount(neighbours);
  const isNoun = (noun & askedBit) !== 0;
  const head = isNoun ? 2 : (modifier & askedBit) !== 0 ? 1 : 0;
  const isAccessory = hasAsked && isMadeForAsked(name, asked, { lastAsked, isNoun });
  const isHost = (noun & hosts) !== 0 && !isNoun;
  const flags = (noun !== 0 ? 4 : 0) | (isAccessory ? 2 : 0) | (isHost ? 1 : 0);
  let key = (length << COUNT_BITS) | matched;
  key = (((key << PAIRS_BITS) | adjacent) << HEAD_BITS) | head;
  key = (key << 3) | flags;
  const isKeyed = length < 1 << COUNT_BITS;
  let signals = isKeyed ? known.get(key) : undefined;
  if (signals === undefined) {
    const pairs = groupCount - 1;
    signals = {
      density: matched / length,
      adjacency: pairs > 0 ? adjacent / pairs : 1,
      head: HEAD_SHARES[head]!,
      hasNoun: noun !== 0,
      isAccessory,
      isHost,
    };
    if (isKeyed) known.set(key, signals);
  }
  return signals;
}

/**
 * Whether a name with what is asked for names something that is made for it: its noun is an accessory or, where
 * nouns come last, a word of its head is one behind what is asked for.
 */
function isMadeForAsked(
  { words, start, headLength, noun }: NameWords,
  { accessories }: AskedTerms,
  { lastAsked, isNoun }: { readonly lastAsked: number; readonly isNoun: boolean },
): boolean {
  if (noun !== headLength - 1) return !isNoun && accessories.get(words[start + noun]!) === 1;
  for (let at = lastAsked + 1; at < headLength; at++)
    if (accessories.get(words[start + at]!) === 1) return true;
  return false;
}

const HEAD_SHARES = [0, MODIFIER_SHARE, 1];

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
