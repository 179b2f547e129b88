import type { Platform } from '../../platform.ts';

/**
 * After this much work, waiting tasks get their turn. A single step takes a few milliseconds at
 * most.
 */
const SLICE_MS = 8;

/** Splits long work on the event loop into slices and measures the time it has used. */
export class Slices {
  readonly #platform: Platform;
  readonly #isOver: () => boolean;
  #startedMs: number;
  #workedMs = 0;
  /** The time used of the present slice while others have their turn; null at other times. */
  #pausedAtMs: number | null = null;
  #isWaiting = false;

  /** `isOver`: whether the present slice ends before its time, because somebody waits. */
  constructor(platform: Platform, isOver = () => false) {
    this.#platform = platform;
    this.#isOver = isOver;
    this.#startedMs = platform.monotonicMs();
  }

  /** The time this work has used so far, in milliseconds, including waits for the database. */
  get workedMs(): number {
    return this.#workedMs + (this.#pausedAtMs ?? this.#usedMs);
  }

  /** Yields to waiting tasks if the current slice is over. */
  async pause(): Promise<void> {
    const usedMs = this.#usedMs;
    if (usedMs < SLICE_MS && !this.#isOver()) return;
    this.#workedMs += usedMs;
    await this.#without(this.#platform.yield(), 0);
  }

  /** Whether this work is waiting for something other than its turn. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Awaits what uses no time of the event loop. That time does not count. */
  async wait<Result>(result: Promise<Result>): Promise<Result> {
    this.#isWaiting = true;
    try {
      return await this.#without(result, this.#usedMs);
    } finally {
      this.#isWaiting = false;
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

  /** Awaits while the clock of the slice stands still at `usedMs`. */
  async #without<Result>(result: Promise<Result>, usedMs: number): Promise<Result> {
    this.#pausedAtMs = usedMs;
    try {
      return await result;
    } finally {
      this.#pausedAtMs = null;
      this.#startedMs = this.#platform.monotonicMs() - usedMs;
    }
  }
}

/** Runs a generator to its end in one step. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
