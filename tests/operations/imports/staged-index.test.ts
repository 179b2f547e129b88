import { expect, spyOn, test } from 'bun:test';
import type { CatalogItem } from '../../../src/domain/catalog.ts';
import { prepareRows } from '../../../src/operations/imports/prepare-rows.ts';
import { StagedIndex } from '../../../src/operations/imports/staged-index.ts';
import type { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { countPlaces, type StagedItem } from '../../../src/storage/catalog/staged-items.ts';
import type { Statement } from '../../../src/storage/engine/statement.ts';
import { makeContext, makeOffering } from '../../search/index/items.ts';
import { jsonLines } from '../../support/catalog.ts';
import { answersOf, loadedKeeper } from '../../support/index-answers.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const never = new AbortController().signal;
const WORDS = ['oak', 'pine', 'desk', 'shelf', 'lamp', 'rug', 'blue', 'green', 'large', '40 cm'];
const QUESTIONS = ['oak desk', 'blue lamp under 20', 'pnie shelf', 'rug 40 cm in stock', 'teak'];

/** More rows than the thread of the service prepares alone. */
const row = (at: number, change: object = {}) => ({
  externalId: `item-${at}`,
  name: `${WORDS[at % 7]} ${WORDS[(at * 3) % 10]} ${at}`,
  description: Array.from({ length: 150 }, (_, word) => WORDS[(at + word * word) % 10]).join(' '),
  price: `${5 + (at % 30)}.00`,
  vendor: at % 2 === 0 ? 'Kiln' : 'Acme',
  tags: [WORDS[at % 10]],
  ...change,
});
const ROWS = Array.from({ length: 600 }, (_, at) => row(at));

const TARGET = {
  shopId: '5a1f9a0e-3f0a-4c55-9d5c-0f6a3c1b2d4e',
  links: { domain: null, storefront: null, productUrlTemplate: null },
  domains: [],
};

const keyOf = ({ services, organization }: LocalService) =>
  services.directory.findOrganization(organization.id)!.key;

/** Imports beside a loaded index; returns how many documents were listed or read from the database for it. */
async function importAndCount(service: LocalService, rows: readonly object[]): Promise<number> {
  const { db } = service.services;
  const { all } = db;
  let read = 0;
  const watched = spyOn(db, 'all').mockImplementation((async (statement: Statement) => {
    const found = await all(statement);
    if (/SELECT d\.key AS documentKey/.test(statement.sql)) read += found.length;
    return found;
  }) as typeof all);
  await service.importText(jsonLines(rows));
  watched.mockRestore();
  return read;
}

async function expectSameAnswers(service: LocalService): Promise<void> {
  const { services } = service;
  const key = keyOf(service);
  const fresh = await loadedKeeper(services, key, null);
  expect(services.indexes.find(key)).not.toBeNull();
  const answers = (indexes: IndexKeeper) =>
    answersOf(services, key, { indexes, questions: QUESTIONS });
  expect(await answers(services.indexes)).toEqual(await answers(fresh));
}

test.each([
  ['by words alone', true],
  ['with vectors', false],
])(
  'no document of a long import is listed or read again for its index, which equals one made from the database, %s',
  async (_, isByWords) => {
    const service = await startService(isByWords ? { embedder: null } : {});
    const { indexes, embeddings } = service.services;
    await embeddings.questionVector('desk');
    indexes.find(keyOf(service));
    while (await indexes.loadNext(never));
    // Twice the same item: the second row is refused.
    const doubled = [...ROWS, row(3, { name: 'teak desk' })];
    expect(await importAndCount(service, doubled)).toBe(0);
    await service.embedAll();
    await expectSameAnswers(service);
    // Some as they were, most with other texts: a new base, to which only those are added that changed.
    const changed = ROWS.map((one, at) => (at % 9 === 0 ? one : { ...one, price: `${at}.50` }));
    await importAndCount(service, changed);
    await service.embedAll();
    await expectSameAnswers(service);
    await service.close();
  },
);

/** The packed index of items that are staged in blocks of some rows. */
async function packedIndex(items: readonly CatalogItem[], partSize?: number) {
  using index = new StagedIndex({ shopKey: 1, language: 'en', generation: 3 }, partSize);
  let key = 0;
  for (let from = 0; from < items.length; from += 70) {
    const block = items
      .slice(from, from + 70)
      .map((item) => ({ item, file: '', line: 1, record: 1 }));
    const { rows, texts, places } = prepareRows(jsonLines(block), TARGET);
    let placesAt = 0;
    const staged = rows.map((row): StagedItem => {
      const documents = row.documents.map((document) => ({ ...document, key: ++key }));
      const item = { ...row, documents, placesAt, key, id: row.ownId, isAlias: false };
      placesAt += countPlaces(row.names);
      return { ...item, replacesKey: null };
    });
    await index.add(staged, { texts, places });
  }
  return await index.finish();
}

test('an index of staged rows that is built in parts is the one that is built at once, to the byte', async () => {
  const offering = (at: number) => makeOffering({ ...row(at), tags: [], sku: `S-${at}` });
  const long = ROWS.map((one) => one.description).join('\n\n');
  const items = [...ROWS.map((_, at) => offering(at)), makeContext('Care \u001e \ufffd', long)];
  const whole = await packedIndex(items);
  expect(whole!.length).toBeGreaterThan(10);
  expect(await packedIndex(items, 150)).toEqual(whole);
  expect(await packedIndex(items.slice(0, 20))).toBeNull();
}, 60_000);
