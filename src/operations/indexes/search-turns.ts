import type { Platform } from '../../platform.ts';
import type { Slices } from './slices.ts';

/** The share of the time between two libSQL searches that loading gets. */
const LOADING_SHARE = 1 / 10;

/**
 * Lets searches in libSQL, each of which holds the event loop, start one by one while an index is
 * loading, so that loading gets its share of the time between two of them.
 */
export class SearchTurns {
  readonly #platform: Platform;
  /** The load in progress. */
  #present: Slices | null = null;
  /** The queue of searches, and when the last one started. */
  #last: Promise<void> = Promise.resolve();
  #lastAt = { ms: 0, workedMs: 0 };

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  begin(load: Slices): void {
    this.#present = load;
    this.#lastAt = { ms: this.#platform.monotonicMs(), workedMs: 0 };
  }

  end(): void {
    this.#present = null;
  }

  /** Resolves when a search may start: at once, except while an index is loading. */
  async next(): Promise<void> {
    if (this.#present === null) return;
    this.#last = this.#last.then(() => this.#awaitShare());
    await this.#last;
  }

  async #awaitShare(): Promise<void> {
    const platform = this.#platform;
    const present = this.#present;
    while (present !== null && present === this.#present) {
      const elapsedMs = platform.monotonicMs() - this.#lastAt.ms;
      const workedMs = present.workedMs - this.#lastAt.workedMs;
      if (present.isWaiting || workedMs >= elapsedMs * LOADING_SHARE) break;
      await platform.yield();
    }
    this.#lastAt = { ms: platform.monotonicMs(), workedMs: this.#present?.workedMs ?? 0 };
  }
}
