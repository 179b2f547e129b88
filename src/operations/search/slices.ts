import type { Platform } from '../../platform.ts';

/** After so much work whatever waits goes first; no step of it takes more than some milliseconds. */
const SLICE_MS = 8;

/** Long work on the event loop, cut into slices, and the time that it has had. */
export class Slices {
  readonly #platform: Platform;
  #startedMs: number;
  #workedMs = 0;
  #isPaused = false;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#startedMs = platform.monotonicMs();
  }

  /** What this work has had of the event loop so far, in milliseconds; waiting for the database counts. */
  get workedMs(): number {
    const now = this.#isPaused ? this.#startedMs : this.#platform.monotonicMs();
    return this.#workedMs + now - this.#startedMs;
  }

  /** Lets whatever waits go first, if this slice has taken its time. */
  async pause(): Promise<void> {
    const now = this.#platform.monotonicMs();
    if (now - this.#startedMs < SLICE_MS) return;
    this.#workedMs += now - this.#startedMs;
    this.#startedMs = now;
    this.#isPaused = true;
    await this.#platform.yield();
    this.#isPaused = false;
    this.#startedMs = this.#platform.monotonicMs();
  }

  /** Runs steps to their end, with pauses between them. */
  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }
}
