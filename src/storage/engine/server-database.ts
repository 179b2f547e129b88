import type { Client, InStatement } from '@libsql/client';
import { AppError } from '../../domain/errors.ts';
import { APPLICATION_ID, hasMark, SAVE_MARK } from './application-mark.ts';
import { connect, isRefusal, refusal } from './connection.ts';
import type { Database } from './database.ts';
import { MIGRATIONS, statementsOf } from './migrations.ts';
import { HttpFault, openServerClient, type ServerAddress } from './server-client.ts';
import type { SqlClient } from './sql-client.ts';

/** Enough that hits do not wait behind an import and housekeeping; the server orders them. */
const WRITERS_AT_ONCE = 8;

/**
 * A read of 64 items with their vectors is about 100 KB; one of eight times as many takes 20 ms to
 * parse.
 */
const BATCH_FACTOR = 8;

/** When a caller should retry: by then a server that restarted is back. */
const RETRY_AFTER_MS = 2000;

export interface ServerOptions extends ServerAddress {
  /** Creates our tables if there are none. */
  readonly create: boolean;
  /** The name of this instance among those that use the server. */
  readonly instance: string;
  readonly monotonicMs: () => number;
}

/**
 * Opens the database on a libSQL server and migrates it; several instances may do so at the same
 * time. Throws `unavailable`, `unauthorized`, `not_initialized` if it is empty or newer than this
 * program, and `damaged` if it is another program's.
 */
export async function openServerDatabase(options: ServerOptions): Promise<Database> {
  const client = openClient(options, options.monotonicMs);
  try {
    const schema = await findSchema(client);
    refuseForeign(schema, options);
    await migrate(client);
  } catch (error) {
    client.close();
    throw atOpening(error, options);
  }
  return wrap(client, options);
}

/** The schema version on the server; 0 if it has no schema. Throws as `openServerDatabase` does. */
export async function findServerSchema(server: ServerAddress): Promise<number> {
  const client = openClient(server);
  try {
    const schema = await findSchema(client);
    if (!schema.isOurs && !schema.isEmpty) throw foreign(server);
    return schema.version;
  } catch (error) {
    throw atOpening(error, server);
  } finally {
    client.close();
  }
}

interface Schema {
  readonly isEmpty: boolean;
  readonly isOurs: boolean;
  readonly version: number;
}

/**
 * A server refuses to set `application_id`. A database is ours if it has our row, or if its file
 * came with that number.
 */
async function findSchema(client: SqlClient): Promise<Schema> {
  const { rows } = await client.execute(
    `SELECT (SELECT count(*) FROM sqlite_schema WHERE type = 'table'
               AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE 'libsql!_%' ESCAPE '!') AS tables`,
  );
  const isEmpty = Number(rows[0]?.['tables']) === 0;
  const isOurs =
    (await hasMark(client)) || (await numberOf(client, 'PRAGMA application_id')) === APPLICATION_ID;
  return { isEmpty, isOurs, version: await numberOf(client, 'PRAGMA user_version') };
}

async function numberOf(client: SqlClient, sql: string): Promise<number> {
  const { rows } = await client.execute(sql);
  return Number(rows[0]?.[0] ?? 0);
}

function refuseForeign(schema: Schema, { create, url, ...server }: ServerOptions): void {
  if (schema.isEmpty && !create)
    throw new AppError(
      'not_initialized',
      `The database at ${url} is empty: run "vitrine init" first.`,
    );
  if (!schema.isEmpty && !schema.isOurs) throw foreign({ url, ...server });
  if (schema.version > MIGRATIONS.length)
    throw new AppError(
      'not_initialized',
      `The database at ${url} was written by a newer vitrine: install that version.`,
    );
}

function foreign({ url }: ServerAddress): AppError {
  return new AppError('damaged', `What is at ${url} is not a vitrine database.`);
}

/**
 * Applies the missing migrations, each in one transaction with its version number. The transaction
 * fails if another instance was quicker; migration then continues after that instance's.
 */
