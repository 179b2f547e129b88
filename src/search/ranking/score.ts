import {
  SIGNAL_WEIGHTS,
  type SignalWeights,
  UNAVAILABLE_FACTOR,
} from '../tuning/ranking-weights.ts';
import type { NameSignals } from './name.ts';

/** A candidate's signals, each from 0 to 1. */
export interface Signals extends Omit<NameSignals, 'hasNoun'> {
  /** BM25 divided by the best candidate's. */
  readonly words: number;
  /** Share of the question's weight (idf) whose terms occur. */
  readonly coverage: number;
  /** The same of what its type and tags say. */
  readonly type: number;
  /** Cosine to the question, 0 where unknown or negative. */
  readonly cosine: number;
  /** Cosine to what the best candidates have in common, 0 where unknown or negative; null before those are known. */
  readonly feedback: number | null;
  readonly available: boolean;
}

/**
 * The order after retrieval: words and meaning, the same share each. `hasVector` says whether the
 * question has a vector; without one the words count alone. From 0 to 1.
 */
export function fusedScore({ words, cosine, available }: Signals, hasVector: boolean): number {
  return demote(hasVector ? (words + cosine) / 2 : words, available);
}

/**
 * The embedded ranker's judgement: beyond the fused order, how much of the question an item answers
 * and how much of its name is about it. From 0 to 1.
 */
export function localScore(
  signals: Signals,
  hasVector: boolean,
  weights: SignalWeights = SIGNAL_WEIGHTS,
): number {
  const { words, coverage, type, cosine, feedback, density, adjacency, head } = signals;
  let sum = weights.words * words + weights.coverage * coverage + weights.type * type;
  let most = weights.words + weights.coverage + weights.type;
  sum += weights.density * density + weights.adjacency * adjacency + weights.head * head;
  most += weights.density + weights.adjacency + weights.head;
  if (hasVector) {
    sum += weights.cosine * cosine;
    most += weights.cosine;
    if (feedback !== null) {
      sum += weights.feedback * feedback;
      most += weights.feedback;
    }
  }
  return demote(sum / most, signals.available);
}

function demote(score: number, available: boolean): number {
  return available ? score : score * UNAVAILABLE_FACTOR;
}

/** Share of the groups' weight that is matched, wholly or in part (0 to 1 each); 0 for a question without a term. */
export function coverage(
  groups: readonly { readonly idf: number }[],
  matched: readonly number[],
): number {
  let all = 0;
  let covered = 0;
  for (let index = 0; index < groups.length; index++) {
    const { idf } = groups[index]!;
    all += idf;
    covered += idf * (matched[index] ?? 0);
  }
  return all === 0 ? 0 : covered / all;
}
