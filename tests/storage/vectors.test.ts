import { expect, test } from 'bun:test';
import {
  findUnembedded,
  forgetOtherVectors,
  matchVectors,
  saveEmbeddingModel,
  saveVectors,
} from '../../src/storage/catalog/vectors.ts';
import type { SearchScope } from '../../src/storage/catalog/visible.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { openWithShops, publish, stage } from './open.ts';

const EVERYTHING: SearchScope = { organizationKey: 1, shopKeys: null, productsOnly: false };
const MODEL = { tag: 'test', dimensions: 4 };
const EAST = [1, 0, 0, 0];
const NORTH = [0, 1, 0, 0];
const NORTH_EAST = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

/** A database whose documents, visible ones of shop 10, have the given vectors, keys from 1. */
async function openWithVectors(
  vectors: readonly (readonly number[])[],
): Promise<{ db: Database; modelKey: number }> {
  const db = await openWithShops();
  const { key: modelKey } = await saveEmbeddingModel(db, MODEL);
  for (const index of vectors.keys()) {
    await stage(db, { key: index + 1, shopKey: 10, generation: 1, name: `n${index}` });
  }
  await publish(db, 10, 1);
  await save(db, modelKey, new Map(vectors.map((vector, index) => [index + 1, vector])));
  return { db, modelKey };
}

async function save(
  db: Database,
  modelKey: number,
  vectors: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const model = { key: modelKey, dimensions: MODEL.dimensions };
  const floats = [...vectors].map(([key, vector]) => [key, Float32Array.from(vector)] as const);
  await db.write(saveVectors(model, new Map(floats)));
}

async function nearest(
  db: Database,
  modelKey: number,
  options: { vector?: readonly number[]; limit?: number } & Partial<SearchScope> = {},
) {
  const { vector = EAST, limit = 10, ...scope } = options;
  const query = { modelKey, vector: Float32Array.from(vector), limit };
  return matchVectors(db, { ...EVERYTHING, ...scope }, query);
}

const keysOf = (matches: readonly { documentKey: number }[]) =>
  matches.map(({ documentKey }) => documentKey);

test('nearest first by cosine, ties by key', async () => {
  const { db, modelKey } = await openWithVectors([NORTH, NORTH_EAST, EAST, NORTH_EAST]);
  const matches = await nearest(db, modelKey);
  expect(keysOf(matches)).toEqual([3, 2, 4, 1]);
  const cosines = matches.map(({ cosine }) => Math.round(cosine * 100) / 100);
  expect(cosines).toEqual([1, 0.71, 0.71, 0]);
  expect(keysOf(await nearest(db, modelKey, { limit: 2 }))).toEqual([3, 2]);
  await db.close();
});

test('staged, foreign and context documents are found only where they should be', async () => {
  const { db, modelKey } = await openWithVectors([EAST]);
  await stage(db, { key: 2, shopKey: 10, generation: 2, name: 'staged' });
  await stage(db, { key: 3, shopKey: 20, generation: 1, name: 'foreign' });
  await stage(db, { key: 4, shopKey: 11, generation: 1, name: 'policy', type: 'context' });
  for (const shopKey of [20, 11]) await publish(db, shopKey, 1);
  await save(db, modelKey, new Map([2, 3, 4].map((key) => [key, EAST])));
  expect(keysOf(await nearest(db, modelKey))).toEqual([1, 4]);
  expect(keysOf(await nearest(db, modelKey, { productsOnly: true }))).toEqual([1]);
  expect(keysOf(await nearest(db, modelKey, { shopKeys: [11] }))).toEqual([4]);
  expect(keysOf(await nearest(db, modelKey, { shopKeys: [] }))).toEqual([]);
  expect(keysOf(await nearest(db, modelKey, { organizationKey: 2 }))).toEqual([3]);
  await db.close();
});

test('a vector of the wrong length is refused before it is written', async () => {
  const { db, modelKey } = await openWithVectors([EAST]);
  await expect(save(db, modelKey, new Map([[1, [1, 0, 0]]]))).rejects.toThrow();
  expect(keysOf(await nearest(db, modelKey))).toEqual([1]);
  await db.close();
});

test('vectors without a direction never rank, least of all first', async () => {
  const { db, modelKey } = await openWithVectors([[0, 0, 0, 0], [Number.NaN, 0, 0, 0], NORTH]);
  expect(keysOf(await nearest(db, modelKey))).toEqual([3]);
  await db.close();
});

test('vectors of another model are never compared, and are deleted in slices', async () => {
  const { db, modelKey } = await openWithVectors([EAST, EAST, EAST]);
  const { key: other } = await saveEmbeddingModel(db, { tag: 'other', dimensions: 8 });
  const query = { modelKey: other, vector: new Float32Array(8).fill(1) };
  expect(await matchVectors(db, EVERYTHING, { ...query, limit: 10 })).toEqual([]);
  await db.write([forgetOtherVectors(other, 2)]);
  expect((await findUnembedded(db, 10)).map(({ key }) => key)).toEqual([1, 2]);
  expect(keysOf(await nearest(db, modelKey))).toEqual([3]);
  await db.write([forgetOtherVectors(other, 2)]);
  expect(await findUnembedded(db, 2)).toHaveLength(2);
  expect(await findUnembedded(db, 10)).toHaveLength(3);
  await db.close();
});

test('a model keeps its key and its number of dimensions', async () => {
  const { db, modelKey } = await openWithVectors([]);
  expect((await saveEmbeddingModel(db, MODEL)).key).toBe(modelKey);
  await expect(saveEmbeddingModel(db, { ...MODEL, dimensions: 5 })).rejects.toThrow(/dimensions/);
  await db.close();
});

test('a new version keeps the vector of an unchanged text, and of no other', async () => {
  const { db, modelKey } = await openWithVectors([EAST, EAST]);
  const base = { shopKey: 10, generation: 2 };
  await stage(db, { ...base, key: 3, name: 'x', id: 'item-1', textHash: 'n0', replacesKey: 1 });
  await stage(db, { ...base, key: 4, name: 'y', id: 'item-2', textHash: 'new', replacesKey: 2 });
  await publish(db, 10, 2);
  expect(keysOf(await nearest(db, modelKey))).toEqual([3]);
  expect((await findUnembedded(db, 10)).map(({ key }) => key)).toEqual([4]);
  await db.close();
});
