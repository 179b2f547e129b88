import { expect, test } from 'bun:test';
import { catalogItemId } from '../../src/domain/ids.ts';
import { runAtOnce } from '../../src/operations/indexes/slices.ts';
import { insertIds, StagedIds } from '../../src/storage/catalog/item-ids.ts';
import { deleteVersions, findVersions } from '../../src/storage/catalog/items.ts';
import { openWithShops, stage } from './open.ts';

const SHOP = '0190a000-0000-7000-8000-000000000001';

/** Not UUIDs: a stored id may be damaged. */
const DAMAGED = ['', 'g'.repeat(36), catalogItemId(SHOP, '1').toUpperCase(), '\u{100}'.repeat(36)];

test.each([
  ['few at once where each changes a page of its own', 1_000_000, 100],
  ['more at once where they share pages', 0, 1000],
])(
  'an id is taken once; those with keys come in ascending parts, each once, %s',
  (_, storedMax, size) => {
    const staged = new StagedIds(storedMax);
    const keys = new Map<string, number>();
    for (let key = 1; key <= 5000; key++) {
      runAtOnce(staged.makeRoom(1));
      const id = catalogItemId(SHOP, `${key}`);
      expect(staged.add(id)).toBe(true);
      // The others are as they were.
      if (key % 5 === 0) continue;
      staged.stage(id, key);
      keys.set(id, key);
    }
    for (const [at, id] of DAMAGED.entries()) {
      expect(staged.add(id)).toBe(true);
      staged.stage(id, 6000 + at);
      keys.set(id, 6000 + at);
    }
    for (const id of [...DAMAGED, ...keys.keys(), catalogItemId(SHOP, '5')])
      expect(staged.add(id)).toBe(false);
    let highest = '';
    for (const { ids, pages } of staged.inParts(runAtOnce(staged.inOrder()), 1)) {
      const sorted = ids.flatMap(([id]) => (DAMAGED.includes(id) ? [] : [id])).sort();
      expect(sorted[0]! > highest).toBe(true);
      highest = sorted.at(-1)!;
      expect(ids.length).toBeLessThan(size * 1.1);
      expect(pages).toBeLessThan(110);
      for (const [id, key] of ids) {
        expect(keys.get(id)).toBe(key);
        keys.delete(id);
      }
    }
    expect(keys.size).toBe(0);
  },
);

test('an id whose version was damaged finds nothing, also after its key is used again, and can be given anew', async () => {
  const db = await openWithShops();
  const staging = { shopKey: 10, generation: 1 };
  await stage(db, { ...staging, key: 1, name: 'a', id: 'a' });
  const find = async () => (await findVersions(db, 10, ['id-a'])).map(({ key }) => key);
  expect(await find()).toEqual([1]);
  await db.write([{ sql: "UPDATE items SET id = 'id-q' WHERE key = 1", args: [] }]);
  expect(await find()).toEqual([]);
  await db.write(deleteVersions([1]));
  await stage(db, { ...staging, key: 1, name: 'b', id: 'b' });
  expect(await find()).toEqual([]);
  await stage(db, { ...staging, key: 2, name: 'a', id: 'a' });
  expect(await find()).toEqual([2]);
  await db.write([insertIds(staging, [['id-a', 2]])]);
  expect(await find()).toEqual([2]);
  await db.close();
});
