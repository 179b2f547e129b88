import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../domain/errors.ts';
import type { SqlClient } from './sql-client.ts';
import type { Statement } from './statement.ts';

/** Pages in the write-ahead log that trigger a checkpoint; SQLite's default. */
const CHECKPOINT_PAGES = 1000;

/**
 * Staged transactions between two checkpoints: some 800 pages, which block the event loop for 3 to 6 ms. Pages
 * that change often are moved less often than with fewer.
 */
const STAGED_PER_CHECKPOINT = 8;

/**
 * A transaction with fewer bytes of values counts for as much less: a checkpoint waits for the disk, however
 * few pages it moves. That of an import has some 300 KB, that of own hits 10 to 170 KB.
 */
const STAGED_BYTES = 256 * 1024;

export interface CheckpointOptions {
  readonly client: SqlClient;
  /** The path of the database. */
  readonly path: string;
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
  /** The database, which another thread syncs. */
  #file: FileHandle | null = null;
  /** Whether pages were moved into the database that may not be on the disk yet. */
  #isUnsynced = false;

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
   * queue.
   */
  async step(statements: readonly Statement[]): Promise<void> {
    this.#staged += Math.min(1, bytesOf(statements) / STAGED_BYTES);
    const { inTurn } = this.#options;
    if (this.#staged < STAGED_PER_CHECKPOINT || this.#automaticPages === 0) return;
    this.#staged = 0;
    await this.#syncLog().catch(() => undefined);
    // As with SQLite's own checkpoints, a failed one is retried after a later write.
    await inTurn(async () => {
      if (this.#automaticPages > 0) await this.#checkpoint();
    }).catch(() => undefined);
  }

  /**
   * Waits until the database is on the disk as far as the log was moved into it: only then may a write begin
   * the log anew. Rejects if the disk fails.
   */
  async settle(): Promise<void> {
    if (!this.#isUnsynced) return;
    await this.#file!.datasync();
    this.#isUnsynced = false;
  }

  /** Call it once the client is closed: closing any handle of a file gives up this process's locks on it. */
  async close(): Promise<void> {
    await this.#file?.close();
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
    await this.settle();
    await client.execute('PRAGMA wal_autocheckpoint = 0');
    const { rows } = await client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    const isBusy = Number(rows[0]?.[0]) !== 0;
    this.#automaticPages = isBusy ? CHECKPOINT_PAGES : 0;
    if (!isBusy) return;
    await client.execute(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    throw new AppError('unavailable', 'The database is busy.', { retryAfterMs: 1000 });
  }

  /**
   * Moves the log into the database without holding up the event loop: SQLite would wait for the disk
   * within the call. The caller holds the write queue, so nobody begins the log anew meanwhile.
   */
  async #checkpoint(): Promise<void> {
    const { client, path } = this.#options;
    // What others wrote since the last time has to be on the disk before the database changes.
    await this.#syncLog();
    this.#file ??= await open(path, 'r+');
    await this.settle();
    await this.#set('OFF', 0);
    try {
      this.#isUnsynced = true;
      await client.execute('PRAGMA wal_checkpoint(PASSIVE)');
    } finally {
      await this.#set('FULL', this.#automaticPages);
    }
    await this.settle();
  }

  #set(synchronous: 'OFF' | 'NORMAL' | 'FULL', automaticPages: number): Promise<void> {
    const pragmas = `PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = ${automaticPages}`;
    return this.#options.client.executeMultiple(pragmas);
  }

  /** Waits for the disk on another thread. */
  async #syncLog(): Promise<void> {
    await using log = await open(`${this.#options.path}-wal`, 'r+');
    await log.datasync();
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
