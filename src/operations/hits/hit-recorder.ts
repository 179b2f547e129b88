import { AppError } from '../../domain/errors.ts';
import type { Hit } from '../../domain/hit.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import {
  type HitRequest,
  insertHits,
  insertKeyedHits,
  type KeyedHits,
  type KeyedRequest,
} from '../../storage/hits.ts';

/** Hits in one commit: some 10 ms. A whole batch fits. */
const GROUP_MAX = 1000;

/** Hits that may wait for their commit before further ones are refused. */
const WAITING_MAX = 20_000;

/** What is committed together. */
interface Group {
  size: number;
  readonly hits: Hit[];
  readonly keyed: KeyedHits[];
  /** Settles when the group is on disk, or refused: with the requests whose key had been used before. */
  readonly written: Promise<ReadonlySet<HitRequest>>;
}

/**
 * Writes hits so that whatever arrives in one turn of the event loop, or while the disk is busy,
 * shares a commit: each is on disk when its promise resolves, and still the disk is asked only once.
 * One group waits in the database's line at a time, so that imports get their turns in between.
 */
export class HitRecorder {
  readonly #db: Database;
  readonly #platform: Pick<Platform, 'yield'>;
  /** The group that takes further hits. */
  #open: Group | null = null;
  /** Resolves when the group before is done with, either way. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ db, platform }: { db: Database; platform: Pick<Platform, 'yield'> }) {
    this.#db = db;
    this.#platform = platform;
  }

  /** Hits that wait for their commit. */
  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Resolves when the hits, and the request that named an Idempotency-Key, are on disk: all of them or
   * none. False: the request's key was used before, and nothing was written. Rejects with `unavailable`
   * when too many wait or the disk refuses.
   */
  async record(hits: readonly Hit[], keyed: KeyedRequest | null = null): Promise<boolean> {
    if (this.#waiting + hits.length > WAITING_MAX) {
      throw new AppError('unavailable', 'Too many hits are waiting.', { retryAfterMs: 1000 });
    }
    this.#waiting += hits.length;
    const isFull = this.#open !== null && this.#open.size + hits.length > GROUP_MAX;
    if (this.#open === null || isFull) this.#open = this.#startGroup();
    const group = this.#open;
    group.size += hits.length;
    if (keyed === null) group.hits.push(...hits);
    else group.keyed.push({ ...keyed, hits });
    const used = await group.written;
    return keyed === null || !used.has(keyed.request);
  }

  #startGroup(): Group {
    const written = this.#last
      .then(() => this.#platform.yield())
      .then(() => {
        if (this.#open === group) this.#open = null;
        return this.#write(group);
      })
      .finally(() => (this.#waiting -= group.size));
    const group: Group = { size: 0, hits: [], keyed: [], written };
    this.#last = written.then(
      () => undefined,
      () => undefined,
    );
    return group;
  }

  async #write({ hits, keyed }: Group): Promise<ReadonlySet<HitRequest>> {
    const results = await this.#db.write([
      ...(hits.length === 0 ? [] : [insertHits(hits)]),
      ...(keyed.length === 0 ? [] : insertKeyedHits(keyed)),
    ]);
    const used = keyed.length === 0 ? [] : results.at(-1)!.rows;
    return new Set(used.map((row) => keyed[Number(row['place'])]!.request));
  }
}
