import { FITTING_SHARE_MIN, NAMED_SHARE_MIN } from '../tuning/ranking-weights.ts';
import type { RankedCandidate } from './ranked-list.ts';

/**
 * The offerings that are what a question asks for: those with its noun as theirs, by name or type,
 * and if there are none, those that score nearly as well as the best. Best first. Pure.
 */
export function fittingCandidates(
  ranked: readonly RankedCandidate[],
  headGroup: number,
): readonly RankedCandidate[] {
  const [best] = ranked.filter(({ isContext }) => !isContext);
  if (best === undefined) return [];
  const { isService } = best.facts;
  const near = ranked.filter(
    ({ isContext, facts, name, score }) =>
      !isContext &&
      facts.isService === isService &&
      !name.isAccessory &&
      score >= NAMED_SHARE_MIN * best.score,
  );
  const named = near.filter(({ name }) => name.head === 1);
  if (named.length > 0) return named;
  const typed = near.filter((candidate) => (candidate.typed[headGroup] ?? 0) === 1);
  if (typed.length > 0) return typed;
  return near.filter(({ score }) => score >= FITTING_SHARE_MIN * best.score);
}

/**
 * The ranking with the `fitting` candidates first, the one with the smallest value in front. Those
 * whose value is null follow in their order, then all others. Scores follow the order: each place
 * keeps its score. Pure.
 */
export function orderFitting(
  ranked: readonly RankedCandidate[],
  fitting: readonly RankedCandidate[],
  orderedBy: (candidate: RankedCandidate) => number | null,
): RankedCandidate[] {
  const valued = fitting
    .flatMap((candidate) => {
      const value = orderedBy(candidate);
      return value === null ? [] : [{ candidate, value }];
    })
    .sort((left, right) => left.value - right.value)
    .map(({ candidate }) => candidate);
  const moved = new Set(valued);
  const isFitting = new Set(fitting);
  const rest = ranked.filter((candidate) => !moved.has(candidate));
  const ordered = [
    ...valued,
    ...rest.filter((candidate) => isFitting.has(candidate)),
    ...rest.filter((candidate) => !isFitting.has(candidate)),
  ];
  return ordered.map((candidate, place) => ({ ...candidate, score: ranked[place]!.score }));
}
