import { existsSync, statSync } from 'node:fs';
import { type Client, createClient, type InStatement, type ResultSet } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { AppError } from '../domain/errors.ts';
import { fileUrl } from './file-url.ts';
import { MIGRATIONS } from './migrations.ts';

/** Marks the file as ours: "vitr" in ASCII. A 0-byte file opens as a healthy database otherwise. */
const APPLICATION_ID = 0x76697472;

/** Files up to this size are checked page by page at every start; it takes about a tenth of a second. */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;

/** Write batches that may wait in line before a further one is refused. */
const WAITING_WRITES_MAX = 10_000;

/** A statement as both drizzle's builders (`toSQL()`) and the client spell it. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly (string | number | null | Uint8Array)[];
}

/**
 * The one connection to the one file. Reads go through `orm` or `all`; every write goes through
 * `write`, one batch after the other, each a transaction of its own. Nothing holds a transaction
 * across an await: the file client is synchronous, and a second writer would freeze the process.
 */
export interface Database {
  readonly orm: LibSQLDatabase;
  all<Row>(statement: Statement): Promise<Row[]>;
  /** Runs the statements in one transaction. Throws `unavailable` when the disk is full or the file is busy. */
  write(statements: readonly Statement[]): Promise<ResultSet[]>;
  /**
   * As `write`, for what nobody relies on yet: a power cut may take it back, unless a `write` came
   * after it. Waiting for the disk each time would take an import half as long again.
   */
  stage(statements: readonly Statement[]): Promise<ResultSet[]>;
  close(): Promise<void>;
}

/**
 * Opens the database, checks that it is ours, whole and not newer than this program, and brings it
 * up to date. `create` makes it where there is none. Throws `not_initialized` or `damaged`.
 */
export async function openDatabase(
  path: string,
  { create }: { create: boolean },
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
    if (exists) await checkOurs(client, path);
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute('PRAGMA synchronous = FULL');
    await client.execute('PRAGMA foreign_keys = ON');
    // Or else INSERT OR REPLACE would pass by the triggers that keep the audit log as it is.
    await client.execute('PRAGMA recursive_triggers = ON');
    await migrate(client);
    return wrap(client);
  } catch (error) {
    client?.close();
    if (error instanceof AppError) throw error;
    throw new AppError('damaged', `The database ${path} cannot be read.`, { cause: error });
  }
}

async function checkOurs(client: Client, path: string): Promise<void> {
  if ((await pragma(client, 'application_id')) !== APPLICATION_ID) {
    throw new AppError('damaged', `${path} is not a vitrine database.`);
  }
  if ((await pragma(client, 'user_version')) > MIGRATIONS.length) {
    throw new AppError(
      'not_initialized',
      `${path} was written by a newer vitrine: install that version.`,
    );
  }
  if (statSync(path).size > CHECKED_BYTES_MAX) return;
  const { rows } = await client.execute('PRAGMA quick_check(1)');
  if (rows[0]?.[0] !== 'ok')
    throw new AppError('damaged', `The database ${path} is damaged: restore a backup.`);
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

function wrap(client: Client): Database {
  let lastWrite: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const enqueue = (
    statements: readonly Statement[],
    run: (batch: InStatement[]) => Promise<ResultSet[]>,
  ) => {
    if (waiting >= WAITING_WRITES_MAX) {
      return Promise.reject(
        new AppError('unavailable', 'Too many writes are waiting.', { retryAfterMs: 1000 }),
      );
    }
    waiting += 1;
    const batch = statements.map(({ sql, args }): InStatement => ({ sql, args: [...args] }));
    const written = lastWrite
      .then(() => run(batch))
      .catch(refuse)
      .finally(() => (waiting -= 1));
    lastWrite = written.catch(() => undefined);
    return written;
  };
  const write = (batch: InStatement[]) => client.batch(batch, 'write');
  return {
    orm: drizzle({ client }),
    async all<Row>({ sql, args }: Statement) {
      const { rows } = await client.execute({ sql, args: [...args] });
      return rows as unknown as Row[];
    },
    write: (statements) => enqueue(statements, write),
    stage: (statements) =>
      enqueue(statements, async (batch) => {
        await client.execute('PRAGMA synchronous = NORMAL');
        // Nothing else runs in between: writes wait for each other.
        return write(batch).finally(() => client.execute('PRAGMA synchronous = FULL'));
      }),
    async close() {
      await lastWrite;
      await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
      client.close();
    },
  };
}

/** A disk that is full or a file that is busy is the operator's business; anything else is a bug. */
function refuse(error: unknown): never {
  const code = String((error as { code?: unknown }).code ?? '');
  if (/^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(code)) {
    throw new AppError('unavailable', 'Storage refuses writes at the moment.', {
      retryAfterMs: 5000,
      cause: error,
    });
  }
  throw error;
}

/** What a drizzle builder would run, for `write`. */
export function statement(query: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = query.toSQL();
  return { sql, args: params as (string | number | null | Uint8Array)[] };
}
