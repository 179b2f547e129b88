import type { Client, InValue, ResultSet, Transaction } from '@libsql/client';

/*
 * Handles the requests of one stream as sqld 0.24.33 does: which statements it refuses, how it counts
 * arguments, and which answers are too large.
 */

export type Value =
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

export type StreamRequest =
  | { type: 'close' | 'get_autocommit' }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }
  | ({ type: 'sequence' } & SqlText)
  | { type: 'execute'; stmt: Stmt }
  | { type: 'batch'; batch: { steps: readonly Step[] } };

export interface StreamOptions {
  readonly client: Client;
  /** Largest answer in bytes. */
  readonly answerBytesMax: number;
  /** What `PRAGMA synchronous` answers: 2 with a durability mode of `strong`, 1 with any other. */
  readonly synchronous: 1 | 2;
}

/** One stream: its SQL texts, its transaction, and whether its client has closed it. */
export class HranaStream {
  readonly #options: StreamOptions;
  readonly #texts = new Map<number, string>();
  #transaction: Transaction | null = null;
  isClosed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Runs the requests in order. Rolls back a transaction that is still open afterwards; on a real server it times out. */
  async runPipeline(requests: readonly StreamRequest[]): Promise<object[]> {
    const results: object[] = [];
    for (const request of requests) {
      try {
        const response = await this.#run(request);
        results.push({ type: 'ok', response: { type: request.type, ...response } });
      } catch (error) {
        results.push({ type: 'error', error: errorOf(error) });
      }
    }
    this.#transaction?.close();
    this.#transaction = null;
    return results;
  }

  async #run(request: StreamRequest): Promise<object> {
    const { client, answerBytesMax } = this.#options;
    if (request.type === 'close') this.isClosed = true;
    if (request.type === 'store_sql') this.#texts.set(request.sql_id, request.sql);
    if (request.type === 'close_sql') this.#texts.delete(request.sql_id);
    if (request.type === 'sequence') await client.executeMultiple(this.#textOf(request));
    const budget = { bytes: answerBytesMax };
    if (request.type === 'execute') return { result: await this.#execute(request.stmt, budget) };
    return request.type === 'batch'
      ? { result: await this.#runSteps(request.batch.steps, budget) }
      : {};
  }

  #textOf({ sql, sql_id: id }: SqlText): string {
    return refuse(sql ?? this.#texts.get(id!)!);
  }

  async #execute(stmt: Stmt, budget: { bytes: number }): Promise<object> {
    const { client, synchronous } = this.#options;
    const sql = this.#textOf(stmt);
    const args = (stmt.args ?? []).map(fromWire);
    const expected = countParameters(sql);
    if (args.length !== expected) {
      throw refusal(
        'ARGS_INVALID',
        `Arguments do not match SQL parameters: expected ${expected}, found ${args.length}`,
      );
    }
    const [verb] = sql.trim().toUpperCase().split(/\W/);
    if (verb === 'BEGIN') {
      this.#transaction = await client.transaction(/IMMEDIATE/i.test(sql) ? 'write' : 'deferred');
    } else if (verb === 'COMMIT' || verb === 'ROLLBACK') {
      if (this.#transaction === null) throw new Error(`cannot ${verb}: no transaction is active`);
      await (verb === 'COMMIT' ? this.#transaction.commit() : this.#transaction.rollback());
      this.#transaction = null;
    } else {
      const found = await (this.#transaction ?? client).execute({ sql, args });
      const isSynchronous = /^\s*PRAGMA\s+synchronous\s*$/i.test(sql);
      const result = resultOf(found, isSynchronous ? BigInt(synchronous) : null);
      budget.bytes -= Buffer.byteLength(JSON.stringify(result.rows));
      if (budget.bytes < 0) throw refusal('RESPONSE_TOO_LARGE', 'Response is too large');
      return result;
    }
    return { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null };
  }

  async #runSteps(steps: readonly Step[], budget: { bytes: number }): Promise<object> {
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
        results[at] = await this.#execute(stmt, budget);
      } catch (error) {
        errors[at] = errorOf(error);
      }
    }
    return { step_results: results, step_errors: errors };
  }
}

/** Follows sqld's query analysis: it allows some PRAGMAs, and some of those only for reading. */
const PRAGMAS =
  /^(?:table_list|index_list|table_info|table_xinfo|index_xinfo|encoding|defer_foreign_keys|foreign_keys|foreign_key_list|foreign_key_check|data_version|freelist_count|integrity_check|page_count|quick_check|user_version)$/i;
const READ_PRAGMAS =
  /^(?:application_id|auto_vacuum|busy_timeout|cache_size|journal_mode|locking_mode|page_size|recursive_triggers|schema_version|synchronous|wal_autocheckpoint)$/i;

function refuse(sql: string): string {
  for (const [statement, name, argument] of sql.matchAll(/\bPRAGMA\s+(\w+)\s*([=(])?/gi)) {
    if (PRAGMAS.test(name!) || (READ_PRAGMAS.test(name!) && argument === undefined)) continue;
    throw refusal('SQL_PARSE_ERROR', `unsupported statement: ${statement}`);
  }
  if (/^\s*(?:ATTACH|DETACH|VACUUM|REINDEX|ANALYZE|CREATE\s+TEMP)/i.test(sql))
    throw refusal('SQL_PARSE_ERROR', `unsupported statement: ${sql}`);
  return sql;
}

/** The number of parameters of a statement: the largest of their numbers, as SQLite counts. */
function countParameters(sql: string): number {
  const code = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  let count = 0;
  for (const [, number] of code.matchAll(/\?(\d*)/g))
    count = Math.max(count, number === '' ? count + 1 : Number(number));
  return count;
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function errorOf(error: unknown): { message: string; code: string } {
  const { message, code } = error as Error & { code?: string };
  return { message, code: code ?? 'SQLITE_UNKNOWN' };
}

function resultOf(
  { columns, rows, rowsAffected, lastInsertRowid }: ResultSet,
  /** Replaces the only value; null keeps it. */
  value: bigint | null,
) {
  return {
    cols: columns.map((name) => ({ name, decltype: null })),
    rows: rows.map((row) => columns.map((_, at) => toWire(value ?? row[at]))),
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
