import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { backUpDatabase } from '../../src/operations/upkeep/back-up-database.ts';
import { findApiKeys, insertApiKey } from '../../src/storage/api-keys.ts';
import { openDatabase } from '../../src/storage/engine/database.ts';
import { copyDatabaseFiles } from '../../src/storage/engine/files.ts';
import { BYTE_COLUMNS } from '../../src/storage/engine/texts.ts';
import { freshPath, openFresh, openWithShops, publish, stage } from './open.ts';

/** Replaces the text stored at `text` with invalid UTF-8. */
function flip(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at]! ^= 0x80;
  writeFileSync(path, bytes);
}

/** A database with one row, whose text was then damaged. */
async function withFlipped(value: string): Promise<string> {
  const path = freshPath();
  const db = await openFresh(path);
  await db.write([{ sql: 'INSERT INTO meta (name, value) VALUES (?, ?)', args: ['kept', value] }]);
  await db.close();
  flip(path, value);
  return path;
}

test('a stored text that is no longer UTF-8 is read with a replacement character, and counted', async () => {
  const db = await openDatabase(await withFlipped('some value'), { create: false });
  const [row] = await db.all<{ value: string }>({
    sql: "SELECT value FROM meta WHERE name = 'kept'",
    args: [],
  });
  expect(row!.value).toBe('\u{fffd}ome value');
  expect(db.activity.damagedTexts).toBe(1);
  await db.close();
});

test('a database with such a text is backed up, and the backup has the same bytes', async () => {
  const path = await withFlipped('some value');
  const target = freshPath();
  await backUpDatabase({
    ...{ target, nowMs: 0, force: false },
    copyDatabase: (copy) => copyDatabaseFiles(path, copy),
  });
  const bytes = Buffer.from('some value');
  bytes[0]! ^= 0x80;
  expect(readFileSync(target).includes(bytes)).toBe(true);
});

test.each<[string, string, unknown[]]>([
  ['texts of every kind', "SELECT '' AS a, 'ä€😀' AS b, 'null' AS c", ['', 'ä€😀', 'null']],
  ['a byte order mark', 'SELECT char(65279) AS a', ['\u{feff}']],
  ['a replacement character that was stored', 'SELECT char(65533) AS a', ['\u{fffd}']],
  ['numbers and nothing', 'SELECT 1 AS a, 1.5 AS b, NULL AS c', [1, 1.5, null]],
  ['columns of one name', "SELECT 'a' AS x, 'b' AS x", ['a', 'b']],
  ['a name with a quote', `SELECT 'a' AS "a""b"`, ['a']],
  ['a comment at the end', "SELECT 'a' AS x -- here", ['a']],
  ['a common table expression', "WITH t(x) AS (SELECT 'a') SELECT x FROM t", ['a']],
])('what is whole is read as it is: %s', async (_, sql, values) => {
  const db = await openFresh();
  const [row] = await db.all<ArrayLike<unknown>>({ sql, args: [] });
  expect(Array.from(row!)).toEqual(values);
  expect(db.activity.damagedTexts).toBe(0);
  await db.close();
});

test('rows keep the order of their statement', async () => {
  const db = await openWithShops();
  const keys = Array.from({ length: 50 }, (_, index) => index + 1);
  for (const key of keys) await stage(db, { key, shopKey: 10, generation: 1, name: `n${key}` });
  await publish(db, 10, 1);
  const sql =
    "SELECT id, body ->> 'name' AS name FROM items WHERE shop_key = ? ORDER BY key * 17 % 50 LIMIT 40";
  const rows = await db.all<{ name: string }>({ sql, args: [10] });
  const expected = keys.toSorted((a, b) => ((a * 17) % 50) - ((b * 17) % 50)).slice(0, 40);
  expect(rows.map(({ name }) => name)).toEqual(expected.map((key) => `n${key}`));
  await db.close();
});

test('bytes stay bytes', async () => {
  const db = await openWithShops();
  const hash = new Uint8Array(32).fill(0xff);
  const scopes = ['search'] as const;
  const times = { createdAt: 0, expiresAt: null, revokedAt: null, rotatedAt: null };
  const key = { id: 'k', organizationKey: 1, name: 'n', hash, scopes, ...times, lastUsedAt: null };
  await db.write([insertApiKey(db, key as unknown as Parameters<typeof insertApiKey>[1])]);
  expect((await findApiKeys(db))[0]!.hash).toEqual(hash);
  await db.close();
});

test('exactly the columns of type BLOB are read as bytes', async () => {
  const db = await openFresh();
  const rows = await db.all<{ name: string; type: string }>({
    sql: `SELECT DISTINCT c.name AS name, c.type AS type
          FROM pragma_table_list t JOIN pragma_table_info(t.name) c
          WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, 2`,
    args: [],
  });
  for (const { name, type } of rows)
    expect([name, type, BYTE_COLUMNS.has(name)]).toEqual([name, type, type === 'BLOB']);
  await db.close();
});
