/** Failures in a row after which the breaker opens. */
const FAILURES_MAX = 5;
const REST_MS = 30_000;

/** How a call ended. `abandoned`: the caller cancelled it, so it says nothing about the endpoint. */
export type CallEnd = 'answered' | 'failed' | 'abandoned';

/**
 * A circuit breaker. After five failures in a row it admits no calls for 30 seconds, then one at a
 * time, until one of them is answered.
 */
export class Breaker {
  readonly #now: () => number;
  #failureCount = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isProbing = false;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until calls are admitted again; 0 if they are, or if one is probing. */
  get restMs(): number {
    return Math.max(0, Math.ceil(this.#restsUntil - this.#now()));
  }

  /**
   * Admits a call, or returns null while the breaker is open. The caller reports how the call ended by
   * calling the returned function; only the first report counts.
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
      // Calls from before the pause may fail during it; they do not prolong it.
      const begins = this.#failureCount >= FAILURES_MAX && this.restMs === 0;
      if (begins) this.#restsUntil = this.#now() + REST_MS;
    }
  }
}
