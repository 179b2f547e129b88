import type { Client, InStatement, ResultSet } from '@libsql/client';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { AppError } from '../../domain/errors.ts';
import { Line } from './line.ts';
import type { SqlClient } from './sql-client.ts';
import type { Statement } from './statement.ts';
import { readTextsAsBytes } from './texts.ts';

/** The most write batches that may wait; further ones are refused. */
const WAITING_WRITES_MAX = 10_000;

/** Questions whose answers `poll` remembers: more than there are background tasks. */
const POLLED_MAX = 100;

/** When a caller should retry. */
const RETRY_AFTER_MS = 1000;

/** Counters of the database's work since it was opened. */
export interface Activity {
  readonly reads: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writeMs: number;
  /** Writes refused because the disk was full, the file was busy or the server was unreachable. */
  readonly refusals: number;
  /** Writes waiting now. */
  readonly waiting: number;
  /** Whether the last write was refused. */
  readonly isRefusing: boolean;
  /** Stored texts that were found not to be UTF-8, or not to be JSON where they have to be. */
  readonly damagedTexts: number;
}

/** A client that counts its operations and queues its writes. */
export interface Connection {
  readonly orm: LibSQLDatabase;
  readonly activity: Activity;
  all<Row>(statement: Statement): Promise<Row[]>;
  poll<Row>(statement: Statement): Promise<readonly Row[]>;
  find<Rows>(query: PromiseLike<Rows>): Promise<Rows>;
  parse<Value>(text: string): Value | null;
  /** Queues `run` among the writes. Throws `unavailable` if too many are waiting. */
  enqueue(
    statements: readonly Statement[],
    run: (batch: InStatement[]) => Promise<ResultSet[]>,
  ): Promise<ResultSet[]>;
  /** Runs one transaction immediately. Call it only from a task that holds the queue. */
  write(batch: InStatement[]): Promise<ResultSet[]>;
  /** Queues a task that is not a write. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Resolves when no write is running or waiting. */
  settle(): Promise<void>;
}

export interface ConnectOptions {
  /** The most concurrent writes. */
  readonly writersAtOnce: number;
  readonly monotonicMs: () => number;
  /** Runs before every write. If it fails, the write is refused. */
  prepare?(): Promise<void>;
  /** Translates a write's error; an `unavailable` counts as a refusal. */
  explain(error: unknown): unknown;
  /**
   * Whether a refused write also refuses the writes queued behind it, because each would wait just
   * as long.
   */
  readonly refusesTogether: boolean;
  /** Whether it is a file: damaged bytes can be read, and no other process writes. */
  readonly isFile: boolean;
}

export function connect(client: SqlClient, options: ConnectOptions): Connection {
  const { monotonicMs, refusesTogether, isFile, writersAtOnce } = options;
  const activity = { ...NO_ACTIVITY };
  if (isFile) readTextsAsBytes(client, () => (activity.damagedTexts += 1));
  const timed = timeReads(client, { activity, monotonicMs });
  const line = new Line(writersAtOnce);
  const { write, changeCount } = countWrites(client, { ...options, activity });
  const all = async <Row>({ sql, args }: Statement) => {
    const { rows } = await timed.execute({ sql, args: [...args] });
    return rows as unknown as Row[];
  };
  return {
    orm: drizzle({ client: timed as Client }),
    activity,
    all,
    poll: isFile ? rememberAnswers(all, changeCount) : all,
    async find(query) {
      try {
        return await query;
      } catch (error) {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      }
    },
    parse(text) {
      try {
        return JSON.parse(text);
      } catch {
        activity.damagedTexts += 1;
        return null;
      }
    },
    enqueue(statements, run) {
      if (activity.waiting >= WAITING_WRITES_MAX) {
        return Promise.reject(
          new AppError('unavailable', 'Too many writes are waiting.', {
            retryAfterMs: RETRY_AFTER_MS,
          }),
        );
      }
      activity.waiting += 1;
      const { refusals } = activity;
      const batch = statements.map(({ sql, args }): InStatement => ({ sql, args: [...args] }));
      return line
        .run(async () => {
          if (refusesTogether && activity.refusals > refusals) throw refusal(null);
          return run(batch);
        })
        .finally(() => (activity.waiting -= 1));
    },
    write,
    inTurn: (task) => line.run(task),
    settle: () => line.settle(),
  };
}

/**
 * The error for a full disk, a busy file or an unreachable server, which are for the operator to
 * fix.
 */
export function refusal(cause: unknown): AppError {
  return new AppError('unavailable', 'Storage refuses writes at the moment.', {
    retryAfterMs: RETRY_AFTER_MS,
    cause,
  });
}

/** Whether an error is such a refusal; any other error is a bug. */
export function isRefusal(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/.test(code);
}

const NO_ACTIVITY = {
  reads: 0,
  readMs: 0,
  writes: 0,
  writeMs: 0,
  refusals: 0,
  waiting: 0,
  isRefusing: false,
  damagedTexts: 0,
};

/** `changeCount`: writes that changed a row, or may have. */
function countWrites(
  client: SqlClient,
  {
    activity,
    monotonicMs,
    prepare,
    explain,
  }: Pick<ConnectOptions, 'monotonicMs' | 'prepare' | 'explain'> & {
    readonly activity: typeof NO_ACTIVITY;
  },
): Pick<Connection, 'write'> & { changeCount(): number } {
  let changes = 0;
  const write = async (batch: InStatement[]) => {
    const startedMs = monotonicMs();
    try {
      await prepare?.();
      const results = await client.batch(batch, 'write');
      activity.isRefusing = false;
      if (results.some(({ rowsAffected }) => rowsAffected > 0)) changes += 1;
      return results;
    } catch (error) {
      changes += 1;
      const known = explain(error);
      if (known instanceof AppError && known.code === 'unavailable') {
        activity.refusals += 1;
        activity.isRefusing = true;
      }
      throw known;
    } finally {
      activity.writes += 1;
      activity.writeMs += monotonicMs() - startedMs;
    }
  };
  return { write, changeCount: () => changes };
}

/** Reads again only after a change. A change that overlaps a read is counted after it. */
function rememberAnswers(all: Connection['all'], changeCount: () => number): Connection['poll'] {
  const answers = new Map<
    string,
    { readonly rows: readonly unknown[]; readonly changes: number }
  >();
  return async <Row>(statement: Statement) => {
    const changes = changeCount();
    const question = JSON.stringify([statement.sql, statement.args]);
    const known = answers.get(question);
    if (known?.changes === changes) return known.rows as readonly Row[];
    const rows = await all<Row>(statement);
    answers.delete(question);
    answers.set(question, { rows, changes });
    for (const oldest of answers.keys()) {
      if (answers.size <= POLLED_MAX) break;
      answers.delete(oldest);
    }
    return rows;
  };
}

/** Wraps the client to time every `execute`; Drizzle's builders use it too. */
function timeReads(
  client: SqlClient,
  { activity, monotonicMs }: { activity: typeof NO_ACTIVITY; monotonicMs: () => number },
): SqlClient {
  const execute = client.execute.bind(client) as (...args: unknown[]) => Promise<ResultSet>;
  client.execute = async (...args: unknown[]) => {
    const startedMs = monotonicMs();
    try {
      return await execute(...args);
    } finally {
      activity.reads += 1;
      activity.readMs += monotonicMs() - startedMs;
    }
  };
  return client;
}
