import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import {
  type Client,
  createClient,
  type InValue,
  type ResultSet,
  type Transaction,
} from '@libsql/client';

/*
 * A stand-in for a libSQL server: Hrana 2 over HTTP as JSON, as far as the client speaks it, on a real
 * libSQL file. It refuses the statements that sqld refuses, and can go away and come back.
 */

export interface LibsqlServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Pipelines that it has run. */
  readonly requests: number;
  /** Runs before each pipeline, in line with them: to see or hold what happens in between. */
  beforePipeline: (() => Promise<void> | void) | null;
  /** Breaks every connection and takes no more. */
  leave(): Promise<void>;
  /** On the same port. */
  comeBack(): Promise<void>;
  /** Straight to its file. */
  execute(sql: string): Promise<ResultSet>;
  close(): Promise<void>;
}

export interface LibsqlServerOptions {
  readonly path: string;
  readonly port?: number;
  /** Of requests; without it none is asked for. */
  readonly authToken?: string;
}

export async function startLibsqlServer(options: LibsqlServerOptions): Promise<LibsqlServer> {
  const { path, authToken, port = 0 } = options;
  const client = createClient({
    url: pathToFileURL(path).href,
    concurrency: 1,
    intMode: 'bigint',
  });
  await client.execute('PRAGMA journal_mode = WAL');
  const state = { requests: 0, port };
  let lastPipeline: Promise<unknown> = Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (authToken !== undefined && request.headers.authorization !== `Bearer ${authToken}`)
      return send(response, 401, { message: 'Unauthorized', code: 'AUTH_JWT_INVALID' });
    if (request.method !== 'POST' || request.url !== '/v2/pipeline')
      return send(response, request.url === '/v2' ? 200 : 404, {});
    const body = JSON.parse(await textOf(request)) as { requests: StreamRequest[] };
    // One connection, so one stream after the other.
    const done = lastPipeline.then(async () => {
      await server.beforePipeline?.();
      state.requests += 1;
      return runPipeline(client, body.requests);
    });
    lastPipeline = done.catch(() => undefined);
    return send(response, 200, { baton: null, base_url: null, results: await done });
  };
  const sockets = new Set<Socket>();
  const listener = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, 500, { message: String(error), code: 'INTERNAL' }),
    );
  });
  listener.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(state.port, '127.0.0.1', () => {
        state.port = (listener.address() as AddressInfo).port;
        resolve();
      });
    });
  const leave = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen();
  const server: LibsqlServer = {
    url: `http://127.0.0.1:${state.port}`,
    get requests() {
      return state.requests;
    },
    beforePipeline: null,
    leave,
    comeBack: listen,
    execute: (sql) => client.execute(sql),
    async close() {
      await leave();
      await lastPipeline;
      client.close();
    },
  };
  return server;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

type Value =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string };

interface SqlText {
  readonly sql?: string;
  readonly sql_id?: number;
}

interface Stmt extends SqlText {
  readonly args?: readonly Value[];
}

type Condition = { type: 'ok' | 'error'; step: number } | { type: 'not'; cond: Condition };

interface Step {
  readonly condition?: Condition;
  readonly stmt: Stmt;
}

type StreamRequest =
  | { type: 'close' | 'get_autocommit' }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }
  | ({ type: 'sequence' } & SqlText)
  | { type: 'execute'; stmt: Stmt }
  | { type: 'batch'; batch: { steps: readonly Step[] } };

