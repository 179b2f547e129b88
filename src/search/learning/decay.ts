import { HALF_LIFE_DAYS } from '../tuning/learning-weights.ts';

const DAY_MS = 86_400_000;

/** The day whose voices are stored as they are. */
const LANDMARK_MS = Date.UTC(2026, 0, 1);

/** Half-lives that the numbers of a weight can hold. */
const HALF_LIVES_MAX = 900;

/**
 * The factor by which the weight of a voice is stored: later voices weigh more, instead of earlier
 * ones less, so that stored sums stay right while time passes. Cormode, Shkapenyuk, Srivastava & Xu,
 * "Forward decay", 2009.
 */
export function storedFactor(atMs: number): number {
  return 2 ** halfLives(atMs);
}

/** The factor by which a stored weight counts now. */
export function presentFactor(nowMs: number): number {
  return 2 ** -halfLives(nowMs);
}

function halfLives(atMs: number): number {
  const passed = (atMs - LANDMARK_MS) / DAY_MS / HALF_LIFE_DAYS;
  return Math.min(HALF_LIVES_MAX, Math.max(-HALF_LIVES_MAX, passed));
}
