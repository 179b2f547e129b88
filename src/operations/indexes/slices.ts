import type { Platform } from '../../platform.ts';

/**
 * After this much work, waiting tasks get their turn. A single step takes a few milliseconds at
 * most.
 */
const SLICE_MS = 8;

/** Splits long work on the event loop into slices. */
export class Slices {
  readonly #platform: Platform;
  #startedMs: number;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#startedMs = platform.monotonicMs();
  }

  /** Yields to waiting tasks if the current slice is over. */
  async pause(): Promise<void> {
    if (this.#usedMs < SLICE_MS) return;
    await this.#platform.yield();
    this.#startedMs = this.#platform.monotonicMs();
  }

  /** Awaits what uses no time of the event loop. That time does not count. */
  async wait<Result>(result: Promise<Result>): Promise<Result> {
    const usedMs = this.#usedMs;
    try {
      return await result;
    } finally {
      this.#startedMs = this.#platform.monotonicMs() - usedMs;
    }
  }

  /** Runs a generator to its end, with pauses between its steps. */
  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }

  get #usedMs(): number {
    return this.#platform.monotonicMs() - this.#startedMs;
  }
}

/** Runs a generator to its end in one step. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
