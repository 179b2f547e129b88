/*
 * Every number that determines how far choices move a result. Set on simulated clicks over the
 * electronics set (`scripts/simulate-learning.ts`).
 */

/** The fewest clients that must have chosen an offering before it moves: no client alone moves any. */
export const CLIENTS_MIN = 3;

/** The most that choices add to the score of an offering, which is from 0 to 1. */
export const LEARNED_MAX = 0.15;

/** The most that popularity adds, whatever was asked. Part of LEARNED_MAX. */
export const POPULARITY_MAX = 0.003;

/** Voices at which popularity adds half of its most. */
export const POPULARITY_HALF = 30;

/** Voices by which the share of those who chose an offering is smoothed. */
export const SMOOTHING = 4;

/** The share of those who asked at which affinity adds its most. */
export const FULL_SHARE = 0.5;

/**
 * From this cosine on, a question is near one that was learned; the affinity carried over grows from
 * nothing here to all of it at 1. The first if it has all terms of the learned one and more (`which
 * desk lamp would you recommend`), the second if each has terms that the other lacks. MiniLM gives
 * paraphrases of the electronics questions 0.57 to 0.86, and questions for different things up to
 * 0.86 (`projector`, `projector screen`), so terms have to tell what cosines cannot.
 */
export const WIDER_QUESTION_COSINE = 0.5;
export const OTHER_QUESTION_COSINE = 0.8;

/**
 * How fast the affinity of a near question falls with the share of this question that an item covers:
 * who asks for an android tablet does not want the tablet that others chose. The first power costs
 * unseen electronics questions .002 of NDCG, the third .001, for half of the gain of some paraphrases.
 */
export const FIT_POWER = 3;

/** The nearest questions whose choices count. */
export const NEAR_QUESTIONS_MAX = 5;

/** A voice counts half after this many days. */
export const HALF_LIFE_DAYS = 30;

/**
 * An offering that was chosen from place p counts as the root of p voices, at most PLACE_WEIGHT_MAX:
 * the lower the place, the fewer have looked at it. Joachims, Swaminathan & Schnabel, "Unbiased
 * learning-to-rank with biased feedback", 2017, with the propensities of a person who reads on
 * half of the time.
 */
export const PLACE_WEIGHT_MAX = 3;

export function placeWeight(place: number): number {
  return Math.min(PLACE_WEIGHT_MAX, Math.sqrt(Math.max(1, place)));
}
