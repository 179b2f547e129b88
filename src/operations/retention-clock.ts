import type { Platform } from '../platform.ts';
import type { Database } from '../storage/engine/database.ts';
import { findNewestHitAt } from '../storage/hits.ts';
import { findMeta, saveMeta } from '../storage/meta.ts';

const META = 'retention_clock';

/** How often its time is kept: after a kill it goes on from there. */
const SAVE_EVERY_MS = 15 * 60_000;

/** For each hour that really passes, a clock that is behind goes on by two: a day's share more a day. */
const CATCH_UP = 2;

/** A wall clock this far ahead is not believed, and that is logged. */
const DOUBT_MS = 3_600_000;

/**
 * The time that deletions go by. A wall clock that steps forward by a year must not take a year's
 * hits with it, and nothing tells such a step from a long stop of the service. So this clock starts
 * from the last time that was kept, or from the newest hit; from there it goes on with the monotonic
 * clock, and reaches the wall clock, where that is ahead, by at most one more day a day. It is never
 * ahead of the wall clock.
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

  /** Every quarter of an hour: keeps the time for the next start, and tells of a wall clock that it does not believe. */
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

/** The time that deletions went by when it was last kept, in milliseconds since the epoch; null: never. */
export async function findKeptTime(db: Database): Promise<number | null> {
  const kept = Number(await findMeta(db, META));
  return Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}
