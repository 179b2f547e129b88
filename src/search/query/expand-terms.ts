import { type Language, perLanguage } from '../text/language.ts';
import { anyIn } from '../text/phrases.ts';
import type { Synonyms } from '../text/synonyms.ts';
import { UNSPACED } from '../text/tokenizer.ts';
import { quantityOf } from '../text/units.ts';
import { SUBSTITUTE_SHARE } from '../tuning/ranking-weights.ts';
import type { Compounds } from './compounds.ts';

/** A term of the question, and the terms that may match it in the catalogue. */
export interface TermGroup {
  /** As asked. */
  readonly term: string;
  /** The word of the question, where the term is only its stem. */
  readonly word?: string;
  /**
   * The terms to search for: the term itself, its spelling in the catalogue, its compound or parts,
   * or a prefix (`term*`).
   */
  readonly alternatives: readonly string[];
  /** Inverse document frequency (Robertson–Spärck Jones) of the most frequent alternative. */
  readonly idf: number;
  /** Terms that match too but count less: synonyms, the plain number of a size. */
  readonly substitutes?: readonly string[];
  /** How a term that the catalogue does not know was replaced. */
  readonly guess?: Guess;
  /**
   * A whole code that occurs in the catalogue: an item that holds an alternative is the one asked
   * for.
   */
  readonly isCode?: true;
  /**
   * What the thing asked for is used with, or done to: `printer` of `labels for the printer`, `tea` of `keep my
   * tea hot`.
   */
  readonly isHost?: true;
  /** A word that stands for any product: `gift` of `gift for a gamer`. */
  readonly isVague?: true;
}

/** By its likeliest spelling, by the parts of a compound, or by the terms that begin with it. */
export type Guess = 'spelling' | 'parts' | 'prefix';

/** The catalogue's vocabulary, and the language that the terms are in. */
export interface Vocabulary {
  readonly language: Language;
  /** Number of documents. */
  readonly size: number;
  /** The document frequency of a term; 0 if it is unknown. */
  count(term: string): number;
  /** Known terms that an unknown one may be a misspelling of, the most frequent first. */
  similar(term: string): readonly string[];
  /** Synonyms of the shops' own, which count however rare they are. None if omitted. */
  readonly ownSynonyms?: readonly Synonyms[];
  /** What a term is in the other languages of the catalogue. None if omitted. */
  readonly otherTerms?: ReadonlyMap<string, readonly string[]>;
  /** The compounds of terms and of their synonyms. None if omitted. */
  readonly compounds?: Compounds;
}

/** The shortest half of a compound that is split: with shorter halves nearly every word splits. */
const HALF_LENGTH_MIN = 3;

/**
 * A synonym is used only if it is this many times as frequent in the catalogue as the term itself:
 * otherwise it only adds less exact matches.
 */
const COMMONER_FACTOR = 8;
/** … or if the term itself has at most this document frequency. */
const RARE_MAX = 3;

/**
 * The shortest second half of a compound whose first half is unknown: shorter ones end words by
 * chance.
 */
const LAST_HALF_LENGTH_MIN = 4;

/** The last part of a compound, after at least four letters: `schuhe`, `lampen`, `bilder`. */
const compoundEndOf = perLanguage(
  ({ words }) => new RegExp(`^(.{4,}?)(?:${anyIn(words.question.compoundEndings)})$`),
);

/**
 * The shortest stem that may be the beginning of another word, and the shortest word of a script without
 * blanks: other whole words may be shorter.
 */
const STEM_PREFIX_LENGTH_MIN = 5;
const UNSPACED_PREFIX_LENGTH_MIN = 2;

/** One bit of a number for each group. */
const FLAT_GROUPS_MAX = 32;

/**
 * Expands a question's terms into groups, in order. A term matches itself, the compound with its
 * neighbour (`head set` → `headset`) and, with less weight, its synonyms. A term that the catalogue
 * does not know is replaced by its parts (`smartwatch` → `smart watch`), else by its likeliest
 * spelling, else by the terms that begin with it. `fixed` terms (those of codes) are never
 * replaced.
 */
