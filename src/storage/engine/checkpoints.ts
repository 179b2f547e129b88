import { open } from 'node:fs/promises';
import { AppError } from '../../domain/errors.ts';
import type { SqlClient } from './sql-client.ts';
import type { Statement } from './statement.ts';

/** Pages in the write-ahead log that trigger a checkpoint; SQLite's default. */
const CHECKPOINT_PAGES = 1000;

/**
 * Staged transactions between two checkpoints: about 500 pages, which block the event loop for 3 to
 * 10 ms. A thousand pages block it for 20 to 60 ms.
 */
const STAGED_PER_CHECKPOINT = 4;

/**
 * A transaction with fewer bytes of values counts for as much less: a checkpoint waits for the disk, however
 * few pages it moves. That of an import has some 300 KB, that of own hits 10 to 170 KB.
 */
const STAGED_BYTES = 256 * 1024;

/** The pages that such a transaction changes. */
const STAGED_PAGES = 125;

/**
 * The same where nobody waits for the event loop, and transactions are larger. Pages that change
 * often are then moved less often: at 400,000 items a checkpoint takes half the time for each row.
 * The log grows to some 100 MB.
 */
const STAGED_PER_CHECKPOINT_ALONE = 8;

export interface CheckpointOptions {
  readonly client: SqlClient;
  /** The path of the database. */
  readonly path: string;
  /** Whether nobody waits for the event loop. */
  readonly isAlone: boolean;
  /** Runs a task between writes. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Decides when a file's write-ahead log is checkpointed. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  /** Pages after which SQLite checkpoints automatically; 0: never. */
  #automaticPages = CHECKPOINT_PAGES;
  /** Since the last checkpoint, in transactions of `STAGED_BYTES`. */
  #staged = 0;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /**
   * Runs a write that neither waits for the disk nor checkpoints. The caller holds the write queue,
   * and calls `step` later.
   */
  async stage<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#set('NORMAL', 0);
    try {
      return await write();
    } finally {
      await this.#set('FULL', this.#automaticPages);
    }
  }

  /**
   * Checkpoints staged writes in small steps. Call it after a staged write, without holding the
   * queue. `pages`: how many it has changed, if more than its values fill.
   */
  async step(statements: readonly Statement[], pages: number): Promise<void> {
    this.#staged += Math.min(1, Math.max(bytesOf(statements) / STAGED_BYTES, pages / STAGED_PAGES));
    const { client, isAlone, inTurn } = this.#options;
    const stagedMax = isAlone ? STAGED_PER_CHECKPOINT_ALONE : STAGED_PER_CHECKPOINT;
    if (this.#staged < stagedMax || this.#automaticPages === 0) return;
    this.#staged = 0;
    await this.#syncLog();
    // As with SQLite's own checkpoints, a failed one is retried after a later write.
    await inTurn(async () => {
      if (this.#automaticPages > 0) await client.execute('PRAGMA wal_checkpoint(PASSIVE)');
    }).catch(() => undefined);
  }

  /** Runs `task` with checkpoints suspended. Throws `unavailable` if the file is busy. */
  async without<Result>(task: () => Promise<Result>): Promise<Result> {
    const { client, inTurn } = this.#options;
    await inTurn(() => this.#stop());
    try {
      return await task();
    } finally {
      this.#automaticPages = CHECKPOINT_PAGES;
      // The next write catches up.
      const setting = `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`;
      await inTurn(() => client.execute(setting)).catch(() => undefined);
    }
  }

  /**
   * Empties the log, so that from here on it only grows: SQLite would otherwise restart a fully
   * checkpointed log from its beginning.
   */
  async #stop(): Promise<void> {
    const { client } = this.#options;
    await client.execute('PRAGMA wal_autocheckpoint = 0');
    const { rows } = await client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    const isBusy = Number(rows[0]?.[0]) !== 0;
    this.#automaticPages = isBusy ? CHECKPOINT_PAGES : 0;
    if (!isBusy) return;
    await client.execute(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    throw new AppError('unavailable', 'The database is busy.', { retryAfterMs: 1000 });
  }

  #set(synchronous: 'NORMAL' | 'FULL', automaticPages: number): Promise<void> {
    const pragmas = `PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = ${automaticPages}`;
    return this.#options.client.executeMultiple(pragmas);
  }

  /**
   * Waits for the disk on another thread. Safety does not depend on it: the checkpoint syncs the
   * log again, and by then there is nothing left to write.
   */
  async #syncLog(): Promise<void> {
    try {
      await using log = await open(`${this.#options.path}-wal`, 'r+');
      await log.datasync();
    } catch {
      // The checkpoint will report the error.
    }
  }
}

/** Of the values that are texts or blobs. */
function bytesOf(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { args } of statements)
    for (const value of args)
      if (typeof value === 'string') bytes += value.length;
      else if (value instanceof Uint8Array) bytes += value.byteLength;
  return bytes;
}
