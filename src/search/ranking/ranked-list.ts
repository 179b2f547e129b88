import type { Candidate, Candidates } from './candidates.ts';

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
  /** The places of all of them in the index that described them. */
  documents(): Uint32Array;
}

/** Candidates as they were scored. Most are never shown, so that each becomes an object when it is first read. */
export class RankedColumns implements RankedList {
  /** The places of the candidates, best first. */
  readonly order: Uint32Array;
  readonly #candidates: Candidates;
  readonly #scored: Scored;
  readonly #known: RankedCandidate[] = [];

  /** `scored`: by place. */
  constructor(candidates: Candidates, order: Uint32Array, scored: Scored) {
    this.#candidates = candidates;
    this.order = order;
    this.#scored = scored;
  }

  get length(): number {
    return this.order.length;
  }

  slice(from: number, to = this.length): RankedCandidate[] {
    return Array.from(this.order.slice(from, to), (place, at) => {
      this.#known[from + at] ??= this.#make(place);
      return this.#known[from + at]!;
    });
  }

  documents(): Uint32Array {
    const { order } = this;
    const documents = new Uint32Array(order.length);
    for (let at = 0; at < order.length; at++)
      documents[at] = this.#candidates.documents[order[at]!]!;
    return documents;
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
}

/** Candidates in another order than that of their scores. */
export function listed(ranked: readonly RankedCandidate[]): RankedList {
  return {
    length: ranked.length,
    slice: (from, to) => ranked.slice(from, to),
    documents: () => Uint32Array.from(ranked, ({ document }) => document),
  };
}
