import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { CatalogStats } from '../../../src/operations/imports/catalog-stats.ts';
import type { ImportSummary } from '../../../src/operations/imports/import-catalog.ts';
import type { Rollback } from '../../../src/operations/imports/rollback-catalog.ts';
import { CATALOG, jsonLines } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const opened: LocalService[] = [];

async function open(): Promise<LocalService> {
  const service = await startService({ embedder: null });
  opened.push(service);
  return service;
}

afterEach(async () => {
  for (const service of opened.splice(0)) await service.close();
});

const lamps = (count: number, price = '10.00') =>
  Array.from({ length: count }, (_, index) => ({
    externalId: `lamp-${index}`,
    name: `Brass lamp ${index}`,
    price,
  }));

interface Exported {
  readonly externalId: string;
  readonly name: string;
  readonly price?: string;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exported);

async function prices(service: LocalService): Promise<Record<string, string | undefined>> {
  const lines = linesOf(await service.exportText());
  return Object.fromEntries(
    lines
      .map(({ externalId, price }): [string, string | undefined] => [externalId, price])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

async function found(service: LocalService, question: string): Promise<number> {
  const response = await service.fetch(`/rest/search/v3/?q=${question}&limit=100`);
  return ((await response.json()) as { total: number }).total;
}

describe('full', () => {
  test('items missing from the file are archived, and return with the same id', async () => {
    const service = await open();
    await service.importText(jsonLines(lamps(5)));
    const before = await service.exportText();
    const summary = await service.importText(jsonLines(lamps(3)), { full: true });
    expect(summary).toMatchObject({ new: 0, same: 3, archived: 2 });
    expect(await found(service, 'lamp')).toBe(3);
    expect(await service.importText(jsonLines(lamps(5)), { full: true })).toMatchObject({
      new: 2,
      archived: 0,
    });
    expect(await service.exportText()).toBe(before);
  });

  // A quarter of 84 is 21: the first number above both limits is 22.
  test.each([
    [40, 20, true],
    [40, 21, false],
    [84, 21, true],
    [84, 22, false],
  ])('of %d items it archives %d: %p', async (count, missing, isTaken) => {
    const service = await open();
    await service.importText(jsonLines(lamps(count)));
    const text = jsonLines(lamps(count - missing, '11.00'));
    const importing = service.importText(text, { full: true });
    if (isTaken) {
      expect(await importing).toMatchObject({ changed: count - missing, archived: missing });
      return;
    }
    await expect(importing).rejects.toThrow(
      `The file lacks ${missing} of ${count} items, more than a quarter: nothing was changed.`,
    );
    expect(Object.values(await prices(service))).toEqual(Array(count).fill('10.00'));
    const summary = await service.importText(text, { full: true, allowShrink: true });
    expect(summary).toMatchObject({ changed: count - missing, archived: missing });
  });

  test('a record with a fault keeps its existing item', async () => {
    const service = await open();
    await service.importText(jsonLines(lamps(3)));
    const rows = [lamps(1)[0], { externalId: 'lamp-1', name: 'Brass lamp 1', price: 'ten' }];
    expect(await service.importText(jsonLines(rows as object[]), { full: true })).toMatchObject({
      same: 1,
      rejected: 1,
      archived: 1,
    });
    expect(await prices(service)).toEqual({ 'lamp-0': '10.00', 'lamp-1': '10.00' });
  });

  test('a dry run reports what would be archived, and refuses what an import would refuse', async () => {
    const service = await open();
    await service.importText(jsonLines(lamps(50)));
    const dry = { full: true, dryRun: true };
    expect(await service.importText(jsonLines(lamps(45)), dry)).toMatchObject({ archived: 5 });
    await expect(service.importText(jsonLines(lamps(1)), dry)).rejects.toThrow('lacks 49 of 50');
    expect(await found(service, 'lamp')).toBe(50);
  });
});

describe('strict', () => {
  test('one fault prevents every change; without faults everything changes', async () => {
    const service = await open();
    const rows = [...lamps(2), { externalId: 'nameless' }];
    await expect(service.importText(jsonLines(rows), { strict: true })).rejects.toThrow(
      'There are faults and --strict is set: nothing was changed.',
    );
    expect(await service.exportText()).toBe('');
    await service.importText(jsonLines(lamps(2)), { strict: true });
    expect(Object.keys(await prices(service))).toHaveLength(2);
  });
});

describe('rollback', () => {
  test('restores the catalogue from before the last import, once, also in memory', async () => {
    const service = await open();
    service.services.startWorkers();
    const rollBack = () => service.perform<Rollback>('catalog.rollback', {});
    await expect(rollBack()).rejects.toThrow('There is nothing to roll back in shop-1');
    await service.importText(jsonLines(lamps(3)));
    const before = await service.exportText();
    const fresh = [...lamps(2, '11.00'), { externalId: 'x', name: 'Copper lamp' }];
    await service.importText(jsonLines(fresh), { full: true });
    // Nothing changed, nothing to take back: it is the import before that is.
    await service.importText(jsonLines(fresh));
    expect(await found(service, 'copper')).toBe(1);
    expect(await rollBack()).toMatchObject({
      shop: 'shop-1',
      takenBack: { source: 'catalog.jsonl' },
      offerings: 3,
      contexts: 0,
    });
    expect(await service.exportText()).toBe(before);
    expect(await found(service, 'lamp')).toBe(3);
    const [shop] = (await service.perform<CatalogStats>('catalog.stats', {})).shops;
    expect(shop).toMatchObject({ canRollBack: false });
    await expect(rollBack()).rejects.toThrow('There is nothing to roll back in shop-1');
    expect(await service.importText(jsonLines(fresh))).toMatchObject({ new: 1, changed: 2 });
    expect(await found(service, 'copper')).toBe(1);
  });

  test('stats report an import that was rolled back, and its faults', async () => {
    const service = await open();
    await service.importText(jsonLines([...lamps(1), { externalId: 'nameless' }]));
    const last = async () =>
      (await service.perform<CatalogStats>('catalog.stats', {})).shops[0]!.lastImport;
    expect(await last()).toMatchObject({
      state: 'committed',
      faults: 1,
      summary: { new: 1, archived: 0, rejected: 1 },
    });
    await service.perform('catalog.rollback', {});
    expect(await last()).toMatchObject({ state: 'rolled_back' });
  });
});

describe('export', () => {
  test('importing it changes nothing, and exporting again gives the same bytes', async () => {
    const service = await open();
    await service.importText(jsonLines(CATALOG));
    const text = await service.exportText();
    const count = linesOf(text).length;
    expect(count).toBe(CATALOG.length);
    const summary = await service.importText(text, { full: true });
    expect(summary).toMatchObject({ new: 0, changed: 0, same: count, archived: 0, rejected: 0 });
    expect(await service.exportText()).toBe(text);
  });

  test('a Shopify CSV also survives an export and import unchanged, on another machine too', async () => {
    const csv = [
      'Handle,Title,Body (HTML),Vendor,Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price,Image Src',
      'anorak,Anorak,<p>Warm &amp; dry</p>,Nord,Jackets,"rain, sea",Size,S,AN-S,80.00,90.00,https://cdn.example/a.jpg',
      'anorak,,,,,,,M,AN-M,70.00,,https://cdn.example/b.jpg',
      'mug,Mug,,Clay,,,Title,Default Title,,9.5,,',
    ].join('\n');
    const service = await open();
    await service.importText(csv, { format: 'shopify-csv' });
    const text = await service.exportText();
    expect(await service.importText(text)).toMatchObject({ new: 0, changed: 0, same: 2 });
    const other = await open();
    await other.importText(text);
    expect(await other.exportText()).toBe(text);
  });

  test('is a consistent snapshot, even during an import', async () => {
    const service = await open();
    await service.importText(jsonLines(lamps(250)));
    const texts: string[] = [];
    await service.perform('catalog.export', {}, async (event) => {
      if (texts.push((event as { lines: string }).lines) === 1)
        await service.importText(jsonLines(lamps(250, '11.00')));
    });
    const seen = linesOf(texts.join(''));
    expect([seen.length, new Set(seen.map(({ price }) => price))]).toEqual([
      250,
      new Set(['10.00']),
    ]);
    const twice = service.perform('catalog.export', {}, async () => {
      await service.importText(jsonLines(lamps(250, '12.00')));
      await service.importText(jsonLines(lamps(250, '13.00')));
    });
    await expect(twice).rejects.toThrow('changed more than once during the export');
  });
});

/** A shop as anybody would write it down: what is seen, and what a rollback brings back. */
interface Model {
  seen: ReadonlyMap<string, Row>;
  before: ReadonlyMap<string, Row> | null;
}

interface Row {
  readonly externalId: string;
  readonly name: string;
}

const row = fc
  .record({
    id: fc.nat(12),
    kind: fc.constantFrom('product', 'service', 'context'),
    edition: fc.nat(2),
  })
  .map(
    ({ id, kind, edition }): Row => ({
      externalId: `${kind}-${id}`,
      name: `${kind} ${id} edition ${edition}`,
      ...(kind === 'context' ? { type: 'context', description: `text ${edition}` } : {}),
      ...(kind === 'service' ? { kind: 'service', price: `${edition}.00` } : {}),
      ...(kind === 'product'
        ? { variants: [{ id: `v${id}`, price: `${edition + 1}.00`, options: { Size: 'M' } }] }
        : {}),
    }),
  );
const rows = fc.uniqueArray(row, { selector: ({ externalId }) => externalId, maxLength: 12 });
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('upsert', 'full', 'dry'), rows }),
  fc.record({ kind: fc.constantFrom('rollback', 'reimport'), rows: fc.constant([]) }),
);

