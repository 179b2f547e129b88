import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { clearVersions } from '../../../src/operations/upkeep/clear-versions.ts';
import { jsonLines } from '../../support/catalog.ts';
import { loadWanted } from '../../support/index-answers.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

let service: LocalService;
let clearNext: () => Promise<boolean>;

beforeAll(async () => {
  service = await startService({ embedder: null });
  clearNext = clearVersions(service.services);
});
afterAll(() => service.close());

const OFFERINGS = 40;

function organizationKey(): number {
  return service.services.directory.findOrganization(service.organization.id)!.key;
}

function offerings(text: string) {
  return Array.from({ length: OFFERINGS }, (_, at) => ({
    externalId: `lamp-${at}`,
    name: `Lamp ${at} ${text}`,
  }));
}

/** Imports the offerings with other texts. */
async function change(text: string): Promise<void> {
  await service.importText(jsonLines(offerings(text)));
  await loadWanted(service.services);
}

async function clear(): Promise<void> {
  while (await clearNext());
}

async function countRows(): Promise<number[]> {
  const { db } = service.services;
  const [row] = await db.all<{ items: number; documents: number }>({
    sql: 'SELECT (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM documents) AS documents',
    args: [],
  });
  return Object.values(row!);
}

test('after an import exactly the versions are left that are shown or that a rollback would show', async () => {
  for (const text of ['red', 'green', 'blue']) await change(text);
  await clear();
  expect(await countRows()).toEqual(Array(2).fill(2 * OFFERINGS));
  await service.perform('catalog.rollback', { organization: service.organization.slug });
  await clear();
  expect(await countRows()).toEqual(Array(2).fill(OFFERINGS));
  expect(await service.exportText()).toContain('Lamp 7 green');
});

test('an import waits for no versions but those that it would make visible', async () => {
  await clear();
  const { db } = service.services;
  const [before] = await countRows();
  for (const text of ['pink', 'plum', 'rose']) await change(text);
  expect(await countRows()).toEqual(Array(2).fill(before! + 3 * OFFERINGS));
  await service.perform('catalog.rollback', { organization: service.organization.slug });
  const deleted: number[] = [];
  const watched = spyOn(db, 'stage');
  await change('lime');
  for (const [at, [statements]] of watched.mock.calls.entries())
    if (statements.some(({ sql }) => sql.startsWith('DELETE FROM items'))) deleted.push(at);
  watched.mockRestore();
  expect(deleted).toHaveLength(1);
  expect(await service.exportText()).toContain('Lamp 7 lime');
  await clear();
  expect(await countRows()).toEqual(Array(2).fill(2 * OFFERINGS));
});

test('nothing is removed while an import runs or a catalogue is loading', async () => {
  const { importMutex, indexes } = service.services;
  await change('white');
  await change('black');
  const before = await countRows();
  await importMutex.run(async () => expect(await clearNext()).toBe(false));
  const loading = new IndexKeeper({ ...service.services, budgetBytes: 1 << 30, archive: null });
  loading.find(organizationKey());
  expect(loading.isLoading).toBe(true);
  expect(await clearVersions({ ...service.services, indexes: loading })()).toBe(false);
  expect([await countRows(), indexes.isLoading]).toEqual([before, false]);
  await clear();
  expect(await countRows()).toEqual(Array(2).fill(2 * OFFERINGS));
});
