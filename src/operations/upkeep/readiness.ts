import { statfsSync } from 'node:fs';
import { AppError } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { saveMeta } from '../../storage/meta.ts';
import type { PageCheck } from './page-check.ts';

/** With less free space than this, the next checkpoint or import fails. */
const FREE_BYTES_MIN = 1024 * 1024;

/** Interval between write attempts while the disk refuses writes. */
const PROBE_EVERY_MS = 500;

/** How long the database may take to answer. */
const LOOK_MS = 2000;

/** When a caller should try again. */
const RETRY_AFTER_MS = 1000;

export interface ReadinessOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly dataFolder: string;
  readonly pageCheck: PageCheck;
  readonly stopping: AbortSignal;
}

/** Whether the service accepts requests of every kind, including writes. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #probedAtMs = Number.NEGATIVE_INFINITY;

  #url: string | null = null;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Sets the address of the public listener, `http://host:port`. */
  listensAt(url: string): void {
    this.#url = url;
  }

  /** The address of the public listener; null before it listens. */
  get url(): string | null {
    return this.#url;
  }

  /** Throws `unavailable`, with the reason, if the service is not ready. */
  async require(): Promise<void> {
    const { db, dataFolder, pageCheck, stopping } = this.#options;
    if (stopping.aborted)
      throw new AppError('unavailable', 'The service is shutting down.', { retryAfterMs: 5000 });
    if (!pageCheck.isDone) throw notReady('The pages of the database are still being checked.');
    await this.#look();
    if (db.instance === null && freeBytes(dataFolder) < FREE_BYTES_MIN)
      throw notReady('The disk is full.');
    if (db.activity.isRefusing && !(await this.#canWrite()))
      throw notReady('Storage refuses writes at the moment.');
  }

  /** A server that accepts requests and never answers must not hold up a readiness check. */
  async #look(): Promise<void> {
    const { db, platform } = this.#options;
    const over = new AbortController();
    const isAnswered = db.all({ sql: 'SELECT 1', args: [] }).then(() => true);
    const isLate = platform.sleep(LOOK_MS, over.signal).then(() => false);
    try {
      if (!(await Promise.race([isAnswered, isLate])))
        throw notReady('The database server does not answer.');
    } finally {
      over.abort();
      isAnswered.catch(() => undefined);
    }
  }

  /** Attempts a write at most once per interval, so that frequent checks do not keep the disk busy. */
  async #canWrite(): Promise<boolean> {
    const { db, platform } = this.#options;
    if (platform.monotonicMs() - this.#probedAtMs < PROBE_EVERY_MS) return false;
    this.#probedAtMs = platform.monotonicMs();
    return db
      .write([saveMeta(db, 'last_probe', String(platform.now()))])
      .then(() => true)
      .catch(() => false);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function notReady(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterMs: RETRY_AFTER_MS });
}
