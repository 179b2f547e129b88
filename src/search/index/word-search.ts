import { FIELDS } from '../../domain/field.ts';
import type { BestMatches } from './best-matches.ts';
import type { FoundDocuments } from './index-search.ts';
import type { PostingList } from './posting-list.ts';

/** The bit of the field that says what an item is. */
export const TYPE_BIT = 1 << FIELDS.indexOf('type');

/** A phrase of a question and its postings in one index. */
export interface Clause {
  readonly list: PostingList;
  readonly idf: number;
  /** The groups that the phrase belongs to, one bit each. */
  readonly groups: number;
}

/** The search of an index for the clauses of one question. */
export interface WordSearch {
  /** The best documents that hold any clause, ties by place. Can be called once. */
  best(limit: number, allows: ((document: number) => boolean) | null): BestMatches;
  /** Fills in the groups that the found documents from this place on hold. */
  addGroups(found: FoundDocuments, from: number): void;
}

/** The number of postings of the clauses: no search finds more documents. */
export function countPostings(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { list }) => sum + list.end - list.start, 0);
}
