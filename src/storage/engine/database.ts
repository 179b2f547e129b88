import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Client, createClient, type ResultSet } from '@libsql/client';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { AppError } from '../../domain/errors.ts';
import { APPLICATION_ID, hasMark } from './application-mark.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Activity, connect, isRefusal, refusal } from './connection.ts';
import { fileUrl } from './file-url.ts';
import { makePrivate } from './files.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Statement } from './statement.ts';

/** Files up to this size are checked page by page when they are opened; it takes about a tenth of a second. */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;

/** Pages kept in memory: with SQLite's own 2 MB an import would read and write its indexes again and again. */
const CACHE_KIB = 16 * 1024;

/** Least size of the log's index, a file beside the log. */
const INDEX_BYTES = 32 * 1024;

/**
 * The one connection to the one file, or to a libSQL server (`server-database.ts`). Reads go through
 * `find` or `all`; every write goes through `write`, each batch a transaction of its own: in a file one
 * after the other, on a server several at once. Nothing holds a transaction across an await: the file client is synchronous, and a second
 * writer would freeze the process.
 */
export interface Database {
  readonly orm: LibSQLDatabase;
  readonly activity: Activity;
  /** The name of this process among those that share the data on a server; null: they are its own. */
  readonly instance: string | null;
  /** False for a file that was too large to have its pages checked while everybody waits. */
  readonly isChecked: boolean;
  /**
   * How many times as many rows a read may take as from a file, where it holds the event loop: from a
   * server it costs a round trip.
   */
  readonly batchFactor: number;
  all<Row>(statement: Statement): Promise<Row[]>;
  /**
   * What one of `orm`'s builders finds. Throws what the client throws: Drizzle wraps every error in one of
   * its own, whose message holds the SQL and its parameters, secrets and personal data included.
   */
  find<Rows>(query: PromiseLike<Rows>): Promise<Rows>;
  /**
   * Runs the statements in one transaction. Throws `unavailable` when the disk is full, the file is busy
   * or the server away, and `conflict` when another instance has changed the same thing.
   */
  write(statements: readonly Statement[]): Promise<ResultSet[]>;
  /**
   * As `write`, for what nobody relies on yet: a power cut may take it back, unless a `write` came
   * after it. Waiting for the disk each time would take an import half as long again.
   */
  stage(statements: readonly Statement[]): Promise<ResultSet[]>;
  /**
   * Runs `task` while nothing is moved from the write-ahead log into the file: writes go on and only
   * make the log longer, so that both files can be copied, and the file itself stays as it is.
   */
  withoutCheckpoints<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Throws `damaged` unless every page is as it should be. Holds the process for a second per gigabyte: for copies. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Makes it where there is none. */
  readonly create: boolean;
  /** A clock that never jumps; without it nothing is timed. */
  readonly monotonicMs?: () => number;
}

/**
 * Opens the database, checks that it is ours, whole and not newer than this program, and brings it
 * up to date. `create` makes it where there is none. Throws `not_initialized` or `damaged`.
 */
export async function openDatabase(
  path: string,
  { create, monotonicMs = () => 0 }: OpenOptions,
): Promise<Database> {
  const inMemory = path === ':memory:';
  const exists = !inMemory && existsSync(path);
  if (!exists && !create)
    throw new AppError(
      'not_initialized',
      `There is no database at ${path}: run "vitrine init" first.`,
    );
  if (exists && !statSync(path).isFile()) throw new AppError('damaged', `${path} is not a file.`);
  let client: Client | null = null;
  try {
    // One connection: a PRAGMA reaches only the connection it runs on, and pooled ones poison each other.
    client = createClient({
      url: inMemory ? ':memory:' : fileUrl(path),
      concurrency: 1,
    });
    // Its log and the log's index take its mode over.
    if (!inMemory) makePrivate(path);
    // Who keeps everybody else out has the index in memory, and can read where it cannot be written.
    if (exists && !hasRoomForIndex(path)) await client.execute('PRAGMA locking_mode = EXCLUSIVE');
    if (exists) await checkOurs(client, path);
    const hasLog = inMemory || (await beginLog(client));
    await client.execute('PRAGMA synchronous = FULL');
    await client.execute('PRAGMA foreign_keys = ON');
    // Or else INSERT OR REPLACE would pass by the triggers that keep the audit log as it is.
    await client.execute('PRAGMA recursive_triggers = ON');
    await client.execute(`PRAGMA cache_size = -${CACHE_KIB}`);
    await migrate(client);
    return wrap(client, { path, monotonicMs, hasLog, isChecked: !exists || isSmall(path) });
  } catch (error) {
    client?.close();
    if (error instanceof AppError) throw error;
    throw new AppError('damaged', `The database ${path} cannot be read.`, { cause: error });
  }
}

