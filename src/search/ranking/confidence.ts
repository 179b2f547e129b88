import type { TermGroup } from '../query/expand-terms.ts';
import {
  CONFIDENCE_BIAS,
  CONFIDENCE_WEIGHTS,
  type ConfidenceWeights,
} from '../tuning/confidence-weights.ts';
import type { Candidate } from './candidates.ts';
import { coverage } from './score.ts';

/** What tells whether an answer is right, each from 0 to 1. */
export type ConfidenceSignals = ConfidenceWeights;

/** A result with its score, without what curation and learning changed in it. */
export type ScoredResult = Pick<Candidate, 'isContext' | 'cosine' | 'matched' | 'typed'> & {
  readonly score: number;
};

/** The results whose cosines are averaged. */
const AVERAGED = 3;

/** `first`: the first page of results, best first. Pure. */
export function confidenceSignals(
  first: readonly ScoredResult[],
  { groups, isSentence }: { readonly groups: readonly TermGroup[]; readonly isSentence: boolean },
): ConfidenceSignals {
  const best = (of: (result: ScoredResult) => number) => Math.max(0, ...first.map(of));
  const cosineOf = ({ cosine }: ScoredResult) => Math.max(0, cosine ?? 0);
  const cosines = first.slice(0, AVERAGED).map(cosineOf);
  const isGuess = ({ guess }: TermGroup) => guess === 'parts' || guess === 'prefix';
  return {
    score: best(({ score }) => score),
    coverage: best(({ matched }) => coverage(groups, matched)),
    type: best(({ typed }) => coverage(groups, typed)),
    cosine: best(cosineOf),
    meanCosine: cosines.reduce((sum, cosine) => sum + cosine, 0) / AVERAGED,
    context: best((result) => (result.isContext ? cosineOf(result) : 0)),
    guessed: coverage(
      groups,
      groups.map((group) => (isGuess(group) ? 1 : 0)),
    ),
    sentence: isSentence ? 1 : 0,
  };
}

/**
 * The probability that one of the results is an answer, if half of all questions had one: a logistic
 * model. Pure.
 */
export function confidenceOf(signals: ConfidenceSignals): number {
  let sum = CONFIDENCE_BIAS;
  for (const [name, weight] of Object.entries(CONFIDENCE_WEIGHTS))
    sum += weight * signals[name as keyof ConfidenceSignals];
  return 1 / (1 + Math.exp(-sum));
}