const same = (left: Row | undefined, right: Row) => JSON.stringify(left) === JSON.stringify(right);

/** Does the step to the model, and says what an import has to answer. */
function take(model: Model, kind: string, given: readonly Row[]): Partial<ImportSummary> {
  const isFull = kind === 'full';
  const next = new Map(isFull ? [] : model.seen);
  for (const given_ of given) next.set(given_.externalId, given_);
  const archived = [...model.seen.keys()].filter((id) => !next.has(id)).length;
  const expected = {
    new: given.filter(({ externalId }) => !model.seen.has(externalId)).length,
    same: given.filter((one) => same(model.seen.get(one.externalId), one)).length,
    archived,
    changed: 0,
  };
  expected.changed = given.length - expected.new - expected.same;
  const hasChanged = expected.new + expected.changed + archived > 0;
  if (kind !== 'dry' && hasChanged) {
    model.before = model.seen;
    model.seen = next;
  }
  return expected;
}

/** Stored versions that no entry of `item_ids` leads to, and entries that lead to none. */
async function idFaults(service: LocalService): Promise<unknown[]> {
  const sql = `SELECT coalesce(i.id, n.id) AS id FROM items i FULL JOIN item_ids n
    ON n.item_key = i.key AND n.id = i.id AND n.shop_key = i.shop_key AND n.first_generation = i.first_generation
    WHERE i.key IS NULL OR n.item_key IS NULL`;
  return service.services.db.all({ sql, args: [] });
}

