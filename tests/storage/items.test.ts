import { expect, test } from 'bun:test';
import {
  countItems,
  deleteVersions,
  findAliases,
  findIdsBySlug,
  findItems,
  findLargestKeys,
  findLeftovers,
  findVersions,
  findVisibleBodies,
  findVisibleKeys,
  hasMoreEnded,
  reviveVersions,
} from '../../src/storage/catalog/items.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { openWithShops, publish, stage } from './open.ts';

const shopAt = (generation: number) => ({
  key: 10,
  organizationKey: 1,
  generation,
  previousGeneration: generation - 1,
});

test('each item of a transaction gets the texts of its own block', async () => {
  const db = await openWithShops();
  const names = ['red mug', 'größere Tasse', 'tea'];
  const versions = names.map((name, at) => ({ key: at + 1, shopKey: 10, generation: 1, name }));
  await stage(db, ...versions);
  const items = await findItems(db, 1, [1, 2, 3]);
  expect([...items.values()].map(({ item }) => item.name)).toEqual(names);
  const references = await db.all<{ reference: string; key: number }>({
    sql: 'SELECT reference, item_key AS key FROM item_references ORDER BY item_key',
    args: [],
  });
  expect(references).toEqual([1, 2, 3].map((key) => ({ reference: `item-${key}`, key })));
  await db.close();
});

/** Ids of the items a searcher of shop 10 sees, with the key of the version. */
async function visible(db: Database, generation: number): Promise<[string, number][]> {
  const after = { key: 0, firstGeneration: 0 };
  const keys = await findVisibleKeys(db, shopAt(generation), { after, limit: 10 });
  const items = await findItems(
    db,
    1,
    keys.map(({ key }) => key),
  );
  return [...items.values()].map(({ id, key }): [string, number] => [id, key]).sort();
}

/** Generation 1 holds a and b; an import into generation 2 replaced a, added c, and was killed. */
async function openAfterKill(): Promise<Database> {
  const db = await openWithShops();
  await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'a1', id: 'a' });
  await stage(db, { key: 2, shopKey: 10, generation: 1, name: 'b1', id: 'b' });
  await publish(db, 10, 1);
  await stage(db, { key: 3, shopKey: 10, generation: 2, name: 'a2', id: 'a', replacesKey: 1 });
  await stage(db, { key: 4, shopKey: 10, generation: 2, name: 'c2', id: 'c' });
  return db;
}

test('staged versions stay invisible, and become visible as a whole', async () => {
  const db = await openAfterKill();
  expect(await visible(db, 1)).toEqual([
    ['id-a', 1],
    ['id-b', 2],
  ]);
  expect(await visible(db, 2)).toEqual([
    ['id-a', 3],
    ['id-b', 2],
    ['id-c', 4],
  ]);
  await db.close();
});

test('after a killed import, the versions it ended are restored and those it staged are leftovers', async () => {
  const db = await openAfterKill();
  await db.write(reviveVersions(shopAt(1), 100));
  const leftovers = await findLeftovers(db, shopAt(1), { kind: 'any', limit: 100 });
  expect(leftovers).toEqual([3, 4]);
  await db.write(deleteVersions(leftovers));
  const before = [
    ['id-a', 1],
    ['id-b', 2],
  ];
  expect(await visible(db, 1)).toEqual(before as never);
  // Nothing of the killed import may become visible when the next one publishes its generation.
  expect(await visible(db, 2)).toEqual(before as never);
  expect(await findLeftovers(db, shopAt(1), { kind: 'any', limit: 100 })).toEqual([]);
  const [items] = await db.write(reviveVersions(shopAt(1), 100));
  expect(items!.rowsAffected).toBe(0);
  await db.close();
});

