import { createHash } from 'node:crypto';
import { type Client, createClient } from '@libsql/client';
import { AppError } from '../../domain/errors.ts';
import { fileUrl } from './file-url.ts';
import { readTextsAsBytes } from './texts.ts';

/** Rows read from a table at a time. */
const ROWS_AT_ONCE = 2000;

/**
 * The content of a database, independent of its page layout: a copy made by `VACUUM INTO` has the
 * same.
 */
export interface Content {
  readonly schema: number;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** SHA-256 of the schema and of every row, in order. */
  readonly digest: string;
}

/**
 * Runs `task` on a database that no other process or connection has open. For copies only: a closed
 * client keeps its file open until it is garbage-collected.
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
  } finally {
    client.close();
  }
}

/** Throws `damaged` unless every page and index is intact. */
export async function checkIntegrity(client: Client, path: string): Promise<void> {
  const { rows } = await client.execute('PRAGMA integrity_check(5)').catch((cause: unknown) => {
    throw new AppError('damaged', `${path} cannot be read.`, { cause });
  });
  const faults = rows.map((row) => String(row[0]));
  if (faults.join() !== 'ok')
    throw new AppError('damaged', `${path} is damaged: ${faults.join('; ')}.`);
}

export async function readContent(client: Client): Promise<Content> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const schema = await client.execute(
    'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
  );
  for (const row of schema.rows)
    hash.update(`${JSON.stringify([row[0], row[1], row[2], row[3]])}\n`);
  const tables = await client.execute(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema' ORDER BY name",
  );
  for (const { name, wr } of tables.rows as unknown as { name: string; wr: bigint }[]) {
    hash.update(`${name}\n`);
    counts[name] = await readTable(client, { name, hasRowid: wr === 0n }, (text) => {
      hash.update(text);
    });
  }
  const { rows } = await client.execute('PRAGMA user_version');
  return { schema: Number(rows[0]![0]), counts, digest: hash.digest('hex') };
}

/**
 * Passes every row, in key order and quoted as in SQL, to the digest. Returns the number of rows.
 */
async function readTable(
  client: Client,
  table: { name: string; hasRowid: boolean },
  take: (text: string) => void,
): Promise<number> {
  const { rows: columns } = await client.execute({
    sql: 'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid',
    args: [table.name],
  });
  const names = columns.map((row) => quoted(String(row[0])));
  const keyed = columns.filter((row) => Number(row[1]) > 0);
  keyed.sort((a, b) => Number(a[1]) - Number(b[1]));
  const key = table.hasRowid ? ['rowid'] : keyed.map((row) => quoted(String(row[0])));
  const spelled = names.map((name) => `quote(${name})`).join(" || ',' || ");
  const marks = key.map(() => '?').join(', ');
  const from = `SELECT ${spelled}, ${key.join(', ')} FROM ${quoted(table.name)}`;
  const order = `ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`;
  let count = 0;
  let page = await client.execute(`${from} ${order}`);
  for (;;) {
    count += page.rows.length;
    take(page.rows.map((row) => `${String(row[0])}\n`).join(''));
    const last = page.rows.at(-1);
    if (page.rows.length < ROWS_AT_ONCE || last === undefined) return count;
    const args = key.map((_, index) => last[index + 1]!);
    page = await client.execute({
      sql: `${from} WHERE (${key.join(', ')}) > (${marks}) ${order}`,
      args,
    });
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
