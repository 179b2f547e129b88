import type { Platform } from '../platform.ts';
import type { Database } from '../storage/engine/database.ts';
import { findNewestHitAt } from '../storage/hits.ts';
import { findMeta, saveMeta } from '../storage/meta.ts';

const META = 'retention_clock';

/** How often the time is saved; after a crash the clock continues from there. */
const SAVE_EVERY_MS = 15 * 60_000;

/**
 * A clock that is behind advances by two hours for each hour that passes: it catches up by a day a
 * day.
 */
const CATCH_UP = 2;

/** A wall clock this far ahead is doubted, and a warning is logged. */
const DOUBT_MS = 3_600_000;

/**
 * The clock for deletions. A wall clock that jumps forward by a year must not delete a year's hits,
 * and such a jump cannot be told from a long stop of the service. So this clock starts from the
 * last saved time, or from the newest hit, and advances with the monotonic clock. If the wall clock
 * is ahead, it catches up by at most one extra day a day. It is never ahead of the wall clock.
 */
export class RetentionClock {
  readonly #db: Database;
  readonly #platform: Platform;
  #nowMs: number;
  #readAtMs: number;
  #savedAtMs = Number.NEGATIVE_INFINITY;

  private constructor({ db, platform }: { db: Database; platform: Platform }, startMs: number) {
    this.#db = db;
    this.#platform = platform;
    this.#nowMs = Math.min(startMs, platform.now());
    this.#readAtMs = platform.monotonicMs();
  }

  static async open(parts: { db: Database; platform: Platform }): Promise<RetentionClock> {
    const kept = await findKeptTime(parts.db);
    return new RetentionClock(
      parts,
      kept ?? (await findNewestHitAt(parts.db)) ?? parts.platform.now(),
    );
  }

  /** Milliseconds since the epoch. */
  now(): number {
    const monotonicMs = this.#platform.monotonicMs();
    const passedMs = monotonicMs - this.#readAtMs;
    this.#readAtMs = monotonicMs;
    this.#nowMs = Math.min(this.#platform.now(), this.#nowMs + CATCH_UP * passedMs);
    return this.#nowMs;
  }

  /**
   * Saves the time for the next start, at most once every quarter of an hour, and logs a warning if
   * the wall clock is in doubt.
   */
  async keep(): Promise<void> {
    const monotonicMs = this.#platform.monotonicMs();
    if (monotonicMs - this.#savedAtMs < SAVE_EVERY_MS) return;
    const nowMs = this.now();
    const aheadMs = this.#platform.now() - nowMs;
    if (aheadMs > DOUBT_MS)
      this.#platform.log('warn', 'clock_doubted', {
        hoursAhead: Math.round(aheadMs / 3_600_000),
        hint: 'deletions follow by one more day a day: set the clock if it is wrong',
      });
    await this.#db.write([saveMeta(this.#db, META, String(nowMs))]);
    this.#savedAtMs = monotonicMs;
  }
}

/**
 * The last saved time of the clock, in milliseconds since the epoch; null if it was never saved.
 */
export async function findKeptTime(db: Database): Promise<number | null> {
  const kept = Number(await findMeta(db, META));
  return Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}