test('the version that a rollback would restore is not a leftover, an older one is', async () => {
  const db = await openWithShops();
  await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'a1', id: 'a' });
  await publish(db, 10, 1);
  await stage(db, { key: 2, shopKey: 10, generation: 2, name: 'a2', id: 'a', replacesKey: 1 });
  await publish(db, 10, 2);
  expect(await findLeftovers(db, shopAt(2), { kind: 'any', limit: 100 })).toEqual([]);
  await stage(db, { key: 3, shopKey: 10, generation: 3, name: 'a3', id: 'a', replacesKey: 2 });
  await publish(db, 10, 3);
  expect(await findLeftovers(db, shopAt(3), { kind: 'any', limit: 100 })).toEqual([1]);
  expect(await hasMoreEnded(db, shopAt(3), 0)).toBe(true);
  expect(await hasMoreEnded(db, shopAt(3), 1)).toBe(false);
  await db.close();
});

test('leftovers come in slices, without those of other shops', async () => {
  const db = await openAfterKill();
  await stage(db, { key: 5, shopKey: 11, generation: 2, name: 'x' });
  expect(await findLeftovers(db, shopAt(1), { kind: 'any', limit: 1 })).toHaveLength(1);
  const other = { ...shopAt(0), key: 11 };
  expect(await findLeftovers(db, other, { kind: 'any', limit: 9 })).toEqual([5]);
  await db.close();
});

test('an alias keeps the id it was first given, in its own shop only', async () => {
  const db = await openAfterKill();
  await stage(db, { key: 5, shopKey: 10, generation: 2, name: 'd', id: 'other', itemId: 'id-b' });
  await stage(db, { key: 6, shopKey: 10, generation: 3, name: 'e', id: 'other', itemId: 'id-c' });
  await db.write(deleteVersions([5, 6]));
  expect(await findAliases(db, 10, ['a', 'other', 'unknown'])).toEqual(
    new Map([['other', 'id-b']]),
  );
  expect(await findAliases(db, 11, ['other'])).toEqual(new Map());
  await db.close();
});

test('every version of an item is known, visible or not', async () => {
  const db = await openAfterKill();
  const versions = await findVersions(db, 10, ['id-a', 'id-c', 'unknown']);
  expect(
    versions.map(({ key, firstGeneration, lastGeneration }) => [
      key,
      firstGeneration,
      lastGeneration,
    ]),
  ).toEqual([
    [1, 1, 1],
    [3, 2, null],
    [4, 2, null],
  ]);
  await db.close();
});

test('visible versions come page by page, each once, bodies in the order of ids', async () => {
  const db = await openAfterKill();
  const [first] = await findVisibleKeys(db, shopAt(2), {
    after: { key: 0, firstGeneration: 0 },
    limit: 1,
  });
  expect(first).toEqual({ key: 2, firstGeneration: 1 });
  const rest = await findVisibleKeys(db, shopAt(2), { after: first!, limit: 9 });
  expect(rest.map(({ key }) => key)).toEqual([3, 4]);
  const page = await findVisibleBodies(db, shopAt(2), { after: 'id-a', limit: 9 });
  expect(page.map(({ id }) => id)).toEqual(['id-b', 'id-c']);
  expect(JSON.parse(page[0]!.body)).toMatchObject({ externalId: 'b' });
  await db.close();
});

test('a slug finds visible items that came in another format', async () => {
  const db = await openAfterKill();
  const slugs = ['a', 'c', 'unknown'];
  expect(await findIdsBySlug(db, shopAt(1), { slugs, format: 'other' })).toEqual(
    new Map([['a', 'id-a']]),
  );
  expect(await findIdsBySlug(db, shopAt(1), { slugs, format: 'test' })).toEqual(new Map());
  await db.close();
});

test('items of another organization are missing, as are those that are gone', async () => {
  const db = await openAfterKill();
  expect([...(await findItems(db, 1, [2, 1, 99])).keys()].sort()).toEqual([1, 2]);
  expect(await findItems(db, 2, [1, 2])).toEqual(new Map());
  await db.close();
});

test('only visible items are counted', async () => {
  const db = await openAfterKill();
  await stage(db, { key: 6, shopKey: 10, generation: 1, name: 'policy', type: 'context' });
  expect(await countItems(db, shopAt(1))).toMatchObject({ offerings: 2, contexts: 1, embedded: 0 });
  expect(await countItems(db, shopAt(0))).toMatchObject({ offerings: 0, contexts: 0 });
  expect(await findLargestKeys(db)).toMatchObject({ itemKey: 6, documentKey: 6 });
  await db.close();
});
