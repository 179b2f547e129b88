import { type FileHandle, open } from 'node:fs/promises';
import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { AppError } from '../domain/errors.ts';
import type { Activity, Database, Staging, Statement } from './database.ts';

/** Pages in the write-ahead log after which a write moves them into the file; SQLite's own default. */
const CHECKPOINT_PAGES = 1000;

/** Write batches that may wait in line before a further one is refused. */
const WAITING_WRITES_MAX = 10_000;

/** What is staged is due to be committed when its statements brought so many bytes. */
const STAGED_BYTES = 2 * 1024 * 1024;

/** What staged statements bring until the log is moved into the file: each time writers wait for the disk. */
const MOVED_BYTES = 8 * 1024 * 1024;

/** What a write of another kind counts for: some pages. */
const WRITE_BYTES = 16 * 1024;

export interface ConnectionOptions {
  /** Of the database; null if it is in memory. */
  readonly path: string | null;
  check(): Promise<void>;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
}

/**
 * The connection behind `Database`. The file client is synchronous, so a second connection that
 * waited for a transaction would freeze the process: there is one, all writes stand in one line, and
 * while a transaction of staged rows is open everybody reads within it.
 */
export class Connection implements Database {
  readonly orm: LibSQLDatabase;
  readonly activity = { ...NO_ACTIVITY };
  readonly check: () => Promise<void>;
  readonly #client: Client;
  readonly #execute: Client['execute'];
  readonly #path: string | null;
  readonly #monotonicMs: () => number;
  /** Of the database, as long as the connection: to close a second one would let go of SQLite's locks. */
  #file: FileHandle | null = null;
  #mayCheckpoint = true;
  /** What the log holds since we, and not SQLite, move it into the file; null while SQLite does. */
  #unmovedBytes: number | null = null;
  /** Why nothing more may be written: the disk did not take what was moved into the file. */
  #broken: unknown = null;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #staged: StagedTransaction | null = null;
  /** While a transaction begins: the client refuses all else until it has. */
  #beginning: Promise<void> | null = null;

  constructor(client: Client, { path, check, monotonicMs }: ConnectionOptions) {
    this.#client = client;
    this.#path = path;
    this.check = check;
    this.#monotonicMs = monotonicMs;
    this.#execute = client.execute.bind(client);
    // Drizzle's builders go through it as well.
    client.execute = (...args: unknown[]) => this.#read(args as [InStatement]);
    this.orm = drizzle({ client });
  }

  async all<Row>({ sql, args }: Statement): Promise<Row[]> {
    const { rows } = await this.#client.execute({ sql, args: [...args] });
    return rows as unknown as Row[];
  }

  write(statements: readonly Statement[]): Promise<ResultSet[]> {
    const batch = inStatements(statements);
    return this.#enqueue(async () => {
      await this.#commit();
      if (this.#unmovedBytes !== null) this.#unmovedBytes += WRITE_BYTES;
      // In line behind this write: whoever writes need not wait for it.
      if (this.#isMuchUnmoved()) this.#enqueue(() => this.#checkpoint()).catch(() => undefined);
      return this.#timed(() => this.#client.batch(batch, 'write'));
    });
  }

