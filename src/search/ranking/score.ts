import {
  SIGNAL_WEIGHTS,
  type SignalWeights,
  UNAVAILABLE_FACTOR,
} from '../tuning/ranking-weights.ts';
import type { NameSignals } from './name.ts';

/** The signals of a candidate, each from 0 to 1. */
export interface Signals extends Omit<NameSignals, 'hasNoun' | 'isAccessory' | 'isHost'> {
  /** BM25, divided by that of the best candidate. */
  readonly words: number;
  /** The same for `textScores`, in which names have no more weight than the rest. */
  readonly text: number;
  /** Share of the question's terms that occur, weighted by idf. */
  readonly coverage: number;
  /** The same for its type and tags. */
  readonly type: number;
  /** Cosine to the question on the reference scale; 0 if unknown or negative. */
  readonly cosine: number;
  /**
   * Cosine to the mean vector of the best candidates; 0 if unknown or negative, null in the first
   * pass.
   */
  readonly feedback: number | null;
  readonly available: boolean;
}

/**
 * The score that fuses the two retrievers: the mean of word score and cosine, or the word score
 * alone if the question has no vector. From 0 to 1.
 */
export function fusedScore({ words, cosine, available }: Signals, hasVector: boolean): number {
  return demote(hasVector ? (words + cosine) / 2 : words, available);
}

/**
 * The embedded ranker's score. Beyond the fused score, it measures how much of the question an item
 * covers and how well its name matches. From 0 to 1.
 */
export function localScore(
  signals: Signals,
  hasVector: boolean,
  weights: SignalWeights = SIGNAL_WEIGHTS,
): number {
  const { words, text, coverage, type, cosine, feedback, density, adjacency, head } = signals;
  let sum = weights.words * words + weights.text * text;
  let most = weights.words + weights.text + weights.coverage + weights.type;
  sum += weights.coverage * coverage + weights.type * type;
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

/**
 * The matched share of the groups, weighted by idf. `matched` is from 0 to 1 for each group. 0 for
 * a question without terms.
 */
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
