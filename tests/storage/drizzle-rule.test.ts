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

test('no template does on a declared table what a builder can', () => {
  const declared = new Set<string>(Object.values(schema).map((table) => getTableName(table)));
  const strays = sources.flatMap(({ path, text }) =>
    templatesIn(text)
      .filter((sql) => {
        const [table, ...others] = tablesOf(sql);
        return others.length === 0 && declared.has(table!) && comparesWithValues(sql);
      })
      .map((sql) => `${path}: ${sql}`),
  );
  expect(strays).toEqual([]);
});

function templatesIn(text: string): string[] {
  const texts = [...text.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([quoted]) => quoted.slice(1, -1));
  return texts.filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)\b/.test(sql));
}

/** What follows FROM, JOIN, INTO and UPDATE: a name, or the bracket of a subquery. */
function tablesOf(sql: string): string[] {
  const names = sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+(?!SET\b)(\w+|\()/g);
  return [...names].map(([, name]) => name!);
}

/** Without its lists of columns and values, it has no bracket, no operator and no part made elsewhere. */
function comparesWithValues(sql: string): boolean {
  const rest = sql.replace(/INTO \w+ \([^)]*\)/g, '').replace(/VALUES\s*\([?, ]*\)/g, '');
  return !/[(+*|]|\$\{| - /.test(rest);
}