async function migrate(client: SqlClient): Promise<void> {
  for (;;) {
    const version = await numberOf(client, 'PRAGMA user_version');
    const next = MIGRATIONS[version];
    if (next === undefined) return;
    // `json()` fails on text that is not JSON, which aborts the transaction.
    const isStillThere = `SELECT json(iif(user_version = ${version}, '0', 'it was migrated')) FROM pragma_user_version`;
    const sql = await statementsOf(client, next);
    try {
      await client.executeMultiple(
        `BEGIN IMMEDIATE; ${isStillThere}; ${sql}; ${SAVE_MARK}; PRAGMA user_version = ${version + 1}; COMMIT;`,
      );
    } catch (error) {
      if ((await numberOf(client, 'PRAGMA user_version')) === version) throw error;
    }
  }
}

function wrap(client: SqlClient, { instance, monotonicMs }: ServerOptions): Database {
  const connection = connect(client, {
    monotonicMs,
    explain: (error) => (isConflict(error) ? conflict(error) : error),
    refusesTogether: true,
    writersAtOnce: WRITERS_AT_ONCE,
    isFile: false,
  });
  const { orm, activity, all, poll, find, parse, enqueue, write, settle } = connection;
  return {
    orm,
    activity,
    instance,
    isAlone: false,
    batchFactor: BATCH_FACTOR,
    pages: 'checked',
    vouch: () => undefined,
    all,
    poll,
    find,
    parse,
    write: (statements) => enqueue(statements, write),
    // Only the server decides whether it waits for its disk.
    stage: (statements) => enqueue(statements, write),
    withoutCheckpoints: () => Promise.reject(hasNoFile()),
    check: () => Promise.reject(hasNoFile()),
    close: () => settle().then(() => client.close()),
  };
}

/**
 * Whether the server writes a commit to its disk before it answers; sqld does so only with the
 * durability mode `strong`. True if the server does not say.
 */
export async function syncsCommits(db: Database): Promise<boolean> {
  const [row] = await db
    .all<{ synchronous: number }>({ sql: 'PRAGMA synchronous', args: [] })
    .catch(() => []);
  return row === undefined || row.synchronous >= 2;
}

function hasNoFile(): AppError {
  return new AppError('invalid_input', 'The data are on a libSQL server, and no file of ours.');
}

/** A client that throws the same errors as the one for files. */
function openClient(server: ServerAddress, monotonicMs: () => number = () => 0): SqlClient {
  const { execute, batch, executeMultiple, close } = openServerClient(server, monotonicMs);
  return {
    execute: ((statement: InStatement) => execute(statement).catch(failed)) as Client['execute'],
    batch: (statements) => batch(statements).catch(failed),
    executeMultiple: (sql) => executeMultiple(sql).catch(failed),
    close,
  };
}

/**
 * An SQLite error in a statement is a bug or a conflict. Every other error, including a network
 * error, is a reason to retry later.
 */
function failed(error: unknown): never {
  const code = String((error as { code?: unknown }).code ?? '');
  const isOfStatement = /^(?:SQLITE_|SQL_|ARGS_|RESPONSE_TOO_LARGE)/.test(code);
  if (isRefusal(error)) throw refusal(error);
  // The library's error has no stack.
  if (isOfStatement) throw Object.assign(new Error((error as Error).message), { code });
  throw new AppError(
    'unavailable',
    error instanceof HttpFault
      ? `The database server answers with HTTP ${error.status}.`
      : 'The database server does not answer.',
    { retryAfterMs: RETRY_AFTER_MS, cause: error },
  );
}

function isConflict(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}

/** Another instance has changed the data that this one relied on. */
function conflict(cause: unknown): AppError {
  return new AppError('conflict', 'Another instance has just changed the same: try again.', {
    retryAfterMs: RETRY_AFTER_MS,
    cause,
  });
}

/** Names the server, and says if it rejects the token. */
function atOpening(error: unknown, { url }: ServerAddress): unknown {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return error;
  const { cause } = error;
  const options = { cause };
  const status = cause instanceof HttpFault ? cause.status : null;
  if (status === 401 || status === 403)
    return new AppError(
      'unauthorized',
      `The database server at ${url} does not let us in: look at database_auth_token.`,
      options,
    );
  return new AppError(
    'unavailable',
    status === null
      ? `The database server at ${url} does not answer: is it running, and is database_url right?`
      : `${url} answers with HTTP ${status}: is it a libSQL server?`,
    options,
  );
}
