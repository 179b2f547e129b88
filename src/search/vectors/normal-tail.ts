/** The table covers this many standard deviations below and above the mean: beyond, 1 in 1e15 are left. */
const SPAN = 8;
const STEPS_PER_DEVIATION = 64;

/** The number of steps in the table. */
export const TAIL_STEPS = 2 * SPAN * STEPS_PER_DEVIATION;

/** The share of a normal distribution that lies above the middle of each step. */
export const TAILS = Float64Array.from({ length: TAIL_STEPS }, (_, step) =>
  shareAbove((step + 0.5) / STEPS_PER_DEVIATION - SPAN),
);

/** The step of a distance from the mean, in standard deviations. */
export function tailStep(deviations: number): number {
  const step = Math.floor((deviations + SPAN) * STEPS_PER_DEVIATION);
  return step < 0 ? 0 : step >= TAIL_STEPS ? TAIL_STEPS - 1 : step;
}

/** Within 1e-7: Abramowitz & Stegun, Handbook of Mathematical Functions (1964), 26.2.17. */
function shareAbove(deviations: number): number {
  if (deviations < 0) return 1 - shareAbove(-deviations);
  const t = 1 / (1 + 0.231_641_9 * deviations);
  const powers = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
  const sum = powers.reduceRight((rest, factor) => (rest + factor) * t, 0);
  return (sum * Math.exp((-deviations * deviations) / 2)) / Math.sqrt(2 * Math.PI);
}
