import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { type Database, openDatabase } from '../../src/storage/engine/database.ts';
import { freshPath, openFresh } from './open.ts';

const PAGE_BYTES = 4096;

/** Of the transactions that count in full. */
const PAGES = 64;

function stageSome(db: Database, name: string, pages = PAGES, changed = 0) {
  const sql = 'INSERT INTO meta (name, value) VALUES (?, ?)';
  return db.stage([{ sql, args: [name, 'x'.repeat(pages * PAGE_BYTES)] }], changed);
}

test('staged writes move their pages in small steps: the log stays below half of what one checkpoint of SQLite moves', async () => {
  const path = freshPath();
  await using db = await closing(openFresh(path));
  for (let count = 0; count < 40; count++) await stageSome(db, `name-${count}`);
  expect(statSync(`${path}-wal`).size).toBeLessThan(500 * PAGE_BYTES);
  expect(statSync(path).size).toBeGreaterThan(40 * PAGES * PAGE_BYTES);
});

test('small staged writes move their pages less often, unless they change many', async () => {
  const path = freshPath();
  await using db = await closing(openFresh(path));
  const { mtimeMs } = statSync(path);
  for (let count = 0; count < 15; count++) await stageSome(db, `name-${count}`, PAGES / 4);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  await stageSome(db, 'name-15', PAGES / 4);
  expect(statSync(path).size).toBeGreaterThan(4 * PAGES * PAGE_BYTES);
  const { size } = statSync(path);
  for (let count = 16; count < 20; count++) await stageSome(db, `name-${count}`, PAGES / 4, 125);
  expect(statSync(path).size).toBeGreaterThan(size);
});

test('where nobody waits for the event loop, staged writes move their pages in larger steps, whose log stays bounded', async () => {
  const path = freshPath();
  await (await openFresh(path)).close();
  await using db = await closing(openDatabase(path, { create: false, isAlone: true }));
  const { size } = statSync(path);
  for (let count = 0; count < 7; count++) await stageSome(db, `name-${count}`);
  expect(statSync(path).size).toBe(size);
  await stageSome(db, 'name-7');
  expect(statSync(path).size).toBeGreaterThan(8 * PAGES * PAGE_BYTES);
  for (let count = 8; count < 40; count++) await stageSome(db, `name-${count}`);
  expect(statSync(`${path}-wal`).size).toBeLessThan(600 * PAGE_BYTES);
});

test('staged writes move nothing while checkpoints are held, and go on afterwards', async () => {
  const path = freshPath();
  await using db = await closing(openFresh(path));
  await db.withoutCheckpoints(async () => {
    const { size, mtimeMs } = statSync(path);
    for (let count = 0; count < 30; count++) await stageSome(db, `name-${count}`);
    expect(statSync(path)).toMatchObject({ size, mtimeMs });
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(30 * PAGES * PAGE_BYTES);
  });
  for (let count = 0; count < 4; count++) await stageSome(db, `late-${count}`);
  expect(statSync(path).size).toBeGreaterThan(30 * PAGES * PAGE_BYTES);
});

async function closing(opening: Promise<Database>) {
  const db = await opening;
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() });
}
