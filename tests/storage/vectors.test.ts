import { expect, test } from 'bun:test';
import { saveEmbeddingModel } from '../../src/storage/catalog/embedding-models.ts';
import { forgetFormerVectors, restoreVectors } from '../../src/storage/catalog/former-vectors.ts';
import {
  findOtherVectors,
  findUnembedded,
  findVectors,
  saveVectors,
} from '../../src/storage/catalog/vectors.ts';
import type { SearchScope } from '../../src/storage/catalog/visible.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { setVectorModel } from '../../src/storage/organizations.ts';
import { matchVectors } from '../support/sqlite-search.ts';
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

const keysOfRows = (rows: readonly { key: number }[]) => rows.map(({ key }) => key);

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

test('vectors of another model are never compared, and are found to be made again', async () => {
  const { db, modelKey } = await openWithVectors([EAST, EAST, EAST]);
  const { key: other } = await saveEmbeddingModel(db, { tag: 'other', dimensions: 8 });
  const query = { modelKey: other, vector: new Float32Array(8).fill(1) };
  expect(await matchVectors(db, EVERYTHING, { ...query, limit: 10 })).toEqual([]);
  const others = { modelKey: other, limit: 2 };
  expect(keysOfRows(await findOtherVectors(db, { ...others, organizationKey: 1 }))).toEqual([1, 2]);
  expect(keysOfRows(await findOtherVectors(db, { ...others, organizationKey: null }))).toEqual([
    1, 2,
  ]);
  expect(await findOtherVectors(db, { ...others, organizationKey: 2 })).toEqual([]);
  expect(await findOtherVectors(db, { modelKey, organizationKey: 1, limit: 2 })).toEqual([]);
  await db.close();
});

test('the vectors that answer stay beside those of another model, until they are deleted in slices', async () => {
  const { db, modelKey } = await openWithVectors([EAST, NORTH, NORTH_EAST]);
  const newer = await saveEmbeddingModel(db, { tag: 'newer', dimensions: 8 });
  const eight = Float32Array.from([0, 0, 0, 0, 0, 0, 0, 1]);
  await db.write(saveVectors(newer, new Map([1, 2].map((key) => [key, eight]))));
  const both = async () => [
    keysOf(await nearest(db, modelKey)),
    [...(await findVectors(db, [1, 2, 3], modelKey)).keys()],
    keysOf(await matchVectors(db, EVERYTHING, { modelKey: newer.key, vector: eight, limit: 10 })),
  ];
  expect(await both()).toEqual([
    [1, 3, 2],
    [1, 2, 3],
    [1, 2],
  ]);
  await db.write([setVectorModel(db, 1, newer.key)]);
  await db.write(saveVectors(newer, new Map([[3, eight]])));
  await db.write([forgetFormerVectors(1)]);
  expect(await both()).toEqual([[2], [2], [1, 2, 3]]);
  await db.close();
});

test('vectors of a model that comes into use again are put back in slices', async () => {
  const { db, modelKey } = await openWithVectors([EAST, NORTH]);
  const newer = await saveEmbeddingModel(db, { tag: 'newer', dimensions: 4 });
  const vectors = new Map([1, 2].map((key) => [key, Float32Array.from(NORTH_EAST)]));
  await db.write(saveVectors(newer, vectors));
  const left = () => findOtherVectors(db, { modelKey, organizationKey: 1, limit: 10 });
  await db.write(restoreVectors(modelKey, 1));
  expect(keysOfRows(await left())).toEqual([2]);
  await db.write(restoreVectors(modelKey, 1));
  expect(await left()).toEqual([]);
  expect(keysOf(await nearest(db, modelKey))).toEqual([1, 2]);
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
  expect(keysOfRows(await findUnembedded(db, 10))).toEqual([4]);
  await db.close();
});
