import type { Platform } from '../../platform.ts';
import type { Slices } from './slices.ts';

/** The share of the time between two libSQL searches that loading gets. */
const LOADING_SHARE = 1 / 10;

/**
 * Lets searches in libSQL, each of which holds the event loop, start one by one. Between two of them
 * others have their turns, and an index that is loading gets its share of the time.
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

  /** Resolves when a search may start. */
  async next(): Promise<void> {
    this.#last = this.#last.then(() => this.#awaitShare());
    await this.#last;
  }

  async #awaitShare(): Promise<void> {
    const platform = this.#platform;
    // Reads of the database end without a turn of the event loop, so all that wait would run as one.
    await platform.yield();
    const present = this.#present;
    if (present === null) return;
    while (present === this.#present) {
      const elapsedMs = platform.monotonicMs() - this.#lastAt.ms;
      const workedMs = present.workedMs - this.#lastAt.workedMs;
      if (present.isWaiting || workedMs >= elapsedMs * LOADING_SHARE) break;
      await platform.yield();
    }
    this.#lastAt = { ms: platform.monotonicMs(), workedMs: this.#present?.workedMs ?? 0 };
  }
}
