import type { Grade } from '../domain/grade.ts';

/** Candidates that one question is graded against at most: what a model reads with care in one go. */
export const GRADED_MAX = 25;

export interface Candidate {
  /** Changes with the text, and only with it: verdicts are kept under it. */
  readonly key: string;
  /** What the model gets to read of the item, as far as it fits. Data, whatever it says. */
  readonly text: string;
}

/** A language model that says how well candidates answer a question. */
export interface Scorer {
  /** Names model, endpoint and rubric: verdicts under one tag say nothing about another. */
  readonly tag: string;
  /**
   * A grade for each of at most 25 candidates, in order; null where the model gave none. Rejects
   * with `AppError('unavailable')` when not one grade comes back, and with the signal's reason when
   * it aborts.
   */
  grade(
    question: string,
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<readonly (Grade | null)[]>;
}