test('any sequence of imports, rollbacks and exports matches a naive model, and each stored version has its id', async () => {
  const service = await open();
  const model: Model = { seen: new Map(), before: null };
  const names = (of: ReadonlyMap<string, Row>) => [...of.values()].map(({ name }) => name).sort();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { kind, rows: given } of steps) {
        if (kind === 'rollback') {
          const rollingBack = service.perform('catalog.rollback', {});
          if (model.before === null)
            await expect(rollingBack).rejects.toThrow('nothing to roll back');
          else {
            await rollingBack;
            model.seen = model.before;
            model.before = null;
          }
        } else if (kind === 'reimport') {
          const summary = await service.importText(await service.exportText(), { full: true });
          expect(summary).toMatchObject({ new: 0, changed: 0, same: model.seen.size, archived: 0 });
        } else {
          const options = { full: kind === 'full', allowShrink: true, dryRun: kind === 'dry' };
          const summary = await service.importText(jsonLines(given), options);
          expect(summary).toMatchObject(take(model, kind, given));
        }
        const exported = linesOf(await service.exportText());
        expect(exported.map(({ name }) => name).sort()).toEqual(names(model.seen));
      }
      expect(await found(service, 'edition')).toBe([...model.seen.values()].length);
      expect(await idFaults(service)).toEqual([]);
    }),
    { numRuns: 30 },
  );
}, 60_000);
