import type { Platform } from '../../platform.ts';
import type { Slices } from './slices.ts';

/** The share of the time between the starts of two libSQL searches that loading gets. */
const LOADING_SHARE = 1 / 10;

/**
 * Lets searches in libSQL, each of which holds the event loop, start one by one. Between two of them
 * others have their turns, and an index that is loading gets its share of the time, and no more while searches
 * wait.
 */
export class SearchTurns {
  readonly #platform: Platform;
  /** The load in progress. */
  #present: Slices | null = null;
  /** The queue of searches, and when the last one started. */
  #last: Promise<void> = Promise.resolve();
  #lastAt = { ms: 0, workedMs: 0 };
  #waiting = 0;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Whether a search waits although the load in progress has had its share. */
  get isSearchDue(): boolean {
    return this.#waiting > 0 && this.#present !== null && this.#hasHadShare(this.#present);
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
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#awaitShare()).finally(() => (this.#waiting -= 1));
    await this.#last;
  }

  async #awaitShare(): Promise<void> {
    const platform = this.#platform;
    // Reads of the database end without a turn of the event loop, so all that wait would run as one.
    await platform.yield();
    const present = this.#present;
    if (present === null) return;
    while (present === this.#present && !present.isWaiting && !this.#hasHadShare(present))
      await platform.yield();
    this.#lastAt = { ms: platform.monotonicMs(), workedMs: this.#present?.workedMs ?? 0 };
  }

  #hasHadShare({ workedMs }: Slices): boolean {
    const elapsedMs = this.#platform.monotonicMs() - this.#lastAt.ms;
    return workedMs - this.#lastAt.workedMs >= elapsedMs * LOADING_SHARE;
  }
}
