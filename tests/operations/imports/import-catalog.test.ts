import { afterEach, describe, expect, test } from 'bun:test';
import { catalogItemId } from '../../../src/domain/ids.ts';
import type { CatalogStats } from '../../../src/operations/imports/catalog-stats.ts';
import { countsOf, type ImportSummary } from '../../../src/operations/imports/import-catalog.ts';
import { embedNextDocuments } from '../../../src/operations/search/embed-next-documents.ts';
import { jsonLines } from '../../support/catalog.ts';
import { embedderOf, StandInModel } from '../../support/stand-in-embedder.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startService,
} from '../../support/start-service.ts';

const opened: LocalService[] = [];
/** Closed services whose folder another service reuses. */
const folders: LocalService[] = [];

async function open(options?: LocalServiceOptions): Promise<LocalService> {
  const service = await startService(options);
  opened.push(service);
  return service;
}

afterEach(async () => {
  for (const service of opened.splice(0)) await service.close();
  for (const { discard } of folders.splice(0)) discard();
});

interface Found {
  readonly id: string;
  readonly externalId: string;
  readonly name: string;
  readonly price: string | null;
}

async function find({ fetch }: LocalService, question: string): Promise<Found[]> {
  const response = await fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}&limit=100`);
  return ((await response.json()) as { results: Found[] }).results;
}

const lamps = (count: number, word = 'lamp') =>
  Array.from({ length: count }, (_, index) => ({
    externalId: `lamp-${index}`,
    name: `Brass ${word} ${index}`,
    price: '10.00',
    slug: `brass-lamp-${index}`,
  }));

const counts = (summary: object) => {
  const { seconds: _, ...rest } = countsOf(summary as ImportSummary);
  return rest;
};

const NOTHING = { new: 0, changed: 0, same: 0, archived: 0, rejected: 0, warnings: 0 };

describe('import', () => {
  test('searches see the old catalogue until the import commits, then the complete new one', async () => {
    const service = await open();
    await service.operator.importRows(lamps(20, 'oldlamp'));
    const seen: { old: number; fresh: number }[] = [];
    const look = async () => {
      const old = (await find(service, 'oldlamp')).filter(({ name }) => name.includes('oldlamp'));
      const fresh = (await find(service, 'newlamp')).filter(({ name }) => name.includes('newlamp'));
      seen.push({ old: old.length, fresh: fresh.length });
    };
    // More rows than a batch holds, because rows already written must not be visible.
    const rows = [...lamps(20, 'newlamp'), ...lamps(500).slice(20)];
    async function* slowly() {
      for (const [index, row] of rows.entries()) {
        yield jsonLines([row]);
        if (index % 100 === 99) await look();
      }
      await look();
    }
    await service.importText(slowly());
    expect(new Set(seen.map(({ old, fresh }) => `${old} old, ${fresh} new`))).toEqual(
      new Set(['20 old, 0 new']),
    );
    seen.length = 0;
    await look();
    expect(seen).toEqual([{ old: 0, fresh: 20 }]);
  });

  test('importing the same file again changes nothing, and no vector is computed twice', async () => {
    const service = await open();
    const text = jsonLines(lamps(30));
    expect(counts(await service.importText(text))).toEqual({ ...NOTHING, new: 30 });
    await service.embedAll();
    const before = await find(service, 'lamp');
    const askedBefore = service.model.asked.length;
    expect(counts(await service.importText(text))).toEqual({ ...NOTHING, same: 30 });
    await service.embedAll();
    expect(service.model.asked.length).toBe(askedBefore);
    expect(await find(service, 'lamp')).toEqual(before);
  });

  test('a new price is visible immediately and keeps the vector; a new text is embedded again', async () => {
    const service = await open();
    await service.operator.importRows(lamps(2));
    await service.embedAll();
    const askedBefore = service.model.asked.length;
    const [first, second] = lamps(2) as [object, object];
    const rows = [
      { ...first, price: '12.50' },
      { ...second, name: 'Copper lamp' },
    ];
    expect(counts(await service.importText(jsonLines(rows)))).toEqual({ ...NOTHING, changed: 2 });
    await service.embedAll();
    const asked = service.model.asked.slice(askedBefore);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Copper lamp');
    const prices = Object.fromEntries(
      (await find(service, 'lamp')).map(({ name, price }) => [name, price]),
    );
    expect(prices).toEqual({ 'Brass lamp 0': '12.50', 'Copper lamp': '10.00' });
  });

  test('rows that are not in the file stay', async () => {
    const service = await open();
    await service.operator.importRows(lamps(3));
    await service.operator.importRows([{ externalId: 'other', name: 'Other lamp' }]);
    expect(await find(service, 'lamp')).toHaveLength(4);
  });

  test('ids derive from the shop and the external id, on every machine', async () => {
    const first = await open();
    const second = await open();
    const idsOf = async (service: LocalService) => {
      await service.operator.importRows(lamps(5));
      const found = await find(service, 'lamp');
      return found.map(({ externalId, id }) => `${externalId} ${id}`).sort();
    };
    const ids = await idsOf(first);
    expect(first.shop.id).toBe(second.shop.id);
    expect(await idsOf(second)).toEqual(ids);
    expect(ids).toEqual(
      lamps(5).map(({ externalId }) => `${externalId} ${catalogItemId(first.shop.id, externalId)}`),
    );
  });

  test('an item from another route with the same slug keeps its first id', async () => {
    const service = await open();
    await service.operator.importRows(lamps(1));
    const [{ id }] = (await find(service, 'lamp')) as [Found];
    const csv =
      'Handle,Title,Body (HTML),Vendor,Variant Price\nbrass-lamp-0,Brass lamp from CSV,,V,11.00\n';
    expect(counts(await service.importText(csv, { format: 'shopify-csv' }))).toMatchObject({
      new: 0,
      changed: 1,
    });
    const [found, ...others] = await find(service, 'lamp');
    expect([found!.id, found!.name, others]).toEqual([id, 'Brass lamp from CSV', []]);
    // And by the first route again, under its first external id: still the same.
    await service.importText(jsonLines([{ ...lamps(1)[0], name: 'Brass lamp again' }]));
    expect((await find(service, 'lamp')).map((item) => [item.id, item.name])).toEqual([
      [id, 'Brass lamp again'],
    ]);
  });

  test('two rows of one file with the same slug are two items', async () => {
    const service = await open();
    const rows = [
      { externalId: 'a', name: 'Lamp', slug: 'same' },
      { externalId: 'b', name: 'Lamp', slug: 'same' },
    ];
    expect(counts(await service.importText(jsonLines(rows)))).toMatchObject({ new: 2 });
  });

  test('the first of two rows with the same external id is taken, the second reported', async () => {
    const service = await open();
    const rows = [
      { externalId: 'a', name: 'First lamp' },
      { externalId: 'a', name: 'Second lamp' },
    ];
    expect(counts(await service.importText(jsonLines(rows)))).toMatchObject({
      new: 1,
      rejected: 1,
    });
    expect((await find(service, 'lamp')).map(({ name }) => name)).toEqual(['First lamp']);
  });

  test('a dry run counts and changes nothing', async () => {
    const service = await open();
    await service.operator.importRows(lamps(2));
    const version = service.services.directory.indexVersion(1);
    const text = jsonLines([...lamps(3), { externalId: 'bad' }]);
    const summary = await service.importText(text, { dryRun: true });
    expect(counts(summary)).toMatchObject({ new: 1, same: 2, rejected: 1 });
    expect(await find(service, 'lamp')).toHaveLength(2);
    expect(service.services.directory.indexVersion(1)).toBe(version);
  });

  test('an interrupted import leaves the old catalogue, and the next one works', async () => {
    const service = await open();
    await service.operator.importRows(lamps(3, 'oldlamp'));
    async function* breaking() {
      yield jsonLines(lamps(450, 'newlamp'));
      throw new Error('the line went dead');
    }
    await expect(service.importText(breaking())).rejects.toThrow('the line went dead');
    expect((await find(service, 'oldlamp')).map(({ name }) => name)).toHaveLength(3);
    expect((await find(service, 'newlamp')).filter(({ name }) => name.includes('newlamp'))).toEqual(
      [],
    );
    const stats = await service.perform<CatalogStats>('catalog.stats', {});
    expect(stats.shops[0]!.lastImport!.state).toBe('failed');
    expect(counts(await service.importText(jsonLines(lamps(5, 'newlamp'))))).toMatchObject({
      new: 2,
      changed: 3,
    });
    expect(await find(service, 'newlamp')).toHaveLength(5);
  });

  test('concurrent imports run one after the other', async () => {
    const service = await open();
    const summaries = await Promise.all([
      service.importText(jsonLines(lamps(250))),
      service.importText(jsonLines(lamps(260))),
    ]);
    expect(summaries.map((summary) => summary.new)).toEqual([250, 10]);
    expect(await service.perform<CatalogStats>('catalog.stats', {})).toMatchObject({
      offerings: 260,
    });
  });

  test('a catalogue changed many times over shows the last version of each row alone', async () => {
    const service = await open();
    for (let round = 0; round < 6; round++) {
      await service.importText(
        jsonLines(lamps(4).map((row) => ({ ...row, price: `${round}.00` }))),
      );
    }
    expect((await find(service, 'lamp')).map(({ price }) => price)).toEqual(Array(4).fill('5.00'));
  });
});

describe('embedding', () => {
  const embedOnce = ({ services }: LocalService) =>
    embedNextDocuments(services, new AbortController().signal);
  const progress = async ({ perform }: LocalService) => {
    const { offerings, contexts, embedded } = await perform<CatalogStats>('catalog.stats', {});
    return `${embedded} of ${offerings + contexts}`;
  };

  test('words are found as soon as the import commits; vectors follow and report their progress', async () => {
    const service = await open();
    await service.operator.importRows(lamps(100));
    expect(await find(service, 'lamp')).toHaveLength(100);
    expect(await progress(service)).toBe('0 of 100');
    expect(await embedOnce(service)).toBe(true);
    expect(await progress(service)).toBe('64 of 100');
    await service.embedAll();
    expect(await progress(service)).toBe('100 of 100');
    expect(await embedOnce(service)).toBe(false);
  });

  test('embedding waits while an import is written', async () => {
    const service = await open();
    await service.operator.importRows(lamps(3));
    await service.services.importMutex.run(async () =>
      expect(await embedOnce(service)).toBe(false),
    );
    expect(service.model.asked).toEqual([]);
    expect(await embedOnce(service)).toBe(true);
  });

  test('a restart midway continues where embedding stopped', async () => {
    const service = await startService();
    await service.operator.importRows(lamps(100));
    await embedOnce(service);
    await service.services.close();
    folders.push(service);
    const again = await open({ folder: service.folder, platform: service.platform });
    expect(await progress(again)).toBe('64 of 100');
    await again.embedAll();
    expect(await progress(again)).toBe('100 of 100');
    expect(again.model.asked.filter((text) => text.includes('lamp'))).toHaveLength(36);
  });

  test('another model embeds everything again', async () => {
    const service = await startService();
    await service.operator.importRows(lamps(20));
    await service.embedAll();
    await service.services.close();
    const model = new StandInModel();
    const again = await open({
      folder: service.folder,
      platform: service.platform,
      embedder: embedderOf(model, 'another'),
    });
    // The first question shows which model it is now; vectors of another one do not count from then on.
    expect(await find(again, 'brass')).toHaveLength(20);
    await again.embedAll();
    expect(model.asked.slice(1)).toHaveLength(20);
    expect(await progress(again)).toBe('20 of 20');
  });

  test('a broken model leaves word search only, and embedding completes once the model recovers', async () => {
    const service = await open();
    await service.operator.importRows(lamps(5));
    service.model.condition = 'broken';
    await expect(embedOnce(service)).rejects.toThrow('cannot answer');
    expect(await progress(service)).toBe('0 of 5');
    expect(await find(service, 'lamp')).toHaveLength(5);
    service.model.condition = 'well';
    await service.embedAll();
    expect(await progress(service)).toBe('5 of 5');
  }, 60_000);

  test('the worker retries at growing intervals while the model is broken', async () => {
    const service = await open();
    await service.operator.importRows(lamps(1));
    service.model.condition = 'broken';
    const asked = service.model.nextAsked();
    service.services.startWorkers();
    await asked;
    for (let round = 0; round < 5; round++) {
      await service.platform.yield();
      await service.platform.yield();
      service.platform.advance(500);
    }
    const failures = service.platform.logged.filter(({ event }) => event === 'loop_failed');
    expect(failures.length).toBeWithin(1, 4);
  });

  test('without a model there is nothing to wait for', async () => {
    const service = await open({ embedder: null });
    await service.operator.importRows(lamps(1));
    expect(await embedOnce(service)).toBe(false);
    expect(await service.perform<CatalogStats>('catalog.stats', {})).toMatchObject({
      meaning: false,
      embedded: 0,
    });
  });
});
