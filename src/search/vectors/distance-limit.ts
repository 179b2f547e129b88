/**
 * Compared exactly are all whose distance by bits exceeds that of the last wanted by at most this many
 * standard deviations of the distance between unrelated vectors. So few are where the nearest stand
 * apart, and many where a scope holds many alike. Of the nearest 150 of any scope, at most .2 % are lost.
 */
const MARGIN_DEVIATIONS = 2;
/** The most whose exact comparison this margin may cause: some milliseconds. */
const MARGIN_MAX = 32_768;

/** From this many distances on, a sample of every fourth determines the limit. */
const SAMPLED_FROM = 16_384;
const SAMPLE_STEP = 4;
/** Every distance counts if the sample holds this share more or fewer of those in scope than it should. */
const UNFAIR_SHARE = 1 / 8;

/** The distances of the slots that a question is compared with by bits. */
export interface CountedDistances {
  readonly slots: number;
  /** Of the slots, those in scope. */
  readonly inScope: number;
  readonly wanted: number;
  /** The standard deviation of the distance between unrelated vectors. */
  readonly deviation: number;
  /** Counts every `step`th of the distances in scope. Returns that of the last wanted. */
  count(step: number): number;
  /** What was counted, by distance. */
  readonly histogram: Uint32Array;
}

/** The distance up to which vectors are compared exactly. */
export function distanceLimit(distances: CountedDistances): number {
  const { slots, wanted, deviation, histogram } = distances;
  let step = slots >= SAMPLED_FROM ? SAMPLE_STEP : 1;
  let limit = distances.count(step);
  if (step > 1 && !isFair(distances, step)) {
    step = 1;
    limit = distances.count(step);
  }
  const farthest = Math.min(limit + MARGIN_DEVIATIONS * deviation, histogram.length - 1);
  let within = wanted;
  while (limit < farthest && within + histogram[limit + 1]! * step <= MARGIN_MAX)
    within += histogram[++limit]! * step;
  return limit;
}

/** Not so if, of two shops whose documents alternate, one is in scope. */
function isFair({ inScope, histogram }: CountedDistances, step: number): boolean {
  const counted = histogram.reduce((sum, count) => sum + count, 0) * step;
  return Math.abs(counted - inScope) <= inScope * UNFAIR_SHARE;
}
