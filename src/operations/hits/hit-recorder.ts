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
  lastKeyOf,
} from '../../storage/hits.ts';
import type { HitTally } from './hit-tally.ts';

/** Most hits per commit, which takes some 10 ms. A whole batch fits. */
const GROUP_MAX = 1000;

/** Most hits that may wait for their commit; further ones are refused. */
const WAITING_MAX = 20_000;

/** Clients do not say how long their responses took. */
const NOT_TIMED = [null];

/** Hits that are committed together. */
interface Group {
  size: number;
  readonly hits: Hit[];
  readonly keyed: KeyedHits[];
  /** Resolves once the group is on disk, with the requests whose key was already used. Rejects if refused. */
  readonly written: Promise<ReadonlySet<HitRequest>>;
}

interface HitRecorderParts {
  readonly db: Database;
  readonly platform: Pick<Platform, 'yield'>;
  readonly hitTally: HitTally;
}

/**
 * Writes hits in group commits: hits that arrive in one turn of the event loop, or while the disk is
 * busy, share a commit, and each is on disk when its promise resolves. At most one group waits in the
 * database's queue at a time, so that imports can write in between.
 */
export class HitRecorder {
  readonly #db: Database;
  readonly #platform: Pick<Platform, 'yield'>;
  readonly #hitTally: HitTally;
  /** The group that accepts more hits. */
  #open: Group | null = null;
  /** Resolves when the previous group has been committed or refused. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ db, platform, hitTally }: HitRecorderParts) {
    this.#db = db;
    this.#platform = platform;
    this.#hitTally = hitTally;
  }

  /** Hits that wait for their commit. */
  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Resolves when the hits, and the request's Idempotency-Key if any, are on disk, all or none. Returns
   * false, with nothing written, if the key was already used. Rejects with `unavailable` if too many hits
   * wait or the disk refuses.
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
    const plain = insertHits(hits);
    const results = await this.#db.write([
      ...plain,
      ...(keyed.length === 0 ? [] : insertKeyedHits(keyed)),
    ]);
    const [, inserted, skipped] = results.slice(plain.length);
    if (plain.length > 0) this.#tally(hits, lastKeyOf(results[plain.length - 1]!));
    const used = skipped?.rows.map((row) => keyed[Number(row['place'])]!.request) ?? [];
    // The hits of a request that was skipped are not there.
    const requests = keyed.filter(({ request }) => !used.includes(request));
    const kept = requests.flatMap((request) => request.hits);
    if (inserted !== undefined && kept.length > 0) this.#tally(kept, lastKeyOf(inserted));
    return new Set(used);
  }

  #tally(hits: readonly Hit[], last: number): void {
    const alike = hits.map((hit) => ({ hit, latenciesMs: NOT_TIMED }));
    this.#hitTally.add(alike, { count: hits.length, last });
  }
}