  stage(): Staging {
    let lost: unknown = null;
    const fail = () => {
      if (lost !== null) throw lost;
    };
    const owner = {
      lose(error: unknown) {
        lost = error;
      },
    };
    const isDue = () => this.#staged?.owner === owner && this.#staged.bytes >= STAGED_BYTES;
    return {
      get isDue() {
        return isDue();
      },
      run: (statements) =>
        this.#enqueue(async () => {
          fail();
          if (this.#staged?.owner !== owner) await this.#begin(owner);
          return this.#runStaged(statements);
        }),
      commit: () =>
        this.#enqueue(async () => {
          if (this.#staged?.owner === owner) await this.#commit();
          if (this.#isMuchUnmoved()) await this.#checkpoint();
          fail();
        }),
      end: () =>
        this.#enqueue(async () => {
          if (this.#staged?.owner === owner) await this.#commit();
          await this.#checkpoint();
          fail();
        }),
    };
  }

  async withoutCheckpoints<Result>(task: () => Promise<Result>): Promise<Result> {
    const begun = this.#lastWrite.then(async () => {
      await this.#commit();
      await this.#stopCheckpoints();
      this.#mayCheckpoint = false;
    });
    this.#lastWrite = begun.catch(() => undefined);
    await begun;
    try {
      return await task();
    } finally {
      // The next write catches up.
      this.#lastWrite = this.#lastWrite
        .then(() => this.#commit())
        .then(() => {
          this.#mayCheckpoint = true;
          this.#unmovedBytes = null;
          return this.#execute(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
        })
        .catch(() => undefined);
      await this.#lastWrite;
    }
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#commit();
    await this.#execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
    this.#client.close();
    await this.#file?.close();
  }

  async #read(args: [InStatement]): Promise<ResultSet> {
    const startedMs = this.#monotonicMs();
    try {
      while (this.#beginning !== null) await this.#beginning;
      const staged = this.#staged;
      return await (staged === null ? this.#execute(...args) : staged.transaction.execute(...args));
    } finally {
      this.activity.reads += 1;
      this.activity.readMs += this.#monotonicMs() - startedMs;
    }
  }

  #enqueue<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.activity.waiting >= WAITING_WRITES_MAX) {
      return Promise.reject(
        new AppError('unavailable', 'Too many writes are waiting.', { retryAfterMs: 1000 }),
      );
    }
    this.activity.waiting += 1;
    const written = this.#lastWrite.then(run).finally(() => (this.activity.waiting -= 1));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #begin(owner: StagedTransaction['owner']): Promise<void> {
    await this.#commit();
    // Nobody relies on it: a power cut may take back its latest commits.
    await this.#execute('PRAGMA synchronous = NORMAL');
    await this.#execute('PRAGMA wal_autocheckpoint = 0');
    this.#unmovedBytes ??= 0;
    const begun = this.#client.transaction('write');
    this.#beginning = begun.then(
      (transaction) => {
        this.#beginning = null;
        this.#staged = { transaction, owner, bytes: 0 };
      },
      () => {
        this.#beginning = null;
      },
    );
    await this.#beginning;
    await begun.catch((error: unknown) => {
      throw isRefusal(error) ? refusal(error) : error;
    });
  }

  async #runStaged(statements: readonly Statement[]): Promise<ResultSet[]> {
    const staged = this.#staged!;
    for (const { args } of statements) staged.bytes += byteLength(args);
    try {
      const batch = inStatements(statements);
      return await this.#timed(() => staged.transaction.batch(batch));
    } catch (error) {
      staged.owner.lose(error);
      this.#staged = null;
      staged.transaction.close();
      await this.#execute('PRAGMA synchronous = FULL');
      throw error;
    }
  }

  /** Ends the transaction of staged rows, if one is open. Whoever staged them is told if they got lost. */
  async #commit(): Promise<void> {
    const staged = this.#staged;
    if (staged === null) return;
    this.#staged = null;
    this.#unmovedBytes = (this.#unmovedBytes ?? 0) + staged.bytes;
    await this.#timed(() => staged.transaction.commit()).catch(staged.owner.lose);
    await this.#execute('PRAGMA synchronous = FULL');
  }

  #isMuchUnmoved(): boolean {
    return this.#unmovedBytes !== null && this.#unmovedBytes >= MOVED_BYTES;
  }

  /**
   * Moves what is in the write-ahead log into the file. SQLite would hold the process until the disk
   * has it all; here other threads wait for the disk, before and behind, and only writers wait for
   * them: SQLite begins anew in the log with the next write, which must not be before the file is safe.
   */
  async #checkpoint(): Promise<void> {
    if (this.#unmovedBytes === null || !this.#mayCheckpoint || this.#path === null) return;
    this.#file ??= await open(this.#path, 'r+');
    const log = await open(`${this.#path}-wal`, 'r+');
    await log.sync().finally(() => log.close());
    await this.#execute('PRAGMA synchronous = OFF');
    await this.#execute('PRAGMA wal_checkpoint(PASSIVE)').finally(() =>
      this.#execute('PRAGMA synchronous = FULL'),
    );
    await this.#execute(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#unmovedBytes = null;
    await this.#file.sync().catch((error: unknown) => {
      this.#broken = refusal(error);
      throw this.#broken;
    });
  }

  async #timed<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#broken !== null) throw this.#broken;
    const startedMs = this.#monotonicMs();
    try {
      const result = await run();
      this.activity.isRefusing = false;
      return result;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.activity.refusals += 1;
      this.activity.isRefusing = true;
      throw refusal(error);
    } finally {
      this.activity.writes += 1;
      this.activity.writeMs += this.#monotonicMs() - startedMs;
    }
  }

  /** Empties the log, so that from here on it only grows: SQLite begins anew in one that is used up. */
  async #stopCheckpoints(): Promise<void> {
    await this.#execute('PRAGMA wal_autocheckpoint = 0');
    const { rows } = await this.#execute('PRAGMA wal_checkpoint(TRUNCATE)');
    const isBusy = Number(rows[0]?.[0]) !== 0;
    if (!isBusy) return;
    await this.#execute(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    throw new AppError('unavailable', 'The database is busy.', { retryAfterMs: 1000 });
  }
}

interface StagedTransaction {
  readonly transaction: Transaction;
  readonly owner: { lose(error: unknown): void };
  /** That its statements brought. */
  bytes: number;
}

const NO_ACTIVITY: Activity = {
  reads: 0,
  readMs: 0,
  writes: 0,
  writeMs: 0,
  refusals: 0,
  waiting: 0,
  isRefusing: false,
};

function inStatements(statements: readonly Statement[]): InStatement[] {
  return statements.map(({ sql, args }) => ({ sql, args: [...args] }));
}

/** Of texts as if they were ASCII. */
function byteLength(args: Statement['args']): number {
  return args.reduce<number>(
    (sum, arg) => sum + (typeof arg === 'string' || arg instanceof Uint8Array ? arg.length : 8),
    0,
  );
}

function isRefusal(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(code);
}

/** A disk that is full or a file that is busy is the operator's business; anything else is a bug. */
function refusal(cause: unknown): AppError {
  return new AppError('unavailable', 'Storage refuses writes at the moment.', {
    retryAfterMs: 1000,
    cause,
  });
}