export function expandTerms(
  terms: readonly string[],
  vocabulary: Vocabulary,
  fixed: ReadonlySet<string> = new Set(),
): TermGroup[] {
  const { language } = vocabulary;
  const synonyms = language.synonymsOf(terms);
  const own = (vocabulary.ownSynonyms ?? []).map((table) => language.synonymsOf(terms, table));
  const isKnown = (term: string) => vocabulary.count(term) > 0;
  return terms.map((term, index) => {
    const alternatives = new Set([term]);
    const isCommoner = (synonym: string) =>
      vocabulary.count(term) <= RARE_MAX ||
      vocabulary.count(synonym) >= COMMONER_FACTOR * vocabulary.count(term);
    const named = [
      ...own.flatMap((synonymsOfTerms) => synonymsOfTerms[index]!),
      ...synonyms[index]!.filter(isCommoner),
    ];
    const kinds = named.flatMap((synonym) => vocabulary.compounds?.get(synonym)?.kinds ?? []);
    const substitutes = new Set([...named, ...numberIn(term)].filter(isKnown).concat(kinds));
    for (const compound of [term + (terms[index + 1] ?? ''), (terms[index - 1] ?? '') + term]) {
      if (compound !== term && isKnown(compound)) alternatives.add(compound);
    }
    for (const other of vocabulary.otherTerms?.get(term) ?? [])
      if (isKnown(other)) alternatives.add(other);
    const compounds = fixed.has(term) ? undefined : vocabulary.compounds?.get(term);
    for (const kind of compounds?.kinds ?? []) alternatives.add(kind);
    for (const other of compounds?.others ?? []) substitutes.add(other);
    for (const form of fixed.has(term) ? [] : language.otherFormsOf(term))
      if (isKnown(form)) alternatives.add(form);
    const isUnknown = !isKnown(term) && alternatives.size === 1;
    let guess: Guess | null = null;
    const isReplaceable = !language.stopWords.isPerson(term) && quantityOf(term) === null;
    if (isUnknown && !fixed.has(term) && isReplaceable) {
      const found = replacements(term, vocabulary, substitutes.size > 0);
      for (const replacement of found.alternatives) alternatives.add(replacement);
      for (const substitute of found.substitutes) substitutes.add(substitute);
      guess = found.guess;
    }
    for (const alternative of alternatives) substitutes.delete(alternative);
    const group = {
      term,
      alternatives: [...alternatives],
      ...(guess === null ? {} : { guess }),
    };
    const idf = groupIdf([...alternatives, ...(isUnknown ? substitutes : [])], vocabulary);
    return substitutes.size === 0
      ? { ...group, idf }
      : { ...group, idf, substitutes: [...substitutes] };
  });
}

/**
 * Every term whose count `expandTerms` may need, so that one lookup fetches them all. It needs those of
 * `halvesToCount` too for the terms that turn out to be unknown.
 */
export function termsToCount(
  terms: readonly string[],
  language: Language,
  ownSynonyms: readonly Synonyms[] = [],
): string[] {
  const wanted = new Set([
    ...terms,
    ...language.synonymsOf(terms).flat(),
    ...ownSynonyms.flatMap((table) => language.synonymsOf(terms, table).flat()),
  ]);
  for (const [index, term] of terms.entries()) {
    const next = terms[index + 1];
    if (next !== undefined) wanted.add(term + next);
    for (const part of numberIn(term)) wanted.add(part);
    for (const form of language.otherFormsOf(term)) wanted.add(form);
  }
  return [...wanted];
}

/** The words that each of these terms may be made of: some fifty for a long one. */
export function halvesToCount(terms: readonly string[], language: Language): string[] {
  const wanted = new Set<string>();
  for (const term of terms)
    for (const pair of splits(term, language))
      for (const [place, half] of pair.entries())
        for (const word of wordsOfHalf(half, place, language)) wanted.add(word);
  return [...wanted];
}

/**
 * The groups that a retriever looks for: the question's groups in order, then the substitutes of
 * each as a group of its own, at most 32 in all. `sharesOf` interprets the matches.
 */
export function flatGroups(groups: readonly TermGroup[]): readonly TermGroup[] {
  const shadows: TermGroup[] = [];
  for (const { term, substitutes = [], idf } of groups)
    if (substitutes.length > 0) shadows.push({ term, alternatives: substitutes, idf });
  const isFlat = shadows.length === 0 && groups.length <= FLAT_GROUPS_MAX;
  return isFlat ? groups : groups.concat(shadows).slice(0, FLAT_GROUPS_MAX);
}

/** The number of `flatGroups` if there were no limit. */
export function countFlatGroups(groups: readonly TermGroup[]): number {
  return groups.reduce(
    (count, { substitutes = [] }) => count + (substitutes.length === 0 ? 1 : 2),
    0,
  );
}

/**
 * How much of each group a document holds, from 0 to 1. `holds` says whether it holds a flat group,
 * given its place.
 */
export function sharesOf(groups: readonly TermGroup[], holds: (flat: number) => boolean): number[] {
  let shadow = groups.length;
  return groups.map(({ substitutes = [] }, index) => {
    const place = substitutes.length === 0 ? -1 : shadow++;
    if (index < FLAT_GROUPS_MAX && holds(index)) return 1;
    return place >= 0 && place < FLAT_GROUPS_MAX && holds(place) ? SUBSTITUTE_SHARE : 0;
  });
}

/**
 * Where a document holds each group: the places of its alternatives or, if there are none, those of
 * its substitutes.
 */
