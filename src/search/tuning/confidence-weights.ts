/*
 * When an answer has low confidence. `scripts/fit-confidence.ts` fits the weights again and prints
 * how many right answers and how many misses each limit doubts.
 */

export interface ConfidenceWeights {
  /** The best score. */
  readonly score: number;
  /** The largest share of the question that a result covers, and that its type and tags cover. */
  readonly coverage: number;
  readonly type: number;
  /** The best cosine on the reference scale, and the mean of the first three. */
  readonly cosine: number;
  readonly meanCosine: number;
  /** The best cosine of a context. */
  readonly context: number;
  /** The share of the question that was replaced by the parts of a compound or by a prefix. */
  readonly guessed: number;
  /** 1 if the question has words besides its terms: no item holds those. */
  readonly sentence: number;
}

/**
 * Fitted with a ridge penalty of .003 to hand-written and judged questions of five shops, each shop's
 * answers and misses weighing the same: electronics, the sample, and the German, French and office shops
 * of `tests/relevance`. No question of the web shops was used.
 */
export const CONFIDENCE_WEIGHTS: ConfidenceWeights = {
  score: 5.46,
  coverage: 0.92,
  type: 1.41,
  cosine: 3.02,
  meanCosine: 1.93,
  context: 2.58,
  guessed: -2.34,
  sentence: 1.26,
};
export const CONFIDENCE_BIAS = -5.52;

/**
 * Below this an answer has low confidence: the first for English questions, the second for others, of
 * whose words the built-in model knows few. src/search/README.md has the curve.
 */
export const CONFIDENCE_MIN = 0.6;
export const FOREIGN_CONFIDENCE_MIN = 0.4;

/**
 * Without vectors, an answer that covers less of the question than this has low confidence. Set by
 * hand.
 */
export const WORDS_COVERAGE_MIN = 0.5;

/** The first results that confidence is judged by: one page. */
export const CONFIDENCE_RESULTS = 10;
