import type { Platform } from '../../platform.ts';

/**
 * After this much work, waiting tasks get their turn. A single step takes a few milliseconds at
 * most.
 */
const SLICE_MS = 8;

/** Splits long work on the event loop into slices and measures the time it has used. */
export class Slices {
  readonly #platform: Platform;
  #startedMs: number;
  #workedMs = 0;
  #isPaused = false;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#startedMs = platform.monotonicMs();
  }

  /** The time this work has used so far, in milliseconds, including waits for the database. */
  get workedMs(): number {
    const now = this.#isPaused ? this.#startedMs : this.#platform.monotonicMs();
    return this.#workedMs + now - this.#startedMs;
  }

  /** Yields to waiting tasks if the current slice is used up. */
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

  /** Runs a generator to its end, with pauses between its steps. */
  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }
}
