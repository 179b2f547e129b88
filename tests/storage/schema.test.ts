import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import * as schema from '../../src/storage/engine/schema.ts';
import { openFresh } from './open.ts';

const TABLES = (Object.values(schema) as SQLiteTable[]).map(
  (table) => [getTableName(table), table] as const,
);

test.each(TABLES)('schema.ts and the migrations agree on %s', async (name, table) => {
  const db = await openFresh();
  const rows = await db.all<{ name: string; type: string; notnull: number; pk: number }>({
    sql: 'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    args: [name],
  });
  const inDatabase = rows.map((row) => ({
    name: row.name,
    type: row.type.toLowerCase(),
    notNull: row.notnull === 1 || row.pk > 0,
  }));
  const declared = Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    // Both columns of a compound key; a single primary key is never null anyway.
    notNull: column.notNull || column.primary,
  }));
  const byName = (left: { name: string }, right: { name: string }) =>
    left.name < right.name ? -1 : 1;
  expect(declared.sort(byName)).toEqual(inDatabase.sort(byName));
  await db.close();
});

test('the number of a migration’s id is what user_version says after it', () => {
  expect(MIGRATIONS.map(({ id }) => Number(id.slice(0, 4)))).toEqual(
    MIGRATIONS.map((_, index) => index + 1),
  );
});

test('an upgrade keeps a storefront that was chosen, and leaves one that was not to the next import', () => {
  const database = new Database(':memory:');
  const at = MIGRATIONS.findIndex(({ id }) => id.endsWith('-storefronts'));
  for (const { sql } of MIGRATIONS.slice(0, at)) database.exec(sql);
  const shop = (key: number, storefront: string) =>
    database.exec(
      `INSERT INTO organizations (key, id, slug, name, created_at) VALUES (${key}, ${key}, ${key}, '', 0);
       INSERT INTO shops (key, id, organization_key, handle, name, currency, locale, storefront)
       VALUES (${key}, ${key}, ${key}, 'shop-1', '', 'EUR', 'en', '${storefront}')`,
    );
  for (const [index, storefront] of ['shopify', 'woo', 'other'].entries())
    shop(index + 1, storefront);
  database.exec(MIGRATIONS[at]!.sql);
  const shops = database.query('SELECT storefront FROM shops ORDER BY key').values();
  expect(shops).toEqual([['shopify'], ['woo'], [null]]);
  database.close();
});

test('an upgrade lets the model answer that has made most vectors of an organization', () => {
  const database = new Database(':memory:');
  const at = MIGRATIONS.findIndex(({ id }) => id.endsWith('-former-vectors'));
  for (const { sql } of MIGRATIONS.slice(0, at)) database.exec(sql);
  database.exec(`
    INSERT INTO embedding_models (key, tag, dimensions) VALUES (1, 'one', 1), (2, 'two', 1);
    INSERT INTO organizations (key, id, slug, name, created_at)
      VALUES (1, '1', '1', '', 0), (2, '2', '2', '', 0), (3, '3', '3', '', 0);
    INSERT INTO shops (key, id, organization_key, handle, name, currency, locale)
      VALUES (1, '1', 1, 'shop-1', '', 'EUR', 'en');
    INSERT INTO items (key, organization_key, shop_key, id, external_id, type, format, content_hash, body, first_generation, updated_at)
      VALUES (1, 1, 1, '1', '1', 'product', '', '', '', 1, 0);`);
  const insert = database.query(
    `INSERT INTO documents (item_key, organization_key, shop_key, type, first_generation, text_hash, model_key, vector)
     VALUES (1, ?, 1, 'product', 1, '', ?, ?)`,
  );
  for (const [organization, model] of [
    ...[1, 1, 1].map((of) => [of, 1]),
    [1, 2],
    [2, 2],
    [3, null],
  ])
    insert.run(organization!, model!, model === null ? null : new Uint8Array(1));
  database.exec(MIGRATIONS[at]!.sql);
  const models = database.query('SELECT vector_model_key FROM organizations ORDER BY key').values();
  expect(models).toEqual([[1], [2], [null]]);
  database.close();
});

test('an upgrade finds every version by its id, and forgets the id with the version', () => {
  const database = new Database(':memory:');
  const at = MIGRATIONS.findIndex(({ id }) => id.endsWith('-item-ids'));
  for (const { sql } of MIGRATIONS.slice(0, at)) database.exec(sql);
  database.exec(`
    INSERT INTO organizations (key, id, slug, name, created_at) VALUES (1, '1', '1', '', 0);
    INSERT INTO shops (key, id, organization_key, handle, name, currency, locale)
      VALUES (1, '1', 1, 'shop-1', '', 'EUR', 'en'), (2, '2', 1, 'shop-2', '', 'EUR', 'en');`);
  const insert = database.query(
    `INSERT INTO items (key, organization_key, shop_key, id, external_id, type, format, content_hash, body, first_generation, updated_at)
     VALUES (?, 1, ?, ?, '', 'product', '', '', '{}', ?, 0)`,
  );
  insert.run(1, 1, 'b', 1);
  insert.run(2, 2, 'a', 1);
  insert.run(3, 1, 'a', 1);
  insert.run(4, 1, 'b', 2);
  database.exec(MIGRATIONS[at]!.sql);
  const ids = () =>
    database.query('SELECT shop_key, id, first_generation, item_key FROM item_ids').values();
  const [kept, ...others] = [
    [1, 'a', 1, 3],
    [1, 'b', 1, 1],
    [1, 'b', 2, 4],
    [2, 'a', 1, 2],
  ];
  expect(ids()).toEqual([kept!, ...others]);
  database.exec('DELETE FROM items WHERE key <> 3');
  expect(ids()).toEqual([kept!]);
  database.close();
});
