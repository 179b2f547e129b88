import { expect, test } from 'bun:test';
import { statesOf } from '../../../src/operations/indexes/loaded-index.ts';
import { KnownWords, WordsOfCatalogues } from '../../../src/operations/search/known-words.ts';
import { findByWords } from '../../../src/operations/search/match-words.ts';
import { FIELD_WEIGHTS } from '../../../src/search/tuning/ranking-weights.ts';
import { matchWords, type WordMatch } from '../../../src/storage/catalog/word-index.ts';
import type { Database } from '../../../src/storage/engine/database.ts';
import { findShops } from '../../../src/storage/organizations.ts';
import { blankFields, documentOf, group } from '../../search/index/arbitrary-documents.ts';
import { storeDocuments } from '../../support/indexed-database.ts';

const SCOPE = { organizationKey: 1, shopKeys: null, productsOnly: false };
const [DOCUMENTS, SCORED_MAX, LIMIT] = [300, 20, 10];

/** `common` is in every third body, `brass` in the names of the last ones, `rare` in a few. */
function storeLamps(): Promise<{ db: Database }> {
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => {
    const isBrass = at >= DOCUMENTS - 12;
    const body = [
      at % 3 === 0 ? 'common' : 'other',
      at % 25 === 0 ? 'rare' : '',
      'lamp '.repeat(at % 7),
    ];
    const name = isBrass ? 'common brass' : `name${at}`;
    return documentOf(at + 1, { fields: { ...blankFields(), name, body: body.join(' ') } });
  });
  return storeDocuments(documents, 4);
}

function find(db: Database, ...terms: string[]) {
  const groups = terms.map((term) => group(term));
  const words = new KnownWords(db, 1);
  return findByWords({ db, words, scope: SCOPE, scoredMax: SCORED_MAX }, { groups, limit: LIMIT });
}

/** A word of most documents, which is left out, adds a millionth. */
function rounded(matches: readonly WordMatch[]): [documentKey: number, bm25: string][] {
  return matches.map(({ documentKey, bm25 }) => [documentKey, bm25.toFixed(4)]);
}

test('a rare word beside common ones: what scoring every match finds, with the same BM25', async () => {
  const { db } = await storeLamps();
  for (const terms of [
    ['rare', 'common'],
    ['common', 'rare', 'lamp'],
    ['rare', 'ra*', 'brass'],
  ]) {
    const query = { allOf: [terms], weights: FIELD_WEIGHTS, limit: LIMIT };
    const expected = await matchWords(db, SCOPE, query);
    expect(rounded(await find(db, ...terms))).toEqual(rounded(expected));
    expect(expected).toHaveLength(LIMIT);
  }
  await db.close();
});

test('common words alone: items named by them come first, wherever they are in the catalogue', async () => {
  const { db } = await storeLamps();
  const found = await find(db, 'common', 'brass', 'lamp');
  expect(found.every(({ documentKey }) => documentKey > DOCUMENTS - 12)).toBe(true);
  expect((await find(db, 'common')).every(({ documentKey }) => documentKey > DOCUMENTS - 12)).toBe(
    true,
  );
  await db.close();
});

test('of a word in most documents only so many matches are scored, and as many found as are asked for', async () => {
  const { db } = await storeLamps();
  const found = await find(db, 'lamp');
  expect(found).toHaveLength(LIMIT);
  expect(found.every(({ documentKey }) => documentKey <= SCORED_MAX * 2)).toBe(true);
  expect(await find(db, 'unheard')).toEqual([]);
  await db.close();
});

test('words are counted once, and again when the catalogue has changed', async () => {
  const { db } = await storeLamps();
  const catalogues = new WordsOfCatalogues(db);
  const counts = async () => {
    const words = catalogues.of(1, statesOf(await findShops(db, 1)));
    const readsBefore = db.activity.reads;
    const found = await words.countHolders(['rare', 'unheard', 'ra*'], 100);
    const terms = await words.find({ prefix: 'r', lengthMin: 1, lengthMax: 9, limit: 5 });
    return { found, terms, size: await words.size(), reads: db.activity.reads - readsBefore };
  };
  const first = await counts();
  expect(first.found).toEqual(
    new Map([
      ['rare', 12],
      ['ra*', 12],
    ]),
  );
  expect(first.terms).toEqual([{ term: 'rare', count: 12 }]);
  expect(await counts()).toEqual({ ...first, reads: 0 });
  await db.write([{ sql: 'UPDATE shops SET revision = revision + 1', args: [] }]);
  expect(await counts()).toEqual(first);
  await db.close();
});

test('a failed count is made again, and counts that are known stay in an answer that drops others', async () => {
  const { db } = await storeLamps();
  const refusing = { ...db, all: () => Promise.reject(new Error('away')) };
  let present: Database = refusing;
  const all: Database['all'] = (statement) => present.all(statement);
  const words = new KnownWords({ ...db, all }, 1);
  await expect(words.size()).rejects.toThrow('away');
  present = db;
  expect(await words.size()).toBe(DOCUMENTS);
  const known = await words.count(['rare']);
  const others = Array.from({ length: 20_000 }, (_, at) => `unheard${at}`);
  expect(await words.count(['rare', ...others])).toEqual(known);
  expect(known.get('rare')).toBe(DOCUMENTS / 25);
  await db.close();
});
