import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { sampleFiles } from '../../../src/assets/sample-files.ts';
import { buildIndex } from '../../../src/operations/indexes/build-index.ts';
import { DocumentList, listDocuments } from '../../../src/operations/indexes/document-list.ts';
import {
  type IndexParts,
  IndexPartsBuilder,
  packParts,
} from '../../../src/operations/indexes/index-parts.ts';
import { loadIndex } from '../../../src/operations/indexes/load-index.ts';
import { shopLanguages } from '../../../src/operations/indexes/shop-languages.ts';
import { runAtOnce, Slices } from '../../../src/operations/indexes/slices.ts';
import { packedBuffers } from '../../../src/search/index/packing.ts';
import { findSearchableRows } from '../../../src/storage/catalog/searchable-rows.ts';
import { jsonLines } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

/** From so many documents on an index is built in a thread. */
const IN_THREAD = 1500;

let service: LocalService;
let documents: DocumentList;

beforeAll(async () => {
  service = await startService();
  for (const { text } of sampleFiles().contexts)
    await service.importText(text, { format: 'markdown' });
  await service.embedAll();
  const lamps = Array.from({ length: IN_THREAD }, (_, at) => ({
    externalId: `${at}`,
    name: `Brass lamp ${at}`,
    price: `${at}.50`,
  }));
  await service.importText(jsonLines(lamps));
  await service.perform('shop.create', {
    name: 'Topf',
    handle: 'topf',
    locale: 'de-DE',
    currency: 'EUR',
  });
  await service.importText(
    jsonLines([{ externalId: 'k', name: 'Kochtopf mit Glasdeckel, 24 cm', vendor: 'Möller' }]),
    { shop: 'topf' },
  );
  documents = await listDocuments(service.services.db, organizationKey(), {
    ...{ ahead: null, slices: new Slices(service.platform) },
  });
});

afterAll(() => service.close());

const organizationKey = () => service.services.directory.organizations()[0]!.key;

const keys = () => Array.from({ length: documents.size }, (_, at) => documents.key(at));

function options(isWanted = () => true) {
  const { db, directory, embeddings } = service.services;
  return {
    ...{ db, slices: new Slices(service.platform), languageOfShop: shopLanguages(directory) },
    ...{ model: embeddings.model, staged: null, isWanted },
  };
}

const packed = (parts: IndexParts) =>
  packedBuffers((to) => packParts(parts, to)).map((buffer) => Buffer.from(buffer));

async function damage(sql: string): Promise<void> {
  await service.services.db.write([{ sql, args: [] }]);
}

test('an index built in threads, in one part or in several, equals one built here, byte for byte, with passages, vectors and two languages', async () => {
  const { db, model, languageOfShop } = options();
  const query = { documentKeys: keys(), modelKey: model!.key };
  const { dimensions } = model!;
  const builder = new IndexPartsBuilder({ languageOfShop, dimensions });
  const rows = await findSearchableRows(db, query);
  for (const row of rows) builder.add(row);
  expect(rows.some(({ vector }) => vector !== null)).toBe(true);
  expect(rows.some(({ vector }) => vector === null)).toBe(true);
  const whole = packed(runAtOnce(builder.finish()));
  for (const partSize of [documents.size, 100]) {
    const built = (await buildIndex(keys(), { ...options(), partSize }))!;
    expect([partSize, packed(built)]).toEqual([partSize, whole]);
  }
}, 60_000);

test('the event loop parses no item of a large catalogue, and those of a small one', async () => {
  const { db } = service.services;
  const parse = spyOn(db, 'parse');
  const parts = (await loadIndex(documents, null, options()))!;
  expect(parts.index.size).toBe(documents.size);
  expect(parse).toHaveBeenCalledTimes(0);
  const few = new DocumentList();
  for (let at = 1; at < IN_THREAD; at++)
    few.add({ documentKey: documents.key(at), generation: documents.generation(at) });
  expect((await loadIndex(few, null, options()))!.index.size).toBe(IN_THREAD - 1);
  expect(parse.mock.calls.length).toBeGreaterThan(0);
  parse.mockRestore();
});

test('a build that is no longer wanted ends without an index, at any moment', async () => {
  for (const answers of [0, 1, 3]) {
    let asked = 0;
    expect(
      await buildIndex(
        keys(),
        options(() => asked++ < answers),
      ),
    ).toBeNull();
  }
});

test('an item that is gone or damaged is left out of an index, and the damage is counted', async () => {
  const { db } = service.services;
  // The first contains what separates the parts of a message to the thread, the last is no other item's body.
  const bodies = { 7: "'{' || body", 8: 'char(30) || body', 9: "''" };
  const damaged = await db.all<{ key: number }>({
    sql: `SELECT d.key FROM documents d JOIN items i ON i.key = d.item_key
          WHERE i.external_id IN (${Object.keys(bodies)
            .map((id) => `'${id}'`)
            .join()})`,
    args: [],
  });
  const others = keys().filter((each) => !damaged.some(({ key }) => key === each));
  const withoutThem = packed((await buildIndex(others, options()))!);
  await damage('ALTER TABLE items ADD COLUMN whole TEXT');
  await damage('UPDATE items SET whole = body');
  for (const [id, body] of Object.entries(bodies))
    await damage(`UPDATE items SET body = ${body} WHERE external_id = '${id}'`);
  const before = db.activity.damagedTexts;
  const withGone = (await buildIndex([...keys(), 1e9], options()))!;
  expect(packed(withGone)).toEqual(withoutThem);
  expect(db.activity.damagedTexts).toBe(before + damaged.length);
  await damage('UPDATE items SET body = whole');
  await damage('ALTER TABLE items DROP COLUMN whole');
  const { damagedTexts } = db.activity;
  // Text that is not UTF-8, but JSON with a replaced character.
  const bytes = `CAST(x'42ff' AS TEXT)`;
  await damage(`UPDATE items SET body = replace(body, 'Brass', ${bytes}) WHERE external_id = '7'`);
  const replaced = await buildIndex(keys(), options());
  expect(replaced!.index.size).toBe(keys().length);
  expect(db.activity.damagedTexts).toBe(damagedTexts + 1);
  await damage(`UPDATE items SET body = replace(body, ${bytes}, 'Brass') WHERE external_id = '7'`);
}, 60_000);
