import { AppError } from '../../domain/errors.ts';
import type { Hit } from '../../domain/hit.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { type HitRequest, insertHitRequest, insertHits } from '../../storage/hits.ts';

/** Hits in one commit: some 10 ms. A whole batch fits. */
const GROUP_MAX = 1000;

/** Hits that may wait for their commit before further ones are refused. */
const WAITING_MAX = 20_000;

/** What is committed together. */
interface Group {
  readonly hits: Hit[];
  readonly further: Statement[];
  /** Settles when the group is on disk, or refused. */
  readonly written: Promise<void>;
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
   * Resolves when the hits, and the request that named an Idempotency-Key, are on disk: all of them
   * or none. Rejects with `unavailable` when too many wait or the disk refuses.
   */
  record(hits: readonly Hit[], request: HitRequest | null = null): Promise<void> {
    if (this.#waiting + hits.length > WAITING_MAX) {
      return Promise.reject(
        new AppError('unavailable', 'Too many hits are waiting.', { retryAfterMs: 1000 }),
      );
    }
    this.#waiting += hits.length;
    const isFull = this.#open !== null && this.#open.hits.length + hits.length > GROUP_MAX;
    // A key that another instance uses as well makes a commit fail: nobody else's hits are in it.
    const isAlone = request !== null && this.#db.instance !== null;
    if (this.#open === null || isFull || isAlone) this.#open = this.#startGroup();
    const group = this.#open;
    if (isAlone) this.#open = null;
    group.hits.push(...hits);
    if (request !== null) group.further.push(insertHitRequest(this.#db, request));
    return group.written;
  }

  #startGroup(): Group {
    const hits: Hit[] = [];
    const further: Statement[] = [];
    const written = this.#last
      .then(() => this.#platform.yield())
      .then(async () => {
        if (this.#open === group) this.#open = null;
        await this.#db.write([...(hits.length === 0 ? [] : [insertHits(hits)]), ...further]);
      })
      .finally(() => (this.#waiting -= hits.length));
    const group = { hits, further, written };
    this.#last = written.then(
      () => undefined,
      () => undefined,
    );
    return group;
  }
}