function hasRoomForIndex(path: string): boolean {
  const index = statSync(`${path}-shm`, { throwIfNoEntry: false });
  if (index !== undefined && index.size >= INDEX_BYTES) return true;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= INDEX_BYTES;
}

async function checkOurs(client: Client, path: string): Promise<void> {
  if ((await pragma(client, 'application_id')) !== APPLICATION_ID) {
    // A server's file bears our mark, and could not be given our number.
    if (!(await hasMark(client)))
      throw new AppError('damaged', `${path} is not a vitrine database.`);
    await client.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  if ((await pragma(client, 'user_version')) > MIGRATIONS.length) {
    throw new AppError(
      'not_initialized',
      `${path} was written by a newer vitrine: install that version.`,
    );
  }
  if (isSmall(path)) await checkPages(client, path);
}

function isSmall(path: string): boolean {
  return statSync(path).size <= CHECKED_BYTES_MAX;
}

async function checkPages(client: Client, path: string, schema = 'main'): Promise<void> {
  const { rows } = await client.execute(`PRAGMA ${schema}.quick_check(1)`);
  if (rows[0]?.[0] !== 'ok')
    throw new AppError('damaged', `The database ${path} is damaged: restore a backup.`);
}

/**
 * Checks every page of a file that another process has open and does not write to meanwhile
 * (`withoutCheckpoints`): an immutable database takes no lock and reads no log. Throws `damaged`.
 * Takes a second per three gigabytes that are in memory, else as long as reading them.
 */
export async function checkHeldFile(path: string): Promise<void> {
  const client = createClient({ url: ':memory:' });
  try {
    const args = [`${fileUrl(path)}?immutable=1`];
    await client.execute({ sql: 'ATTACH DATABASE ? AS held', args });
    await checkPages(client, path, 'held');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('damaged', `The database ${path} is damaged: restore a backup.`, {
      cause: error,
    });
  } finally {
    client.close();
  }
}

/** Applies what is missing, each migration with its version number in one transaction. */
async function migrate(client: Client): Promise<void> {
  const version = await pragma(client, 'user_version');
  for (const [index, { sql }] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await client.executeMultiple(
      `BEGIN IMMEDIATE; ${sql}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${index + 1}; COMMIT;`,
    );
  }
}

async function pragma(client: Client, name: string): Promise<number> {
  const { rows } = await client.execute(`PRAGMA ${name}`);
  return Number(rows[0]?.[0] ?? 0);
}

function wrap(
  client: Client,
  {
    path,
    monotonicMs,
    hasLog,
    isChecked,
  }: { path: string; monotonicMs: () => number; hasLog: boolean; isChecked: boolean },
): Database {
  const explain = (error: unknown) => (isRefusal(error) ? refusal(error) : error);
  let isLogged = hasLog;
  const prepare = async () => {
    if (!isLogged) isLogged = await beginLog(client);
  };
  const connection = connect(client, {
    ...{ monotonicMs, explain, prepare, refusesTogether: false, writersAtOnce: 1, readsFile: true },
  });
  const { orm, activity, all, find, enqueue, write, inTurn } = connection;
  const checkpoints = new Checkpoints({ client, path, inTurn });
  return {
    orm,
    activity,
    instance: null,
    batchFactor: 1,
    isChecked,
    all,
    find,
    write: (statements) => enqueue(statements, write),
    async stage(statements) {
      const results = await enqueue(statements, (batch) => checkpoints.stage(() => write(batch)));
      await checkpoints.step();
      return results;
    },
    withoutCheckpoints: (task) => checkpoints.without(task),
    check: () => checkPages(client, path),
    close: () =>
      inTurn(async () => {
        await leaveLog(client);
        client.close();
      }),
  };
}

/** Has changes go to a log first. False where there is no room for one: without it reads go on. */
async function beginLog(client: Client): Promise<boolean> {
  try {
    const { rows } = await client.execute('PRAGMA journal_mode = WAL');
    return rows[0]?.[0] === 'wal';
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/**
 * Goes back to a database without a log, before its client is closed: that keeps its file until it is
 * garbage, and the index of a log with it. Were the log deleted meanwhile, whoever opens the file next
 * in this process would trust that index.
 */
async function leaveLog(client: Client): Promise<void> {
  await client.execute('PRAGMA journal_mode = DELETE').catch(() => undefined);
}
