import type { Grade } from '../domain/grade.ts';

/** Most candidates graded per question: as many as a model reads carefully in one call. */
export const GRADED_MAX = 25;

export interface ScorerCandidate {
  /** The key under which grades are cached; changes if and only if the text changes. */
  readonly key: string;
  /** The item's text for the model, truncated to fit. Untrusted data. */
  readonly text: string;
}

/** A language model that grades how well candidates answer a question. */
export interface Scorer {
  /** Identifies model, endpoint and rubric; grades are valid only for the same tag. */
  readonly tag: string;
  /**
   * Returns a grade for each of at most 25 candidates, in order; null where the model gave none.
   * Rejects with `AppError('unavailable')` if there is no grade at all, and with the signal's reason
   * if it aborts.
   */
  grade(
    question: string,
    candidates: readonly ScorerCandidate[],
    signal: AbortSignal,
  ): Promise<readonly (Grade | null)[]>;
}
