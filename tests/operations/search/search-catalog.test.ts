import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sampleFiles } from '../../../src/assets/sample-files.ts';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { type SearchAnswer, searchCatalog } from '../../../src/operations/search/search-catalog.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const QUESTIONS = readFileSync(new URL('../../relevance/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { question: string }).question);

const never = new AbortController().signal;

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await service.importText(sampleFiles().offerings.replaceAll('"pictures/', '"https://x.example/'));
  for (const { text } of sampleFiles().contexts) {
    await service.importText(text, { format: 'markdown' });
  }
  await service.embedAll();
});

afterAll(() => service.close());

interface Scope {
  /** Handles; null: every shop. */
  readonly shops?: readonly string[] | null;
  readonly productsOnly?: boolean;
}

function ask(
  question: string,
  { services, organization }: LocalService = service,
  { shops = null, productsOnly = false }: Scope = {},
): Promise<SearchAnswer> {
  const { key } = services.directory.findOrganization(organization.id)!;
  const chosen =
    shops && services.directory.shopsOf(key).filter(({ handle }) => shops.includes(handle));
  const page = { productsOnly, skipScoring: false, offset: 0, limit: 30 };
  return searchCatalog(services, { organizationKey: key, shops: chosen, question, ...page });
}

function keyOf({ services, organization }: LocalService = service): number {
  return services.directory.findOrganization(organization.id)!.key;
}

/** An answer without its timings. */
function substance({ results, timings: _, facets, ...answer }: SearchAnswer) {
  return {
    ...answer,
    facets,
    results: results.map(({ stored, matchedOn, explanation, highlights }) => ({
      id: stored.id,
      matchedOn,
      explanation,
      highlights,
    })),
  };
}

/** Dozens of questions, each asked twice, on a machine under load. */
const LONG_MS = 60_000;

const SCOPES: readonly Scope[] = [
  {},
  { productsOnly: true },
  { shops: ['shop-1'] },
  { shops: ['second'], productsOnly: true },
  { shops: ['shop-1', 'third'] },
  { shops: ['third'] },
  { shops: [] },
];

test(
  'a search of some shops or of products only finds nothing else',
  async () => {
    const several = await startService();
    for (const handle of ['second', 'third'])
      await several.perform('shop.create', { name: handle, handle, currency: 'EUR' });
    const lines = sampleFiles()
      .offerings.replaceAll('"pictures/', '"https://x.example/')
      .trim()
      .split('\n');
    // Half of the second shop's items are also in the first, with the same words and other ids.
    await several.importText(`${lines.slice(0, 60).join('\n')}\n`, { shop: 'shop-1' });
    await several.importText(`${lines.slice(30, 90).join('\n')}\n`, { shop: 'second' });
    for (const { text } of sampleFiles().contexts)
      await several.importText(text, { format: 'markdown', shop: 'third' });
    await several.embedAll();
    const asked = QUESTIONS.filter((_, at) => at % 13 === 0).flatMap((question) =>
      SCOPES.map((scope) => ({ question, scope })),
    );
    const answers: SearchAnswer[] = [];
    for (const { question, scope } of asked) answers.push(await ask(question, several, scope));
    for (const [at, { scope }] of asked.entries())
      for (const { stored, shop } of answers[at]!.results) {
        expect(scope.shops ?? [shop.handle]).toContain(shop.handle);
        if (scope.productsOnly === true) expect(stored.item.type).toBe('product');
      }
    const found = SCOPES.map((_, scope) =>
      answers.some(({ total }, at) => at % SCOPES.length === scope && total > 0),
    );
    expect(found).toEqual(SCOPES.map(({ shops }) => shops?.length !== 0));
    await several.close();
  },
  LONG_MS,
);

test('an import, and a rollback, is served from memory from its commit on', async () => {
  const { indexes } = service.services;
  while (await indexes.loadNext(never));
  await service.importText('{"externalId":"zeppelin","name":"Zeppelin lamp","price":"12.00"}\n');
  const added = indexes.find(keyOf())!;
  expect(added.layers.overlay!.index.size).toBe(1);
  expect((await ask('zeppelin')).results[0]!.stored.item.externalId).toBe('zeppelin');
  await service.importText('{"externalId":"zeppelin","name":"Zeppelin lamp","price":"9.00"}\n');
  expect(indexes.find(keyOf())).not.toBeNull();
  const [cheaper] = (await ask('zeppelin under 10')).results;
  expect(cheaper!.stored.item).toMatchObject({ externalId: 'zeppelin', priceMinor: 900 });
  expect((await ask('zeppelin')).facets.price[0]!.minMinor).toBe(900);
  await service.perform('catalog.rollback', {});
  // A generation that was rolled back may return with other texts under the same keys.
  expect(indexes.find(keyOf())!.layers.overlay).toBeNull();
  const [dearer] = (await ask('zeppelin')).results;
  expect(dearer!.stored.item).toMatchObject({ externalId: 'zeppelin', priceMinor: 1200 });
});

