import type { Facts, ItemFacts } from '../query/filter.ts';
import type { NameSignals } from './name.ts';

/** A retrieved document with everything that ranking needs. */
export interface Candidate extends Facts {
  /** Its place in the index it was described by. */
  readonly document: number;
  readonly itemKey: number;
  readonly documentKey: number;
  /** The item's id, which breaks ties. */
  readonly id: string;
  /** 0 if it was not retrieved by words. */
  readonly bm25: number;
  /** How much its whole text is about the question, compared with the best candidate: from 0 to 1. */
  readonly text: number;
  /** On the reference scale; null if it has no vector. */
  readonly cosine: number | null;
  /** For each group, in order: how much of it the item holds, from 0 to 1 (`sharesOf`). */
  readonly held: readonly number[];
  /** The same, where a synonym of the noun may count as the noun. */
  readonly matched: readonly number[];
  /** As `matched`, for its type and tags. */
  readonly typed: readonly number[];
  /** How well its name answers the question. */
  readonly name: NameSignals;
}

/**
 * The candidates of a question, by their places from 0 on: a column for each property that ranking reads
 * of all of them, and a function for what it reads of a few.
 */
export interface Candidates {
  readonly length: number;
  /** As the properties of `Candidate`. */
  readonly documents: Uint32Array;
  readonly bm25: Float64Array;
  readonly texts: ArrayLike<number>;
  /** NaN without a vector. */
  readonly cosines: Float64Array;
  readonly matched: readonly (readonly number[])[];
  readonly typed: readonly (readonly number[])[];
  readonly names: readonly NameSignals[];
  /** Null where the question excludes nothing. */
  readonly presences: readonly Candidate['presences'][] | null;
  isContext(place: number): boolean;
  isAvailable(place: number): boolean;
  isService(place: number): boolean;
  itemKey(place: number): number;
  id(place: number): string;
  /** Below 0 if the id of one comes before that of the other. */
  compareIds(one: number, other: number): number;
  facts(place: number): ItemFacts;
  /** One of them as an object. */
  at(place: number): Candidate;
}
