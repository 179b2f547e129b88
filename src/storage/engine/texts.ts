import type { InStatement, ResultSet } from '@libsql/client';
import type { SqlClient } from './sql-client.ts';
import { reuseStatements } from './statement-reuse.ts';

/** Columns that hold bytes. Every other column holds text or numbers, and no text column has one of these names. */
export const BYTE_COLUMNS: ReadonlySet<string> = new Set(['hash', 'vector', 'content']);

/** Rewritten statements that are cached; a program has a few hundred. */
const STATEMENTS_MAX = 1000;

const READS = /^\s*(?:SELECT|WITH|VALUES)\b/i;

const REWRITTEN = 'WITH read_as_bytes ';

/** Texts that were not UTF-8, over all connections: a process has one database, apart from tests. */
let damagedCount = 0;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A client for files whose reads survive any byte. libsql 0.9.30 aborts the process when a column
 * of type TEXT is not valid UTF-8, so that one flipped bit would end the service for every
 * organization. Here texts leave SQLite as bytes and are decoded in JavaScript (`decodeTexts`); bytes
 * that are not UTF-8 become U+FFFD, and `onDamage` is called. Only what `execute` reads is covered: no
 * other statement may return a text that is stored.
 */
export function readTextsAsBytes<Client extends SqlClient>(
  client: Client,
  onDamage: () => void = () => undefined,
): Client {
  reuseStatements(decodeTexts);
  const execute = client.execute.bind(client) as (statement: InStatement) => Promise<ResultSet>;
  const reads = new Map<string, string>();
  const readOf = async (statement: InStatement) => {
    const { sql, args = [] } = typeof statement === 'string' ? { sql: statement } : statement;
    const known = reads.get(sql);
    if (known !== undefined) return known;
    const { columns } = await execute({ sql: `SELECT * FROM (\n${sql}\n) LIMIT 0`, args });
    if (reads.size >= STATEMENTS_MAX) reads.clear();
    const read = asBytes(sql, columns);
    reads.set(sql, read);
    return read;
  };
  client.execute = async (statement: InStatement, args?: unknown) => {
    const asked = args === undefined ? statement : ({ sql: statement, args } as InStatement);
    const text = typeof asked === 'string' ? asked : asked.sql;
    if (!READS.test(text)) return execute(asked);
    const sql = await readOf(asked);
    const before = damagedCount;
    const result = await execute(typeof asked === 'string' ? sql : { ...asked, sql });
    for (let count = before; count < damagedCount; count++) onDamage();
    return result;
  };
  return client;
}

/**
 * Rewrites a statement to return texts as BLOBs. Its ORDER BY still applies to the whole: SQLite
 * runs the inner statement as a coroutine.
 */
function asBytes(sql: string, columns: readonly string[]): string {
  const names = columns.map((_, at) => `c${at}`);
  const values = columns.map((column, at) => {
    const value = BYTE_COLUMNS.has(column)
      ? `c${at}`
      : `CASE typeof(c${at}) WHEN 'text' THEN CAST(c${at} AS BLOB) ELSE c${at} END`;
    return `${value} AS "${column.replaceAll('"', '""')}"`;
  });
  return `${REWRITTEN}(${names.join(', ')}) AS (\n${sql}\n) SELECT ${values.join(', ')} FROM read_as_bytes`;
}

/** A statement as the client runs it, which asks for each row as an array. */
interface RawStatement {
  columns(): readonly { readonly name: string }[];
  all(...args: unknown[]): unknown[];
}

/**
 * Makes a rewritten statement decode its texts. It does so below the client, whose rows cannot be
 * changed any more: to build them a second time took twice as long as all the rest. Other statements
 * stay as they are.
 */
function decodeTexts(statement: RawStatement, sql: string): void {
  if (!sql.startsWith(REWRITTEN)) return;
  const all = statement.all.bind(statement);
  const isText = statement.columns().map(({ name }) => !BYTE_COLUMNS.has(name));
  statement.all = (...args) => {
    const rows = all(...args) as unknown[][];
    for (const row of rows) {
      for (let at = 0; at < row.length; at++) {
        const value = row[at];
        if (isText[at] && value !== null && typeof value === 'object')
          row[at] = textOf(value as Uint8Array);
      }
    }
    return rows;
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    damagedCount += 1;
    return lenient.decode(bytes);
  }
}
