import { FIELDS } from '../../domain/field.ts';
import type { PostingList } from './posting-ranges.ts';

/** The bit of the field that says what an item is. */
export const TYPE_BIT = 1 << FIELDS.indexOf('type');

/** A phrase of a question and its postings in one index. */
export interface Clause {
  readonly list: PostingList;
  readonly idf: number;
  /** The groups that the phrase belongs to, one bit each. */
  readonly groups: number;
}

/** The groups of a question that a document holds, one bit each. */
export interface HeldGroups {
  readonly groups: number;
  /** The groups that its type and tags hold. */
  readonly typedGroups: number;
}

export interface WordMatch extends HeldGroups {
  readonly index: number;
  readonly score: number;
}

/**
 * The search of an index for the clauses of one question. However it is done, the scores are the
 * same to the last bit: the contributions of the clauses, added in their order.
 */
export interface WordSearch {
  /** The best documents that hold any clause, best first, ties by place. */
  best(limit: number, allows: ((document: number) => boolean) | null): WordMatch[];
  /** The groups that a document holds. */
  groupsOf(document: number): HeldGroups;
}

/** The number of postings of the clauses: no search finds more documents. */
export function countPostings(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { list }) => sum + list.end - list.start, 0);
}
