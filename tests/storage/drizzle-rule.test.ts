import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { getTableName } from 'drizzle-orm';
import * as schema from '../../src/storage/engine/schema.ts';

/* The rule for builders and templates of SQL in src/storage/README.md, as far as text can tell. */

const ROOM = new URL('../../src/storage/', import.meta.url).pathname;
const sources = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('engine/'))
  .map((path) => ({ path, text: readFileSync(ROOM + path, 'utf8') }));

test('what a builder finds goes through `find`, and what it writes through `write`', () => {
  const strays = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(\w+)\(?\s*db\.orm\b/g)]
      .filter(([, before]) => !['find', 'statement'].includes(before!))
      .map(([use]) => `${path}: ${use}`),
  );
  expect(strays).toEqual([]);
});

test('no table is declared that no builder queries', () => {
  const unused = Object.entries(schema)
    .filter(([name]) => {
      const queried = new RegExp(`\\.(?:from|insert|update|delete)\\(${name}\\)`);
      return !sources.some(({ text }) => queried.test(text));
    })
    .map(([, table]) => getTableName(table));
  expect(unused).toEqual([]);
});
