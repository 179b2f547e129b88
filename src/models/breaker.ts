/** After this many failures in a row whatever fails is left alone for a while. */
const FAILURES_MAX = 5;
const REST_MS = 30_000;

/** How a call ended. `abandoned`: its caller went away, which says nothing about who was called. */
export type CallEnd = 'answered' | 'failed' | 'abandoned';

/**
 * Keeps callers away from what fails: after five failures in a row nobody is let through for 30
 * seconds, then one caller at a time, until one of them is answered.
 */
export class Breaker {
  readonly #now: () => number;
  #failureCount = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isProbing = false;

  /** `now`: milliseconds of a clock that never jumps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds for which nobody is let through; 0 while calls are, or while one of them probes. */
  get restMs(): number {
    return Math.max(0, Math.ceil(this.#restsUntil - this.#now()));
  }

  /**
   * Null: stay away. Else the way in: whoever gets this function says with it how the call ended.
   * The first word counts, later ones change nothing.
   */
  enter(): ((end: CallEnd) => void) | null {
    const isProbe = this.#failureCount >= FAILURES_MAX;
    if (isProbe && (this.restMs > 0 || this.#isProbing)) return null;
    if (isProbe) this.#isProbing = true;
    let isSettled = false;
    return (end) => {
      if (isSettled) return;
      isSettled = true;
      if (isProbe) this.#isProbing = false;
      this.#count(end);
    };
  }

  #count(end: CallEnd): void {
    if (end === 'answered') {
      this.#failureCount = 0;
      this.#restsUntil = Number.NEGATIVE_INFINITY;
    } else if (end === 'failed') {
      this.#failureCount += 1;
      // Calls from before a rest fail during it: they do not make it longer.
      const begins = this.#failureCount >= FAILURES_MAX && this.restMs === 0;
      if (begins) this.#restsUntil = this.#now() + REST_MS;
    }
  }
}
