/** One thing the question names, and the terms that may stand for it in the catalogue. */
export interface TermGroup {
  /** As asked. */
  readonly term: string;
  /** What is searched: the term itself, its spelling in the catalogue, its compound or parts, or a prefix (`term*`). */
  readonly alternatives: readonly string[];
  /** Robertson–Spärck Jones weight of the rarest alternative that occurs: how much the thing tells. */
  readonly idf: number;
}

/** What is known of the catalogue's words. */
export interface Vocabulary {
  /** Number of documents. */
  readonly size: number;
  /** Documents that hold a term; 0 for a term nobody used. */
  count(term: string): number;
  /** Terms of the catalogue that an unknown one may have been meant as, the most frequent first. */
  similar(term: string): readonly string[];
}

/** Shortest half of a compound that is taken apart: below it nearly every word falls into two. */
const HALF_LENGTH_MIN = 3;

/**
 * The groups of a question's terms, in order. A term the catalogue knows stands for itself and, with
 * its neighbour, for the compound (`head set` → `headset`). One it does not know stands for its
 * parts (`smartwatch` → `smart watch`), else for its likeliest spelling, else for what begins with it.
 */
export function expandTerms(terms: readonly string[], vocabulary: Vocabulary): TermGroup[] {
  return terms.map((term, index) => {
    const alternatives = new Set([term]);
    for (const compound of [term + (terms[index + 1] ?? ''), (terms[index - 1] ?? '') + term]) {
      if (compound !== term && vocabulary.count(compound) > 0) alternatives.add(compound);
    }
    if (vocabulary.count(term) === 0 && alternatives.size === 1) {
      for (const replacement of replacements(term, vocabulary)) alternatives.add(replacement);
    }
    return { term, alternatives: [...alternatives], idf: groupIdf([...alternatives], vocabulary) };
  });
}

/** Every term whose count `expandTerms` may ask for, so that they can be looked up in one go. */
export function termsToCount(terms: readonly string[]): string[] {
  const wanted = new Set(terms);
  for (const [index, term] of terms.entries()) {
    const next = terms[index + 1];
    if (next !== undefined) wanted.add(term + next);
    for (const halves of splits(term)) for (const half of halves) wanted.add(half);
  }
  return [...wanted];
}

/**
 * Whether `candidate` may be a misspelling of `term` or the other way round: one edit apart
 * (insertion, deletion, substitution, transposition; Damerau 1964), two from eight letters on. Terms
 * with digits and terms under four letters are never taken for others.
 */
export function isSimilar(term: string, candidate: string): boolean {
  if (term === candidate || !isCorrectable(term) || /\d/.test(candidate)) return false;
  return editDistance(term, candidate) <= editsAllowed(term);
}

/** How long a term similar to this one can be. */
export function similarLengths(term: string): { lengthMin: number; lengthMax: number } {
  return { lengthMin: term.length - editsAllowed(term), lengthMax: term.length + editsAllowed(term) };
}

function editsAllowed(term: string): number {
  return term.length >= 8 ? 2 : 1;
}

export function isCorrectable(term: string): boolean {
  return term.length >= 4 && !/\d/.test(term);
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

/** Robertson & Spärck Jones 1976 with the +1 that keeps it positive, as BM25 uses it. */
export function inverseDocumentFrequency(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

function groupIdf(alternatives: readonly string[], vocabulary: Vocabulary): number {
  const counts = alternatives.map((term) => vocabulary.count(term)).filter((count) => count > 0);
  return inverseDocumentFrequency(Math.min(vocabulary.size, counts.length > 0 ? Math.max(...counts) : 1), vocabulary.size);
}

function replacements(term: string, vocabulary: Vocabulary): readonly string[] {
  const halves = splits(term).find((pair) => pair.every((half) => vocabulary.count(half) > 0));
  if (halves !== undefined) return halves;
  const [spelling] = vocabulary.similar(term);
  return spelling === undefined ? [`${term}*`] : [spelling];
}

function splits(term: string): [string, string][] {
  if (/\d/.test(term)) return [];
  const pairs: [string, string][] = [];
  for (let at = HALF_LENGTH_MIN; at <= term.length - HALF_LENGTH_MIN; at++) {
    pairs.push([term.slice(0, at), term.slice(at)]);
  }
  return pairs;
}
