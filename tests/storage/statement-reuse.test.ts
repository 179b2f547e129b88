import { expect, test } from 'bun:test';
import Driver from 'libsql';
import { openFresh } from './open.ts';

const name = (value: string) => ({ sql: 'SELECT name FROM meta WHERE value = ?', args: [value] });
const insert = (...args: [string, string]) => ({
  sql: 'INSERT INTO meta (name, value) VALUES (?, ?)',
  args,
});

test('a statement that runs a thousand times is prepared once', async () => {
  const db = await openFresh();
  const { prepare } = Driver.prototype;
  const prepared = new Set<object>();
  Driver.prototype.prepare = function (this: typeof Driver.prototype, sql: string) {
    const statement = prepare.call(this, sql);
    prepared.add(statement);
    return statement;
  } as typeof prepare;
  try {
    for (let count = 0; count < 1000; count++) await db.all(name('none'));
    await db.write([insert('one', '1')]);
    await db.write([insert('two', '2')]);
  } finally {
    Driver.prototype.prepare = prepare;
  }
  // The first run also asks for the columns; a write begins and commits.
  expect(prepared.size).toBe(5);
  expect(await db.all<{ name: string }>(name('2'))).toEqual([{ name: 'two' }]);
  await db.close();
});

test('a statement that failed, or whose table changed, gives the right rows when it runs again', async () => {
  const db = await openFresh();
  await db.write([insert('one', '1')]);
  const again = await db.write([insert('one', '1')]).catch((error: unknown) => error);
  expect(again).toBeInstanceOf(Error);
  await db.write([insert('two', '2')]);
  const all = { sql: 'SELECT * FROM notes', args: [] };
  const rows: unknown[] = [];
  for (const columns of ['a', 'a, b']) {
    await db.write([
      { sql: 'DROP TABLE IF EXISTS notes', args: [] },
      { sql: `CREATE TABLE notes (${columns})`, args: [] },
      { sql: `INSERT INTO notes (${columns}) VALUES (${columns.replace(/\w/g, '7')})`, args: [] },
    ]);
    rows.push(...(await db.write([all]))[0]!.rows.map((row) => ({ ...row })));
  }
  expect(rows).toEqual([{ a: 7 }, { a: 7, b: 7 }]);
  expect(await db.all<{ name: string }>(name('2'))).toEqual([{ name: 'two' }]);
  await db.close();
});