test('without a search a catalogue is loaded at the start, once and with its vectors', async () => {
  const former = await startService();
  await former.importText('{"externalId":"a","name":"lamp"}\n');
  await former.embedAll();
  await former.services.close();
  const platform = fakePlatform(1);
  const started = await startService({ folder: former.folder, platform });
  const { indexes, embeddings } = started.services;
  started.services.startWorkers();
  await platform.yield();
  expect(indexes.byteSize).toBe(0);
  for (let round = 0; indexes.byteSize === 0 && round < 1000; round++) {
    platform.advance(50);
    await platform.yield();
  }
  expect(indexes.find(keyOf(started))!.modelKey).toBe(embeddings.model!.key);
  expect(indexes.waitingForVectors(embeddings.model!.key, 1)).toEqual([]);
  await started.close();
  former.discard();
});

test('a search of a catalogue that has changed waits until it is in memory', async () => {
  const { indexes, directory, db } = service.services;
  while (await indexes.loadNext(never));
  await db.write([{ sql: 'UPDATE shops SET revision = revision + 1', args: [] }]);
  await directory.reload();
  expect(indexes.find(keyOf())).toBeNull();
  expect((await ask('zeppelin')).results[0]!.stored.item.externalId).toBe('zeppelin');
  expect(indexes.find(keyOf())).not.toBeNull();
});

test('a catalogue that changes while it is loading is still loaded, and then updated', async () => {
  const changing = await startService({ embedder: null });
  await changing.importText('{"externalId":"a","name":"lamp"}\n{"externalId":"b","name":"rug"}\n');
  const { indexes } = changing.services;
  indexes.find(keyOf(changing));
  const loading = indexes.loadNext(never);
  await changing.importText('{"externalId":"c","name":"mug"}\n');
  await loading;
  while (await indexes.loadNext(never));
  expect(indexes.find(keyOf(changing))!.index.size).toBe(3);
  await changing.close();
});

/** A shop's rows and the answers to a few questions, however the index was built. */
const arbitraryEdits = fc.array(
  fc.array(
    fc.record({
      externalId: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `item-${at}`)),
      name: fc.constantFrom(
        'oak desk',
        'oak shelf',
        'pine desk',
        'desk lamp',
        'rag rug',
        'lampshade',
      ),
      price: fc.constantFrom('5.00', '15.00', '25.00'),
      availability: fc.constantFrom('in_stock', 'out_of_stock'),
      vendor: fc.constantFrom('Kiln', 'Acme'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 5 },
);

test(
  'after any imports the index that was kept up to date answers as one that is loaded anew',
  async () => {
    const rows = (items: readonly object[]) =>
      items.map((item) => `${JSON.stringify(item)}\n`).join('');
    const first = Array.from({ length: 40 }, (_, at) => {
      return { externalId: `item-${at}`, name: `oak desk ${at}`, price: '10.00', vendor: 'Kiln' };
    });
    await fc.assert(
      fc.asyncProperty(arbitraryEdits, async (edits) => {
        const kept = await startService();
        await kept.importText(rows(first));
        await kept.embedAll();
        kept.services.indexes.find(keyOf(kept));
        while (await kept.services.indexes.loadNext(never));
        for (const edit of edits) {
          await kept.importText(rows(edit));
          expect(kept.services.indexes.find(keyOf(kept))).not.toBeNull();
        }
        await kept.embedAll();
        const questions = [
          'oak desk',
          'desk lamp under 20',
          'lmap',
          'lampshade in stock',
          'kiln rug',
        ];
        const answersOf = async () => {
          const answers = [];
          for (const question of questions) answers.push(substance(await ask(question, kept)));
          return answers;
        };
        const asKept = await answersOf();
        const indexes = new IndexKeeper({
          ...{ ...kept.services, budgetBytes: 1 << 30, archive: null },
        });
        indexes.find(keyOf(kept));
        await indexes.loadNext(never);
        expect(indexes.find(keyOf(kept))!.layers.overlay).toBeNull();
        const anew = { ...kept, services: { ...kept.services, indexes } };
        for (const [at, question] of questions.entries())
          expect(substance(await ask(question, anew))).toEqual(asKept[at]!);
        await kept.close();
      }),
      { numRuns: 5 },
    );
  },
  LONG_MS,
);

test('a vector that is computed later is found in memory', async () => {
  const later = await startService();
  await later.importText('{"externalId":"a","name":"lamp"}\n{"externalId":"b","name":"rug"}\n');
  await later.services.embeddings.questionVector('lamp');
  later.services.indexes.find(keyOf(later));
  while (await later.services.indexes.loadNext(never));
  expect((await ask('lamp', later)).results[0]!.matchedOn).not.toContain('meaning');
  await later.embedAll();
  expect(later.services.indexes.find(keyOf(later))).not.toBeNull();
  expect((await ask('lamp', later)).results[0]!.matchedOn).toContain('meaning');
  await later.close();
});
