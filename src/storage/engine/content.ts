import { type Client, createClient } from '@libsql/client';
import { AppError } from '../../domain/errors.ts';
import { fileUrl } from './file-url.ts';
import { readTextsAsBytes } from './texts.ts';

/** What a database holds. */
export interface Content {
  readonly schema: number;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

/** SQLite's names of errors that a damaged file causes. */
const UNREADABLE = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** The name under which the database to compare with is attached. */
const OTHER = 'other';

/**
 * Runs `task` on a database that no other process or connection has open. For copies only: a closed
 * client keeps its file open until it is garbage-collected. Throws `damaged` if a page cannot be read.
 */
export async function withCopy<Result>(
  path: string,
  task: (client: Client) => Promise<Result>,
): Promise<Result> {
  // The full-text indexes of an older schema store numbers beyond 2^53 for deleted rows.
  const options = { url: fileUrl(path), concurrency: 1, intMode: 'bigint' } as const;
  const client = readTextsAsBytes(createClient(options));
  try {
    return await task(client);
  } catch (cause) {
    if (!UNREADABLE.test(String((cause as { code?: unknown }).code))) throw cause;
    throw new AppError('damaged', `${path} cannot be read.`, { cause });
  } finally {
    client.close();
  }
}

/** Throws `damaged` unless every page and index is intact. */
export async function checkIntegrity(client: Client, path: string): Promise<void> {
  const { rows } = await client.execute('PRAGMA integrity_check(5)');
  const faults = rows.map((row) => String(row[0]));
  if (faults.join() !== 'ok')
    throw new AppError('damaged', `${path} is damaged: ${faults.join('; ')}.`);
}

export async function readContent(client: Client): Promise<Content> {
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf(client))
    counts[name] = await readNumber(client, `SELECT count(*) FROM ${quoted(name)}`);
  return { schema: await readNumber(client, 'PRAGMA user_version'), counts };
}

/**
 * Throws `damaged` unless the database at `path` has the same schema and the same rows. SQLite compares
 * each value with its counterpart in one pass over both: numbers by value, texts and blobs byte by byte.
 */
export async function assertHoldsSame(client: Client, path: string): Promise<void> {
  await client.execute({ sql: `ATTACH ? AS ${OTHER}`, args: [path] });
  try {
    const differing = await findDifference(client);
    if (differing !== null)
      throw new AppError('damaged', `${path} does not hold what it should: ${differing} differs.`);
  } finally {
    await client.execute(`DETACH ${OTHER}`);
  }
}

/** What differs; null if nothing does. */
async function findDifference(client: Client): Promise<string | null> {
  const columns = ['type', 'name', 'tbl_name', 'sql'];
  const schema = { name: 'sqlite_schema', key: ['type', 'name'], columns };
  const version = (database: string) => readNumber(client, `PRAGMA ${database}.user_version`);
  if ((await version('main')) !== (await version(OTHER))) return 'user_version';
  for (const table of [schema, ...(await tablesOf(client))])
    if (!(await isEqual(client, table))) return table.name;
  return null;
}

interface Table {
  readonly name: string;
  /** Names rows uniquely, in the order in which they are stored, if it is not `sqlite_schema`. */
  readonly key: readonly string[];
  /** All of them. */
  readonly columns: readonly string[];
}

/** By name. Virtual tables are left out: those that store their rows are among them. */
async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.execute(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema' ORDER BY name",
  );
  const tables: Table[] = [];
  for (const row of rows) {
    const name = String(row['name']);
    const hasRowid = Number(row['wr']) === 0;
    const { rows: found } = await client.execute({
      sql: 'SELECT name, pk FROM pragma_table_info(?) ORDER BY pk, cid',
      args: [name],
    });
    const [columns, keyed] = [found, found.filter(({ pk }) => Number(pk) > 0)].map((some) =>
      some.map((column) => String(column['name'])),
    );
    tables.push({ name, key: hasRowid ? ['rowid'] : keyed!, columns: columns! });
  }
  return tables;
}

/**
 * Whether both databases have the same rows: as many, and none that the other lacks. The key comes first, so that
 * SQLite merges rows that are in order already. Its collation may find different texts equal, so its bytes
 * are compared as well.
 */
async function isEqual(client: Client, { name, key, columns }: Table): Promise<boolean> {
  const bytes = columns.map((column) => `${quoted(column)} COLLATE BINARY`);
  const values = [...key.map(quoted), ...bytes];
  const rowsOf = (database: string) =>
    `SELECT ${values.join(', ')} FROM ${database}.${quoted(name)}`;
  const order = values.map((_, at) => at + 1).join(', ');
  const countIn = (database: string) => `(SELECT count(*) FROM ${database}.${quoted(name)})`;
  const missing = `(SELECT count(*) FROM (${rowsOf('main')} EXCEPT ${rowsOf(OTHER)} ORDER BY ${order}))`;
  const sql = `SELECT abs(${countIn('main')} - ${countIn(OTHER)}) + ${missing}`;
  return (await readNumber(client, sql)) === 0;
}

async function readNumber(client: Client, sql: string): Promise<number> {
  const { rows } = await client.execute(sql);
  return Number(rows[0]![0]);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
