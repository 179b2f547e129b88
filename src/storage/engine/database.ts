import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Client, createClient, type ResultSet } from '@libsql/client';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { AppError } from '../../domain/errors.ts';
import { APPLICATION_ID, hasMark } from './application-mark.ts';
import { leaveCheckedMark, takeCheckedMark } from './checked-mark.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Activity, connect, isRefusal, refusal } from './connection.ts';
import { fileUrl } from './file-url.ts';
import { makePrivate } from './files.ts';
import { MIGRATIONS, statementsOf } from './migrations.ts';
import type { Statement } from './statement.ts';

/** Files up to this size have every page checked when they are opened, which takes about 0.1 s. */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Page cache: with SQLite's default of 2 MB an import would read and write the same index pages
 * repeatedly.
 */
const CACHE_KIB = 16 * 1024;

/** Minimum size of the log's index, a file beside the log. */
const INDEX_BYTES = 32 * 1024;

/**
 * What is known of the pages when a database is opened. `checked`: each is intact. `vouched`: each was
 * when an earlier process closed the file in order, and nobody has written to it since. `unknown`: the
 * file is too large to be checked then.
 */
export type PageState = 'checked' | 'vouched' | 'unknown';

/**
 * The single connection to the file, or the connection to a libSQL server (`server-database.ts`).
 * Reads go through `find` or `all`, writes through `write` or `stage`. Each batch of writes is one
 * transaction. A file runs them one after another, a server several at once. No transaction spans
 * an await: the file client is synchronous, so a second writer would freeze the process.
 */
export interface Database {
  readonly orm: LibSQLDatabase;
  readonly activity: Activity;
  /**
   * The name of this instance among those that share a server; null for a file, which has one
   * owner.
   */
  readonly instance: string | null;
  readonly pages: PageState;
  /** Whether nobody else waits for the event loop of this process, or writes to this database. */
  readonly isAlone: boolean;
  /**
   * The factor by which reads may exceed the batch size chosen for a file, where a read blocks the
   * event loop. On a server, larger batches save round trips.
   */
  readonly batchFactor: number;
  all<Row>(statement: Statement): Promise<Row[]>;
  /**
   * As `all`, for what a background task asks again and again with few different arguments. In a file it
   * is read again only after a write. The rows are shared: change none.
   */
  poll<Row>(statement: Statement): Promise<readonly Row[]>;
  /**
   * Runs one of `orm`'s read builders. Throws the client's own error: Drizzle wraps each error in
   * one whose message contains the SQL and its parameters, including secrets and personal data.
   */
  find<Rows>(query: PromiseLike<Rows>): Promise<Rows>;
  /**
   * The value of a stored JSON text. Null if the text is damaged: it is counted, and the task that
   * examines records looks for it (`examine-records.ts`). Also null for the text `null`.
   */
  parse<Value>(text: string): Value | null;
  /**
   * Runs the statements in one transaction. Throws `unavailable` if the disk is full, the file is
   * busy or the server is unreachable, and `conflict` if another instance has changed the same
   * data.
   */
  write(statements: readonly Statement[]): Promise<ResultSet[]>;
  /**
   * As `write`, but without waiting for the disk: a power cut may revert it unless a `write`
   * followed. Only for data that nobody relies on yet. Waiting each time would make an import take
   * half as long again. `pages`: about how many it changes, if more than its values fill.
   */
  stage(statements: readonly Statement[], pages?: number): Promise<ResultSet[]>;
  /**
   * Runs `task` with checkpoints suspended. Writes continue but only extend the write-ahead log, so
   * both files can be copied and the database file itself does not change.
   */
  withoutCheckpoints<Result>(task: () => Promise<Result>): Promise<Result>;
  /**
   * Throws `damaged` unless every page is intact. Blocks the process for about a second per
   * gigabyte, so use it for copies.
   */
  check(): Promise<void>;
  /** Tells that each page is intact. The next process to open the file learns it (`vouched`). */
  vouch(): void;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Creates the database if there is none. */
  readonly create: boolean;
  /** Whether nobody waits for the event loop of this process; default: false. */
  readonly isAlone?: boolean;
  /** A monotonic clock; without it nothing is timed. */
  readonly monotonicMs?: () => number;
}

/**
 * Opens the database, checks that it is ours, intact and not newer than this program, and migrates
 * it. `create` creates it if there is none. Throws `not_initialized` or `damaged`.
 */
