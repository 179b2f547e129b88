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