export function joinFlat<Place>(
  groups: readonly TermGroup[],
  flat: readonly (readonly Place[])[],
): readonly (readonly Place[])[] {
  if (flat.length === groups.length) return flat;
  let shadow = groups.length;
  return groups.map(({ substitutes = [] }, index) => {
    const own = flat[index] ?? [];
    const others = substitutes.length === 0 ? [] : (flat[shadow++] ?? []);
    return own.length > 0 ? own : others;
  });
}

/**
 * Whether `candidate` may be a misspelling of `term` or the other way round: one edit apart
 * (insertion, deletion, substitution, transposition; Damerau 1964), or two from eight letters on.
 * Terms with digits and terms under five letters are never corrected.
 */
export function isSimilar(term: string, candidate: string): boolean {
  if (term === candidate || !isCorrectable(term) || /\d/.test(candidate)) return false;
  return editDistance(term, candidate) <= editsAllowed(term);
}

/** The length range of the terms similar to this one. */
export function similarLengths(term: string): { lengthMin: number; lengthMax: number } {
  return {
    lengthMin: term.length - editsAllowed(term),
    lengthMax: term.length + editsAllowed(term),
  };
}

function editsAllowed(term: string): number {
  return term.length >= 8 ? 2 : 1;
}

export function isCorrectable(term: string): boolean {
  return term.length >= 5 && !/\d/.test(term);
}

/** Optimal string alignment distance between two words. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = last[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, substitution);
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}

/** Robertson & Spärck Jones 1976, with the +1 that keeps it positive, as in BM25. */
export function inverseDocumentFrequency(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

function groupIdf(alternatives: readonly string[], vocabulary: Vocabulary): number {
  const counts = alternatives.map((term) => vocabulary.count(term)).filter((count) => count > 0);
  return inverseDocumentFrequency(
    Math.min(vocabulary.size, counts.length > 0 ? Math.max(...counts) : 1),
    vocabulary.size,
  );
}

/** What an unknown term may stand for. A term with a synonym is not a misspelling. */
function replacements(
  term: string,
  vocabulary: Vocabulary,
  hasSynonym: boolean,
): { alternatives: readonly string[]; substitutes: readonly string[]; guess: Guess | null } {
  const isKnown = (candidate: string) => vocabulary.count(candidate) > 0;
  if (hasSynonym) return { alternatives: [], substitutes: [], guess: null };
  const meant = (half: string, place: number) =>
    wordsOfHalf(half, place, vocabulary.language).filter(isKnown);
  const pairs = splits(term, vocabulary.language).map((pair) => pair.map(meant));
  const both = pairs.find(([first, last]) => first!.length > 0 && last!.length > 0);
  if (both !== undefined) return { alternatives: both.flat(), substitutes: [], guess: 'parts' };
  const [spelling] = vocabulary.similar(term);
  if (spelling !== undefined)
    return { alternatives: [spelling], substitutes: [], guess: 'spelling' };
  const last = splits(term, vocabulary.language).find(
    ([, half]) => half.length >= LAST_HALF_LENGTH_MIN && meant(half, 1).length > 0,
  );
  const substitutes = last === undefined ? [] : meant(last[1], 1);
  const isBeginning = !vocabulary.language.isStemmed || term.length >= prefixLengthMin(term);
  if (!isBeginning && substitutes.length === 0)
    return { alternatives: [], substitutes, guess: null };
  return { alternatives: isBeginning ? [`${term}*`] : [], substitutes, guess: 'prefix' };
}

function prefixLengthMin(term: string): number {
  return UNSPACED.test(term) ? UNSPACED_PREFIX_LENGTH_MIN : STEM_PREFIX_LENGTH_MIN;
}

/**
 * The words that a half of a compound may be, with their synonyms. The last half (`place` 1) may be
 * in the plural.
 */
function wordsOfHalf(half: string, place: number, language: Language): string[] {
  const [, singular] = (place === 1 && compoundEndOf(language).exec(half)) || [];
  const words = singular === undefined ? [half] : [half, singular];
  return [...new Set(words.flatMap((word) => [word, ...language.synonymsOf([word])[0]!]))];
}

/** The whole number in a size, which it also matches: `16gb` → `16`. */
function numberIn(term: string): string[] {
  const [, digits] = quantityOf(term) === null ? [] : (/^(\d+)[a-z]+$/.exec(term) ?? []);
  return digits === undefined ? [] : [digits];
}

function splits(term: string, { isStemmed, words }: Language): [string, string][] {
  if (/\d/.test(term)) return [];
  // Of stems, chance makes too many.
  if (isStemmed && words.analysis.compounds === 'none') return [];
  const pairs: [string, string][] = [];
  for (let at = HALF_LENGTH_MIN; at <= term.length - HALF_LENGTH_MIN; at++) {
    const halves: [string, string] = [term.slice(0, at), term.slice(at)];
    if (halves.every((half) => half.isWellFormed())) pairs.push(halves);
  }
  return pairs;
}