/** One stream's requests: its SQL texts and the transaction that it has open. */
class Stream {
  readonly #client: Client;
  readonly #texts = new Map<number, string>();
  #transaction: Transaction | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  async run(request: StreamRequest): Promise<object> {
    if (request.type === 'store_sql') this.#texts.set(request.sql_id, request.sql);
    if (request.type === 'close_sql') this.#texts.delete(request.sql_id);
    if (request.type === 'sequence') await this.#client.executeMultiple(this.#textOf(request));
    if (request.type === 'execute') return { result: await this.#execute(request.stmt) };
    return request.type === 'batch' ? { result: await this.#runSteps(request.batch.steps) } : {};
  }

  /** A transaction that is still open is rolled back. */
  close(): void {
    this.#transaction?.close();
  }

  #textOf({ sql, sql_id: id }: SqlText): string {
    return refuse(sql ?? this.#texts.get(id!)!);
  }

  async #execute(stmt: Stmt): Promise<object> {
    const sql = this.#textOf(stmt);
    const [verb] = sql.trim().toUpperCase().split(/\W/);
    if (verb === 'BEGIN') {
      this.#transaction = await this.#client.transaction(
        /IMMEDIATE/i.test(sql) ? 'write' : 'deferred',
      );
    } else if (verb === 'COMMIT' || verb === 'ROLLBACK') {
      if (this.#transaction === null) throw new Error(`cannot ${verb}: no transaction is active`);
      await (verb === 'COMMIT' ? this.#transaction.commit() : this.#transaction.rollback());
      this.#transaction = null;
    } else {
      const args = (stmt.args ?? []).map(fromWire);
      return resultOf(await (this.#transaction ?? this.#client).execute({ sql, args }));
    }
    return { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null };
  }

  async #runSteps(steps: readonly Step[]): Promise<object> {
    const results = steps.map((): object | null => null);
    const errors = steps.map((): object | null => null);
    const holds = (condition: Condition): boolean => {
      if (condition.type === 'ok') return results[condition.step] !== null;
      if (condition.type === 'error') return errors[condition.step] !== null;
      return condition.type === 'not' && !holds(condition.cond);
    };
    for (const [at, { condition, stmt }] of steps.entries()) {
      if (condition !== undefined && !holds(condition)) continue;
      try {
        results[at] = await this.#execute(stmt);
      } catch (error) {
        errors[at] = errorOf(error);
      }
    }
    return { step_results: results, step_errors: errors };
  }
}

async function runPipeline(client: Client, requests: readonly StreamRequest[]): Promise<object[]> {
  const results: object[] = [];
  const stream = new Stream(client);
  for (const request of requests) {
    try {
      const response = await stream.run(request);
      results.push({ type: 'ok', response: { type: request.type, ...response } });
    } catch (error) {
      results.push({ type: 'error', error: errorOf(error) });
    }
  }
  stream.close();
  return results;
}

/** As libsql-server's query analysis has it: some PRAGMAs, some of them only to be read. */
const PRAGMAS =
  /^(?:table_list|index_list|table_info|table_xinfo|index_xinfo|encoding|defer_foreign_keys|foreign_keys|foreign_key_list|foreign_key_check|data_version|freelist_count|integrity_check|page_count|quick_check|user_version)$/i;
const READ_PRAGMAS =
  /^(?:application_id|auto_vacuum|busy_timeout|cache_size|journal_mode|locking_mode|page_size|recursive_triggers|schema_version|synchronous|wal_autocheckpoint)$/i;

function refuse(sql: string): string {
  for (const [statement, name, argument] of sql.matchAll(/\bPRAGMA\s+(\w+)\s*([=(])?/gi)) {
    if (PRAGMAS.test(name!) || (READ_PRAGMAS.test(name!) && argument === undefined)) continue;
    throw Object.assign(new Error(`unsupported statement: ${statement}`), {
      code: 'SQL_PARSE_ERROR',
    });
  }
  if (/^\s*(?:ATTACH|DETACH|VACUUM|REINDEX|ANALYZE|CREATE\s+TEMP)/i.test(sql))
    throw Object.assign(new Error(`unsupported statement: ${sql}`), { code: 'SQL_PARSE_ERROR' });
  return sql;
}

function errorOf(error: unknown): { message: string; code: string } {
  const { message, code, extendedCode } = error as Error & { code?: string; extendedCode?: string };
  return { message, code: extendedCode ?? code ?? 'SQLITE_UNKNOWN' };
}

function resultOf({ columns, rows, rowsAffected, lastInsertRowid }: ResultSet): object {
  return {
    cols: columns.map((name) => ({ name, decltype: null })),
    rows: rows.map((row) => columns.map((_, at) => toWire(row[at]))),
    affected_row_count: rowsAffected,
    last_insert_rowid: lastInsertRowid?.toString() ?? null,
  };
}

function toWire(value: unknown): Value {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'blob', base64: Buffer.from(value as ArrayBuffer).toString('base64') };
}

function fromWire(value: Value): InValue {
  if (value.type === 'null') return null;
  if (value.type === 'integer') return BigInt(value.value);
  if (value.type === 'blob') return Buffer.from(value.base64, 'base64');
  return value.value;
}