export async function openDatabase(
  path: string,
  { create, isAlone = false, monotonicMs = () => 0 }: OpenOptions,
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
    const isVouched = exists && (await takeCheckedMark(path));
    // One connection: a PRAGMA affects only the connection it runs on, so pooled connections would
    // differ.
    client = createClient({
      url: inMemory ? ':memory:' : fileUrl(path),
      concurrency: 1,
    });
    // The log and its index inherit the file's mode.
    if (!inMemory) makePrivate(path);
    // In exclusive mode the log's index is in memory, so the database can be read even if the index
    // file cannot be written.
    if (exists && !hasRoomForIndex(path)) await client.execute('PRAGMA locking_mode = EXCLUSIVE');
    if (exists) await checkOurs(client, path);
    const hasLog = inMemory || (await beginLog(client));
    await client.execute('PRAGMA synchronous = FULL');
    await client.execute('PRAGMA foreign_keys = ON');
    // Otherwise INSERT OR REPLACE would bypass the triggers that make the audit log append-only.
    await client.execute('PRAGMA recursive_triggers = ON');
    await client.execute(`PRAGMA cache_size = -${CACHE_KIB}`);
    await migrate(client);
    const isChecked = !exists || isSmall(path);
    const pages = isChecked ? 'checked' : isVouched ? 'vouched' : 'unknown';
    return wrap(client, { path, isAlone, monotonicMs, hasLog, pages });
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
    // A file from a server has our mark, because a server could not set `application_id`.
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
 * Checks every page of a file that another process has open but does not change meanwhile
 * (`withoutCheckpoints`). It opens the file as immutable, which takes no lock and reads no log.
 * Throws `damaged`. Takes about a second per 3 GB if they are cached, else as long as reading them.
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

/**
 * Whether a database file that no process has open holds an organization; false if it cannot be read.
 * Changes nothing, whatever the file's schema is.
 */
export async function holdsOrganization(path: string): Promise<boolean> {
  const client = createClient({ url: ':memory:' });
  const read = async () => {
    await client.execute({
      sql: 'ATTACH DATABASE ? AS stopped',
      args: [`${fileUrl(path)}?immutable=1`],
    });
    const { rows } = await client.execute('SELECT 1 FROM stopped.organizations LIMIT 1');
    return rows.length > 0;
  };
  return read()
    .catch(() => false)
    .finally(() => client.close());
}

/** Applies the missing migrations, each in one transaction with its version number. */
async function migrate(client: Client): Promise<void> {
  const version = await pragma(client, 'user_version');
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    const sql = await statementsOf(client, migration);
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
    isAlone,
    monotonicMs,
    hasLog,
    pages,
  }: Required<Omit<OpenOptions, 'create'>> & { path: string; hasLog: boolean; pages: PageState },
): Database {
  const explain = (error: unknown) => (isRefusal(error) ? refusal(error) : error);
  let isLogged = hasLog;
  let isIntact = pages !== 'unknown';
  const prepare = async () => {
    if (!isLogged) isLogged = await beginLog(client);
  };
  const connection = connect(client, {
    ...{ monotonicMs, explain, prepare, refusesTogether: false, writersAtOnce: 1, isFile: true },
  });
  const { orm, activity, all, poll, find, parse, enqueue, write, inTurn } = connection;
  const checkpoints = new Checkpoints({ client, path, isAlone, inTurn });
  return {
    orm,
    activity,
    instance: null,
    isAlone,
    batchFactor: 1,
    pages,
    all,
    poll,
    find,
    parse,
    write: (statements) => enqueue(statements, write),
    async stage(statements, pages = 0) {
      const results = await enqueue(statements, (batch) => checkpoints.stage(() => write(batch)));
      await checkpoints.step(statements, pages);
      return results;
    },
    withoutCheckpoints: (task) => checkpoints.without(task),
    check: () => checkPages(client, path),
    vouch: () => {
      isIntact = true;
    },
    close: () =>
      inTurn(async () => {
        await leaveLog(client);
        client.close();
        if (isIntact && path !== ':memory:') await leaveCheckedMark(path).catch(() => undefined);
      }),
  };
}

/** Turns on write-ahead logging. False if the disk has no room for a log; reads still work then. */
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
 * Turns off write-ahead logging before the client is closed. A closed client keeps its file and the
 * log's index open until it is garbage-collected. If the log were deleted meanwhile, the next
 * connection in this process would trust that stale index.
 */
async function leaveLog(client: Client): Promise<void> {
  await client.execute('PRAGMA journal_mode = DELETE').catch(() => undefined);
}
