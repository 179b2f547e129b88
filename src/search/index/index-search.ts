import type { TermGroup } from '../query/expand-terms.ts';
import type { IndexScope } from './document-columns.ts';

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

/** How a document was found, one bit each. */
const BY_WORDS = 1;
const BY_VECTOR = 2;

/**
 * The documents that a search found, a column for each of their properties: one object for hundreds of
 * documents. What an index stores of a document is read by its place.
 */
export class FoundDocuments {
  readonly length: number;
  /** Their places in the index that was searched. */
  readonly documents: Uint32Array;
  /** By the statistics of the whole catalogue; 0 for one that was not found by words. */
  readonly bm25: Float64Array;
  /** NaN if the question or the document has no vector. */
  readonly cosines: Float64Array;
  /** Bit i: it holds group i of the question. */
  readonly groups: Uint32Array;
  /** The same of its type and tags. */
  readonly typedGroups: Uint32Array;
  readonly #ways: Uint8Array;

  constructor(length: number) {
    this.length = length;
    this.documents = new Uint32Array(length);
    this.bm25 = new Float64Array(length);
    this.cosines = new Float64Array(length).fill(Number.NaN);
    this.groups = new Uint32Array(length);
    this.typedGroups = new Uint32Array(length);
    this.#ways = new Uint8Array(length);
  }

  /** Whether it is among the first `limit` by words. */
  isWordMatch(at: number): boolean {
    return (this.#ways[at]! & BY_WORDS) !== 0;
  }

  /** Whether it is among the first `limit` by vector. */
  isVectorMatch(at: number): boolean {
    return (this.#ways[at]! & BY_VECTOR) !== 0;
  }

  markWordMatch(at: number): void {
    this.#ways[at]! |= BY_WORDS;
  }

  markVectorMatch(at: number): void {
    this.#ways[at]! |= BY_VECTOR;
  }

  /** Whether a retriever has found that many, so that there may be more. */
  reaches(limit: number): boolean {
    let [words, near] = [0, 0];
    for (let at = 0; at < this.length; at++) {
      if (this.isWordMatch(at)) words += 1;
      if (this.isVectorMatch(at)) near += 1;
    }
    return words === limit || near === limit;
  }

  /** Copies what was found elsewhere to the places from `at` on. `offset`: what is added to its documents. */
  copy(from: FoundDocuments, at: number, offset: number): void {
    this.documents.set(from.documents, at);
    for (let next = at; next < at + from.length; next++) this.documents[next]! += offset;
    this.bm25.set(from.bm25, at);
    this.cosines.set(from.cosines, at);
    this.groups.set(from.groups, at);
    this.typedGroups.set(from.typedGroups, at);
    this.#ways.set(from.#ways, at);
  }

  /** Copies one document, but not how it was found. */
  copyOne(from: FoundDocuments, place: number, at: number): void {
    this.documents[at] = from.documents[place]!;
    this.bm25[at] = from.bm25[place]!;
    this.cosines[at] = from.cosines[place]!;
    this.groups[at] = from.groups[place]!;
    this.typedGroups[at] = from.typedGroups[place]!;
  }
}

/** Both, one after the other. `offset`: what is added to the documents of the second. */
export function joinFound(
  one: FoundDocuments,
  other: FoundDocuments,
  offset: number,
): FoundDocuments {
  const joined = new FoundDocuments(one.length + other.length);
  joined.copy(one, 0, 0);
  joined.copy(other, one.length, offset);
  return joined;
}

export interface IndexSearch {
  readonly groups: readonly TermGroup[];
  /** The question's vector; null: search by words alone. */
  readonly vector: Float32Array | null;
  readonly scope: IndexScope;
  /** The most candidates by words, and the most by vector. */
  readonly limit: number;
}

/** A term or prefix (`term*`) to search for, and the groups it belongs to, one bit each. */
export interface Phrase {
  readonly term: string;
  readonly groups: number;
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
