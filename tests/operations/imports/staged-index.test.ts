import { expect, spyOn, test } from 'bun:test';
import type { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import type { Statement } from '../../../src/storage/engine/statement.ts';
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

const keyOf = ({ services, organization }: LocalService) =>
  services.directory.findOrganization(organization.id)!.key;

/** Imports beside a loaded index; returns how many texts were read from the database for it. */
async function importAndCount(service: LocalService, rows: readonly object[]): Promise<number> {
  const { db } = service.services;
  const { all } = db;
  let read = 0;
  const watched = spyOn(db, 'all').mockImplementation((async (statement: Statement) => {
    const found = await all(statement);
    if (/SELECT d\.key AS documentKey[\s\S]*i\.body/.test(statement.sql)) read += found.length;
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
  'no text of a long import is read again for its index, which equals one made from the database, %s',
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
