import type { Candidate, Candidates } from '../../src/search/ranking/candidates.ts';

/** Candidates as ranking takes them. */
export function candidatesOf(list: readonly Candidate[]): Candidates {
  return {
    length: list.length,
    documents: Uint32Array.from(list, ({ document }) => document),
    bm25: Float64Array.from(list, ({ bm25 }) => bm25),
    texts: list.map(({ text }) => text),
    cosines: Float64Array.from(list, ({ cosine }) => cosine ?? Number.NaN),
    matched: list.map(({ matched }) => matched),
    typed: list.map(({ typed }) => typed),
    names: list.map(({ name }) => name),
    presences: list.map(({ presences }) => presences),
    isContext: (place) => list[place]!.isContext,
    isAvailable: (place) => list[place]!.available,
    isService: (place) => list[place]!.facts.isService,
    itemKey: (place) => list[place]!.itemKey,
    id: (place) => list[place]!.id,
    compareIds: (one, other) => (list[one]!.id < list[other]!.id ? -1 : 1),
    facts: (place) => list[place]!.facts,
    at: (place) => list[place]!,
  };
}
