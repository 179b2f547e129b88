import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ShownDocuments } from '../../../src/operations/indexes/shown-documents.ts';
import { ENGLISH } from '../../support/english.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const CATALOGUE = Symbol('one');
/** One of the documents below counts as 1,500 bytes and four for each character of some 400. */
const TWO_DOCUMENTS_BYTES = 2 * 3700;

let service: LocalService;
let organizationKey: number;
let documents: { documentKey: number; itemKey: number; generation: number }[];

beforeAll(async () => {
  service = await startService();
  await service.importText('{"externalId":"a","name":"lamp"}\n{"externalId":"b","name":"rug"}\n');
  await service.importText('# Returns\n\nThirty days.\n', { format: 'markdown' });
  organizationKey = service.services.directory.findOrganization(service.organization.id)!.key;
  documents = await service.services.db.all({
    sql: 'SELECT key AS documentKey, item_key AS itemKey, first_generation AS generation FROM documents ORDER BY key',
    args: [],
  });
});

afterAll(() => service.close());

test('a document stays the same object until the cache is full, and longer if it was found again', async () => {
  const shown = new ShownDocuments(service.services.db, () => ENGLISH, TWO_DOCUMENTS_BYTES);
  const find = async (place: number) =>
    (await shown.find(organizationKey, [documents[place]!], CATALOGUE))[0]!;
  const lamp = await find(0);
  expect(lamp.stored.item.name).toBe('lamp');
  const rug = await find(1);
  expect(await find(0)).toBe(lamp);
  // A third document: the rug is dropped, which is as old and was not found again.
  await find(2);
  expect(await find(0)).toBe(lamp);
  expect(await find(1)).not.toBe(rug);
});

test('documents that were found long ago give way to new ones', async () => {
  const shown = new ShownDocuments(service.services.db, () => ENGLISH, TWO_DOCUMENTS_BYTES);
  const find = async (place: number) =>
    (await shown.find(organizationKey, [documents[place]!], CATALOGUE))[0]!;
  const lamp = await find(0);
  await find(0);
  for (const place of [1, 2, 1, 2]) await find(place);
  expect(await find(0)).not.toBe(lamp);
});

test('a document whose words another table numbers is read again; one that is gone or another organization’s is null', async () => {
  const shown = new ShownDocuments(service.services.db, () => ENGLISH);
  const [before] = await shown.find(organizationKey, documents, CATALOGUE);
  const later = Symbol('another');
  const gone = { documentKey: 9999, itemKey: 9999, generation: 1 };
  const found = await shown.find(organizationKey, [documents[0]!, gone], later);
  expect(found[0]).not.toBe(before!);
  expect(found[0]!.stored).toEqual(before!.stored);
  expect(found[1]).toBeNull();
  const reused = { ...documents[0]!, generation: documents[0]!.generation + 1 };
  expect((await shown.find(organizationKey, [reused], later))[0]).not.toBe(found[0]!);
  // Also while its owner's search keeps it.
  expect(await shown.find(organizationKey + 1, [reused], later)).toEqual([null]);
  expect(await shown.find(organizationKey + 1, documents, later)).toEqual([null, null, null]);
});

test('a document that changes while it is being read is read again for the next answer', async () => {
  const shown = new ShownDocuments(service.services.db, () => ENGLISH);
  const [lamp] = documents;
  const find = () => shown.find(organizationKey, [lamp!], CATALOGUE);
  const reading = find();
  shown.forget([lamp!.documentKey]);
  const [outdated] = await reading;
  const [present] = await find();
  expect(present).not.toBe(outdated!);
  expect((await find())[0]).toBe(present!);
});

test('a policy is shown by its passage', async () => {
  const shown = new ShownDocuments(service.services.db, () => ENGLISH);
  const found = await shown.find(organizationKey, documents, CATALOGUE);
  expect(found[2]!.description).toBe('Thirty days.');
});
