import type { SignalWeights } from '../tuning/ranking-weights.ts';
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
}

/**
 * The score that fuses the two retrievers: the mean of word score and cosine, or the word score
 * alone if the question has no vector. From 0 to 1.
 */
export function fusedScore({ words, cosine }: Signals, hasVector: boolean): number {
  return hasVector ? (words + cosine) / 2 : words;
}

/**
 * The embedded ranker's score: a weighted mean of the signals. Unlike the fused score, it takes account of how
 * much of the question an item covers and how well its name matches. It is computed in two steps, because
 * feedback (the cosine to the mean vector of the best candidates) is known only after a first ranking.
 */
export class LocalScore {
  readonly #weights: SignalWeights;
  readonly #hasVector: boolean;
  /** The sum of the weights but for that of feedback. */
  readonly #most: number;

  constructor(weights: SignalWeights, hasVector: boolean) {
    this.#weights = weights;
    this.#hasVector = hasVector;
    let most = weights.words + weights.text + weights.coverage + weights.type;
    most += weights.density + weights.adjacency + weights.head;
    this.#most = hasVector ? most + weights.cosine : most;
  }

  /** The weighted sum of the signals. */
  sumOf({ words, text, coverage, type, cosine, density, adjacency, head }: Signals): number {
    const weights = this.#weights;
    let sum = weights.words * words + weights.text * text;
    sum += weights.coverage * coverage + weights.type * type;
    sum += weights.density * density + weights.adjacency * adjacency + weights.head * head;
    return this.#hasVector ? sum + weights.cosine * cosine : sum;
  }

  /** From 0 to 1. `feedback`: 0 if unknown or negative, null in the first ranking. */
  meanOf(sum: number, feedback: number | null): number {
    if (feedback === null || !this.#hasVector) return sum / this.#most;
    return (sum + this.#weights.feedback * feedback) / (this.#most + this.#weights.feedback);
  }
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
