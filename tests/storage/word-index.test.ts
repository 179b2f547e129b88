import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SearchScope } from '../../src/storage/catalog/visible.ts';
import {
  compareWordIndex,
  countDocuments,
  createWordIndex,
  findTerms,
  IndexedDocuments,
  matchWords,
  unindexDocuments,
} from '../../src/storage/catalog/word-index.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { anyCharacter } from '../support/any-character.ts';
import { termsOf } from '../support/english.ts';
import { Texts } from '../support/texts.ts';
import { openFresh, openWithShops, publish, stage } from './open.ts';

const WEIGHTS = { name: 5, type: 2, vendor: 2, codes: 5, details: 0.5, body: 1 };
const EVERYTHING: SearchScope = { organizationKey: 1, shopKeys: null, productsOnly: false };

function find(db: Database, terms: string[], scope: Partial<SearchScope> = {}, limit = 100) {
  return matchWords(db, { ...EVERYTHING, ...scope }, { allOf: [terms], weights: WEIGHTS, limit });
}

const keysOf = (matches: readonly { documentKey: number }[]) =>
  matches.map(({ documentKey }) => documentKey);

test('any term is enough, more are better, ties are ordered by key', async () => {
  const db = await openWithShops();
  for (const [key, name] of ['red mug', 'blue mug', 'red mug', 'green plate'].entries()) {
    await stage(db, { key: key + 1, shopKey: 10, generation: 1, name });
  }
  await publish(db, 10, 1);
  expect(keysOf(await find(db, ['red', 'mug']))).toEqual([1, 3, 2]);
  expect(keysOf(await find(db, ['red', 'mug'], {}, 2))).toEqual([1, 3]);
  expect(keysOf(await find(db, ['pla*']))).toEqual([4]);
  expect(await find(db, ['purple'])).toEqual([]);
  expect((await find(db, ['mug'])).every(({ bm25 }) => bm25 > 0)).toBe(true);
  await db.close();
});

describe('a search sees the published generation and nothing else', () => {
  test('staged versions are never found, replaced ones only until the replacement is published', async () => {
    const db = await openWithShops();
    await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'red mug', id: 'a' });
    expect(await find(db, ['mug'])).toEqual([]);
    await publish(db, 10, 1);
    await stage(db, {
      key: 2,
      shopKey: 10,
      generation: 2,
      name: 'big mug',
      id: 'a',
      replacesKey: 1,
    });
    expect(keysOf(await find(db, ['mug']))).toEqual([1]);
    await publish(db, 10, 2);
    expect(keysOf(await find(db, ['mug']))).toEqual([2]);
    expect(await find(db, ['red'])).toEqual([]);
    await publish(db, 10, 1);
    expect(keysOf(await find(db, ['mug']))).toEqual([1]);
    await db.close();
  });

  test('one shop’s import does not show another’s', async () => {
    const db = await openWithShops();
    await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'mug' });
    await stage(db, { key: 2, shopKey: 11, generation: 1, name: 'mug' });
    await publish(db, 11, 1);
    expect(keysOf(await find(db, ['mug']))).toEqual([2]);
    await db.close();
  });

  test('by shop, and products only', async () => {
    const db = await openWithShops();
    await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'mug' });
    await stage(db, { key: 2, shopKey: 11, generation: 1, name: 'mug' });
    await stage(db, { key: 3, shopKey: 10, generation: 1, name: 'mug', type: 'context' });
    for (const shopKey of [10, 11]) await publish(db, shopKey, 1);
    expect(keysOf(await find(db, ['mug'], { shopKeys: [10] }))).toEqual([1, 3]);
    expect(keysOf(await find(db, ['mug'], { shopKeys: [10, 11] }))).toEqual([1, 2, 3]);
    expect(keysOf(await find(db, ['mug'], { shopKeys: [] }))).toEqual([]);
    expect(keysOf(await find(db, ['mug'], { shopKeys: [20] }))).toEqual([]);
    expect(keysOf(await find(db, ['mug'], { productsOnly: true }))).toEqual([1, 2]);
    await db.close();
  });
});

test('two organizations with the same words never see each other, nor change each other’s scores', async () => {
  const db = await openWithShops();
  await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'red mug' });
  await stage(db, { key: 2, shopKey: 10, generation: 1, name: 'plate' });
  await publish(db, 10, 1);
  const before = await find(db, ['red', 'mug']);
  for (let key = 3; key < 30; key++) {
    await stage(db, { key, shopKey: 20, generation: 1, name: 'red mug' });
  }
  await publish(db, 20, 1);
  expect(await find(db, ['red', 'mug'])).toEqual(before);
  expect(keysOf(await find(db, ['red'], { organizationKey: 2 }))).toHaveLength(27);
  expect(await find(db, ['red'], { organizationKey: 2, shopKeys: [10] })).toEqual([]);
  expect(await countDocuments(db, 1, ['red'])).toEqual(new Map([['red', 1]]));
  await db.close();
});

test('a document removed from the index is neither found nor counted; it is missing once it is published', async () => {
  const db = await openWithShops();
  await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'red mug' });
  await db.write([unindexDocuments(1, [1])]);
  expect(await compareWordIndex(db, 1)).toMatchObject({ total: 1, missing: 0 });
  await publish(db, 10, 1);
  expect(await compareWordIndex(db, 1)).toMatchObject({ total: 1, missing: 1 });
  expect(await find(db, ['mug'])).toEqual([]);
  expect(await countDocuments(db, 1, ['mug'])).toEqual(new Map());
  await db.close();
});

test.each([
  '"',
  'a" OR "b',
  'NOT',
  'NEAR(a b)',
  'name:mug',
  'a* b',
  "'; DROP TABLE items; --",
  '*',
])('nothing in a term is an operator: %s', async (term) => {
  const db = await openWithShops();
  await stage(db, { key: 1, shopKey: 10, generation: 1, name: 'mug' });
  await publish(db, 10, 1);
  expect(await find(db, [term])).toEqual([]);
  expect(keysOf(await find(db, ['mug', term]))).toEqual([1]);
  await db.close();
});

test('terms by prefix and length, the most frequent first', async () => {
  const db = await openWithShops();
  for (const [index, name] of ['mug', 'mug mat', 'mat', 'mugs', 'moth', 'rug'].entries()) {
    await stage(db, { key: index + 1, shopKey: 10, generation: 1, name });
  }
  const terms = await findTerms(db, 1, { prefix: 'm', lengthMin: 3, lengthMax: 4, limit: 3 });
  expect(terms.map(({ term, count }) => [term, count])).toEqual([
    ['mat', 2],
    ['mug', 2],
    ['moth', 1],
  ]);
  await db.close();
});

test('whatever the words of a text, the index stores their terms unchanged', async () => {
  const db = await openFresh();
  await db.write(createWordIndex(1));
  let key = 0;
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }));
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      const terms = [...new Set(termsOf(written))];
      const fields = {
        name: terms.join(' '),
        type: '',
        vendor: '',
        codes: '',
        details: '',
        body: '',
      };
      const texts = new Texts();
      const indexed = new IndexedDocuments();
      indexed.add(++key, texts.addFields(fields).flat());
      await db.write([indexed.insert(1, texts.bytes())]);
      expect([...(await countDocuments(db, 1, terms)).keys()].sort()).toEqual(terms.sort());
    }),
  );
  await db.close();
});
