import type { InStatement, ResultSet, Row } from '@libsql/client';
import type { SqlClient } from './sql-client.ts';

/** Columns that hold bytes. Every other column holds text or numbers, and no text column has one of these names. */
export const BYTE_COLUMNS: ReadonlySet<string> = new Set(['hash', 'vector', 'content']);

/** Rewritten statements that are cached; a program has a few hundred. */
const STATEMENTS_MAX = 1000;

const READS = /^\s*(?:SELECT|WITH|VALUES)\b/i;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A client for files whose reads survive any byte. libsql 0.9.30 aborts the process when a column
 * of type TEXT is not valid UTF-8, so that one flipped bit would end the service for every
 * organization. Here texts leave SQLite as bytes and are decoded in JavaScript; bytes that are not
 * UTF-8 become U+FFFD, and `onDamage` is called. Only what `execute` reads is covered: no other
 * statement may return a text that is stored.
 */
export function readTextsAsBytes<Client extends SqlClient>(
  client: Client,
  onDamage: () => void = () => undefined,
): Client {
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
    const result = await execute(typeof asked === 'string' ? sql : { ...asked, sql });
    return decode(result, onDamage);
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
  return `WITH read_as_bytes (${names.join(', ')}) AS (\n${sql}\n) SELECT ${values.join(', ')} FROM read_as_bytes`;
}

function decode(result: ResultSet, onDamage: () => void): ResultSet {
  const { columns, rows } = result;
  const texts = columns.map((column) => !BYTE_COLUMNS.has(column));
  for (const [place, row] of rows.entries()) {
    if (texts.some((isText, at) => isText && row[at] instanceof ArrayBuffer))
      rows[place] = decodeRow(row, { columns, texts, onDamage });
  }
  return result;
}

/** Builds a row as the client does: values by name, and by number as non-enumerable properties. */
function decodeRow(
  row: Row,
  how: { columns: readonly string[]; texts: readonly boolean[]; onDamage: () => void },
): Row {
  const decoded: Record<string, unknown> = {};
  const { columns, texts, onDamage } = how;
  for (const [at, column] of columns.entries()) {
    const stored: unknown = row[at];
    const value = texts[at] && stored instanceof ArrayBuffer ? textOf(stored, onDamage) : stored;
    Object.defineProperty(decoded, at, { value });
    if (!Object.hasOwn(decoded, column)) decoded[column] = value;
  }
  return Object.defineProperty(decoded, 'length', { value: columns.length }) as unknown as Row;
}

function textOf(bytes: ArrayBuffer, onDamage: () => void): string {
  try {
    return strict.decode(bytes);
  } catch {
    onDamage();
    return lenient.decode(bytes);
  }
}
