import type { Candidate, Candidates } from './candidates.ts';
import { firstPlaces, type IsBefore, sortPlaces } from './sort-places.ts';

export interface RankedCandidate extends Candidate {
  /** From 0 to 1. */
  readonly score: number;
  /**
   * True if it has the exact code asked for. It then ranks first, whatever the other signals say.
   */
  readonly isExactCode: boolean;
  /** What choices of earlier customers added to the score. */
  readonly lift: number;
}

/** Candidates in their order, best first. */
export interface RankedList {
  readonly length: number;
  /** The candidates from rank `from`, counted from 0, up to `to`; to the end if omitted. */
  slice(from: number, to?: number): RankedCandidate[];
  /** The places of all of them in the index that described them, in no order. */
  documents(): Uint32Array;
}

/** An answer shows 20, and a language model grades 25. Whoever reads further has all of them sorted. */
const FIRST_MAX = 32;

/** Candidates as they were scored. Most are never shown, so that each becomes an object when it is first read. */
export class RankedColumns implements RankedList {
  /** The places of the candidates. */
  readonly #places: ArrayLike<number>;
  readonly #candidates: Candidates;
  readonly #scored: Scored;
  readonly #known: RankedCandidate[] = [];
  #first: Uint32Array | null = null;
  #all: Uint32Array | null = null;

  /** `scored`: by place. */
  constructor(candidates: Candidates, places: ArrayLike<number>, scored: Scored) {
    this.#candidates = candidates;
    this.#places = places;
    this.#scored = scored;
  }

  get length(): number {
    return this.#places.length;
  }

  slice(from: number, to = this.length): RankedCandidate[] {
    const order = this.order(to);
    const last = Math.min(to, order.length);
    const candidates: RankedCandidate[] = [];
    for (let at = from; at < last; at++) {
      this.#known[at] ??= this.#make(order[at]!);
      candidates.push(this.#known[at]!);
    }
    return candidates;
  }

  documents(): Uint32Array {
    const places = this.#places;
    const documents = new Uint32Array(places.length);
    for (let at = 0; at < places.length; at++)
      documents[at] = this.#candidates.documents[places[at]!]!;
    return documents;
  }

  /** The places of the candidates, best first: at least the first `count`. */
  order(count: number): Uint32Array {
    const { isBefore } = this.#scored;
    if (count > FIRST_MAX) this.#all ??= sortPlaces(this.#places, isBefore);
    this.#first ??= this.#all ?? firstPlaces(this.#places, FIRST_MAX, isBefore);
    return this.#all ?? this.#first;
  }

  #make(place: number): RankedCandidate {
    const { scores, lifts, isExactCode } = this.#scored;
    return {
      ...this.#candidates.at(place),
      score: scores[place]!,
      isExactCode: isExactCode(place),
      lift: lifts[place]!,
    };
  }
}

interface Scored {
  readonly scores: Float64Array;
  readonly lifts: Float64Array;
  isExactCode(place: number): boolean;
  readonly isBefore: IsBefore;
}

/** Candidates in another order than that of their scores. */
export function listed(ranked: readonly RankedCandidate[]): RankedList {
  return {
    length: ranked.length,
    slice: (from, to) => ranked.slice(from, to),
    documents: () => Uint32Array.from(ranked, ({ document }) => document),
  };
}
