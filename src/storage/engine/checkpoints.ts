import { open } from 'node:fs/promises';
import { AppError } from '../../domain/errors.ts';
import type { SqlClient } from './sql-client.ts';

/** Pages in the write-ahead log after which a write moves them into the file; SQLite's own default. */
const CHECKPOINT_PAGES = 1000;

/**
 * Staged transactions after which their pages are moved: some 200 pages, which hold the event loop for
 * about 10 ms. A thousand hold it for 20 to 60 ms.
 */
const STAGED_PER_CHECKPOINT = 4;

export interface CheckpointOptions {
  readonly client: SqlClient;
  /** Of the database. */
  readonly path: string;
  /** Runs a task between writes. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Decides when pages move from the write-ahead log of a file into the file. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  /** Pages after which SQLite moves them by itself; 0: never. */
  #automaticPages = CHECKPOINT_PAGES;
  #stagedCount = 0;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** Runs a write that neither waits for the disk nor moves pages. Its caller has the turn, and calls `step` later. */
  async stage<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#set('NORMAL', 0);
    try {
      return await write();
    } finally {
      await this.#set('FULL', this.#automaticPages);
    }
  }

  /** After a staged write and outside its turn: moves what some of them have written, a small step at a time. */
  async step(): Promise<void> {
    this.#stagedCount += 1;
    if (this.#stagedCount % STAGED_PER_CHECKPOINT !== 0 || this.#automaticPages === 0) return;
    const { client, inTurn } = this.#options;
    await this.#syncLog();
    // As with SQLite's own checkpoints, what fails now is tried again after a later write.
    await inTurn(async () => {
      if (this.#automaticPages > 0) await client.execute('PRAGMA wal_checkpoint(PASSIVE)');
    }).catch(() => undefined);
  }

  /** Runs `task` while no pages are moved. Throws `unavailable` when the file is busy. */
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

  /** Empties the log, so that from here on it only grows: SQLite begins anew in one that is used up. */
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

  /** Has another thread wait for the disk. Safety does not rest on it: a checkpoint syncs the log as well, which then takes no time. */
  async #syncLog(): Promise<void> {
    try {
      await using log = await open(`${this.#options.path}-wal`, 'r+');
      await log.datasync();
    } catch {
      // The checkpoint says what is wrong.
    }
  }
}
