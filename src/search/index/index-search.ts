import type { TermGroup } from '../query/expand-terms.ts';
import type { IndexScope } from './document-columns.ts';
import type { Phrase } from './postings.ts';

/** Groups that the bits of a number can tell apart; a question has no more terms. */
const GROUPS_MAX = 32;

export interface IndexedWordMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  readonly bm25: number;
}

export interface IndexedMeaningMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  readonly cosine: number;
}

/** A document that a question brought up, with everything that ranks it. */
export interface IndexCandidate {
  /** Its place in this index, for `fieldsOfGroups` and `facets`. */
  readonly document: number;
  readonly documentKey: number;
  readonly itemKey: number;
  /** The item's UUID. */
  readonly id: string;
  readonly isContext: boolean;
  readonly available: boolean;
  /** 0 where it holds no word of the question. */
  readonly bm25: number;
  /** Null without a question vector, or without one of the document. */
  readonly cosine: number | null;
  /** Bit i: it holds group i of the question. */
  readonly groups: number;
  /** The same of its type and tags. */
  readonly typedGroups: number;
  /** Whether it is among the first `limit` by words, and by meaning. */
  readonly isWordMatch: boolean;
  readonly isMeaningMatch: boolean;
}

export interface IndexSearch {
  readonly groups: readonly TermGroup[];
  /** The question's meaning; null: words alone. */
  readonly vector: Float32Array | null;
  readonly scope: IndexScope;
  /** Candidates by words, and by meaning, at most. */
  readonly limit: number;
}

export interface IndexResult {
  readonly candidates: IndexCandidate[];
  readonly wordMatchCount: number;
}

/** The distinct alternatives in the order of the groups, each with the groups that it stands for. */
export function phrasesOf(groups: readonly TermGroup[]): Phrase[] {
  if (groups.length > GROUPS_MAX) throw new RangeError(`at most ${GROUPS_MAX} groups`);
  const bits = new Map<string, number>();
  for (const [index, { alternatives }] of groups.entries()) {
    for (const term of alternatives) bits.set(term, (bits.get(term) ?? 0) | (1 << index));
  }
  return [...bits].map(([term, matched]) => ({ term, groups: matched }));
}
