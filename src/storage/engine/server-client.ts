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

/** Without an answer for so long, the server is away. */
const ANSWER_MS = 10_000;

/** Requests in flight at once; further ones wait here. */
const REQUESTS_MAX = 20;

/** A stream is not used again after so long: the server closes it two seconds later. */
const STREAM_IDLE_MS = 8000;

/** Characters of an HTTP fault's text that are logged. */
const FAULT_TEXT_MAX = 300;

export interface ServerAddress {
  /** `libsql:`, `https:` or `http:`, without secrets. */
  readonly url: string;
  readonly authToken: string;
  /** How long one answer may take. */
  readonly answerMs?: number;
}

/** An answer of HTTP alone: something else than a libSQL server, or one that does not let us in. */
export class HttpFault extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`HTTP ${status}: ${text.slice(0, FAULT_TEXT_MAX)}`);
    this.status = status;
  }
}

/**
 * A client for a libSQL server that keeps its streams open from one request to the next. The library's
 * own client opens one for each statement, and each costs the server a new connection, which takes twice
 * as long as a small statement. Values are bound and errors thrown as the client for files does, except
 * that an answer of HTTP alone is an `HttpFault`.
 */
export function openServerClient(
  { url, authToken, answerMs = ANSWER_MS }: ServerAddress,
  monotonicMs: () => number,
): SqlClient {
  const { hranaHttpUrl = '' } = parseLibsqlUrl(url);
  // Without its last slash the end of a path would be cut off.
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
      // One that fails midway leaves its transaction open: nobody uses the stream again.
      const stream = client.openStream();
      const done = stream.sequence(sql);
      stream.closeGracefully();
      await done;
    },
    close: () => client.close(),
  };
}

/** Streams that nobody uses at the moment, the latest used first. */
class StreamPool {
  readonly #open: () => HttpStream;
  readonly #monotonicMs: () => number;
  readonly #idle: { readonly stream: HttpStream; readonly sinceMs: number }[] = [];
  readonly #line = new Line(REQUESTS_MAX);

  constructor(open: () => HttpStream, monotonicMs: () => number) {
    this.#open = open;
    this.#monotonicMs = monotonicMs;
  }

  /** Runs one request. A stream that the server no longer knows has run nothing: a new one takes its place. */
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

  /** A stream that failed is closed by itself; one whose statement failed stays good. */
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
    // All others have waited longer.
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
  // Where nothing was begun there is nothing to roll back, which the server calls an error.
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

/** Whole numbers as such: the protocol makes floating ones of all others, which show in texts. */
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
