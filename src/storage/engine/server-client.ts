import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client';
import {
  BatchCond,
  type HttpStream,
  openHttp,
  parseLibsqlUrl,
  type RowsResult,
  Stmt,
} from '@libsql/hrana-client';
import { Line } from './line.ts';
import type { SqlClient } from './sql-client.ts';

/** After this long without an answer, the server counts as unreachable. */
const ANSWER_MS = 10_000;

/** The most requests in flight; further ones wait. */
const REQUESTS_MAX = 20;

/** A stream idle for this long is not reused: the server closes it two seconds later. */
const STREAM_IDLE_MS = 8000;

/** The most characters of an HTTP error's text that are logged. */
const FAULT_TEXT_MAX = 300;

export interface ServerAddress {
  /** `libsql:`, `https:` or `http:`, without secrets. */
  readonly url: string;
  readonly authToken: string;
  /** How long one answer may take. */
  readonly answerMs?: number;
}

/** An HTTP error without a database error: not a libSQL server, or one that denies access. */
export class HttpFault extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`HTTP ${status}: ${text.slice(0, FAULT_TEXT_MAX)}`);
    this.status = status;
  }
}

/**
 * A client for a libSQL server that reuses its streams. The library's own client opens a stream for
 * each statement, which costs the server a new connection and takes twice as long as a small
 * statement. Values are bound and errors thrown as in the client for files, except that an HTTP
 * error is an `HttpFault`.
 */
export function openServerClient(
  { url, authToken, answerMs = ANSWER_MS }: ServerAddress,
  monotonicMs: () => number,
): SqlClient {
  const { hranaHttpUrl = '' } = parseLibsqlUrl(url);
  // Without a trailing slash the last segment of the path would be dropped.
  const address = hranaHttpUrl.replace(/\/?(?=\?|$)/, '/');
  const client = openHttp(address, authToken === '' ? undefined : authToken, (request: Request) =>
    askServer(request, answerMs),
  );
  const streams = new StreamPool(() => client.openStream(), monotonicMs);
  const execute = (statement: InStatement) =>
    streams.use(async (stream) => resultOf(await stream.query(bound(statement))));
  return {
    execute: execute as Client['execute'],
    batch: (async (statements: InStatement[]) => {
      const [only] = statements;
      // One statement is a transaction by itself.
      if (only !== undefined && statements.length === 1) return [await execute(only)];
      return streams.use((stream) => runTransaction(stream, statements));
    }) as Client['batch'],
    async executeMultiple(sql) {
      // A batch that fails midway leaves its transaction open, so its stream is not reused.
      const stream = client.openStream();
      const done = stream.sequence(sql);
      stream.closeGracefully();
      await done;
    },
    close: () => client.close(),
  };
}

/** Idle streams, the most recently used first. */
class StreamPool {
  readonly #open: () => HttpStream;
  readonly #monotonicMs: () => number;
  readonly #idle: { readonly stream: HttpStream; readonly sinceMs: number }[] = [];
  readonly #line = new Line(REQUESTS_MAX);

  constructor(open: () => HttpStream, monotonicMs: () => number) {
    this.#open = open;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Runs one request. If the server no longer knows the stream, nothing has run and a new stream
   * repeats the request.
   */
  use<Result>(request: (stream: HttpStream) => Promise<Result>): Promise<Result> {
    return this.#line.run(async () => {
      const kept = this.#take();
      if (kept === null) return this.#run(this.#open(), request);
      return this.#run(kept, request).catch((error: unknown) => {
        if (error instanceof HttpFault && error.status === 400)
          return this.#run(this.#open(), request);
        throw error;
      });
    });
  }

  /** A stream that failed has closed itself; one whose statement failed remains usable. */
  async #run<Result>(
    stream: HttpStream,
    request: (stream: HttpStream) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await request(stream);
    } finally {
      if (!stream.closed) this.#idle.push({ stream, sinceMs: this.#monotonicMs() });
    }
  }

  #take(): HttpStream | null {
    const latest = this.#idle.pop();
    if (latest === undefined) return null;
    if (this.#monotonicMs() - latest.sinceMs < STREAM_IDLE_MS) return latest.stream;
    // All others have been idle for longer.
    for (const { stream } of [latest, ...this.#idle.splice(0)]) stream.close();
    return null;
  }
}

/** All statements or none. */
async function runTransaction(
  stream: HttpStream,
  statements: readonly InStatement[],
): Promise<ResultSet[]> {
  const batch = stream.batch(false);
  const begin = batch.step();
  const outcomes: Promise<unknown>[] = [begin.run('BEGIN IMMEDIATE')];
  let last = begin;
  const results = statements.map((statement) => {
    const step = batch.step().condition(BatchCond.ok(last));
    last = step;
    return step.query(bound(statement));
  });
  const commit = batch.step().condition(BatchCond.ok(last));
  outcomes.push(...results, commit.run('COMMIT'));
  const rollback = batch.step().condition(BatchCond.not(BatchCond.ok(commit)));
  // If no transaction was begun, the server reports the rollback as an error.
  rollback.run('ROLLBACK').catch(() => undefined);
  const settled = Promise.allSettled(outcomes);
  await batch.execute();
  for (const outcome of await settled) if (outcome.status === 'rejected') throw outcome.reason;
  return Promise.all(results.map(async (rows) => resultOf((await rows)!)));
}

function resultOf({ columnNames, columnDecltypes, ...result }: RowsResult): ResultSet {
  return {
    columns: columnNames.map((name) => name ?? ''),
    columnTypes: columnDecltypes.map((type) => type ?? ''),
    rows: result.rows as ResultSet['rows'],
    rowsAffected: result.affectedRowCount,
    lastInsertRowid: result.lastInsertRowid,
    toJSON: () => ({ columns: columnNames, rows: result.rows }),
  };
}

/** Integers are sent as integers: the protocol would send floats, which show as such in texts. */
function bound(statement: InStatement): Stmt {
  const { sql, args = [] } = typeof statement === 'string' ? { sql: statement } : statement;
  return new Stmt(sql).bindIndexes(
    (args as Extract<InArgs, readonly unknown[]>).map((value) =>
      Number.isSafeInteger(value) ? BigInt(value as number) : value,
    ),
  );
}

async function askServer(request: Request, answerMs: number): Promise<Response> {
  const response = await fetch(request, { signal: AbortSignal.timeout(answerMs) });
  if (!response.ok) throw new HttpFault(response.status, await response.text());
  return response;
}
