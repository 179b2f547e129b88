import type { TermGroup } from '../query/expand-terms.ts';
import type { IndexScope } from './document-columns.ts';
import type { Phrase } from './postings.ts';

/** One bit of a number for each group; a question has no more terms. */
const GROUPS_MAX = 32;

/** Documents that the index still holds but no search may return. */
export interface Hidden {
  /** A 1 for each of them. */
  readonly marks: Uint8Array;
  readonly count: number;
  /** For each term, the number of visible documents that hold it. */
  readonly visibleCounts: Uint32Array;
}

/** The places of hidden documents, ascending. */
export function placesOf(hidden: Hidden | null): Uint32Array {
  const places = new Uint32Array(hidden?.count ?? 0);
  if (hidden === null) return places;
  let count = 0;
  for (let place = 0; place < hidden.marks.length; place++)
    if (hidden.marks[place] === 1) places[count++] = place;
  return places;
}

/** A retrieved document and its scores. */
export interface RetrievedDocument {
  readonly documentKey: number;
  /** By the statistics of the whole catalogue; 0 if it was not retrieved by words. */
  readonly bm25: number;
  /** Null if the question or the document has no vector. */
  readonly cosine: number | null;
}

/** A retrieved document with an index's data about it, whichever retriever found it. */
export interface IndexedDocument extends RetrievedDocument {
  /** Its place in this index, for `fieldsOfGroups` and `facets`. */
  readonly document: number;
  readonly itemKey: number;
  /** The item's UUID. */
  readonly id: string;
  readonly isContext: boolean;
  readonly available: boolean;
  /** Bit i: it holds group i of the question. */
  readonly groups: number;
  /** The same of its type and tags. */
  readonly typedGroups: number;
}

/** A document that a search of an index found. Its BM25 is 0 unless it is a word match. */
export interface IndexCandidate extends IndexedDocument {
  /** Whether it is among the first `limit` by words, and by vector. */
  readonly isWordMatch: boolean;
  readonly isVectorMatch: boolean;
}

export interface IndexSearch {
  readonly groups: readonly TermGroup[];
  /** The question's vector; null: search by words alone. */
  readonly vector: Float32Array | null;
  readonly scope: IndexScope;
  /** The most candidates by words, and the most by vector. */
  readonly limit: number;
}

/** The distinct alternatives in the order of the groups, each with the groups it belongs to. */
export function phrasesOf(groups: readonly TermGroup[]): Phrase[] {
  if (groups.length > GROUPS_MAX) throw new RangeError(`at most ${GROUPS_MAX} groups`);
  const bits = new Map<string, number>();
  for (const [index, { alternatives }] of groups.entries()) {
    for (const term of alternatives) bits.set(term, (bits.get(term) ?? 0) | (1 << index));
  }
  return [...bits].map(([term, matched]) => ({ term, groups: matched }));
}
