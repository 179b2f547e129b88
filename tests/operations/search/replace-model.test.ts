import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { embedNextDocuments } from '../../../src/operations/search/embed-next-documents.ts';
import { closeUnusedModels } from '../../../src/operations/search/replace-model.ts';
import { jsonLines } from '../../support/catalog.ts';
import {
  A,
  B,
  C,
  CONCEPTS,
  type ConceptModel,
  conceptEmbedder,
  formerModels,
  type ModelLog,
  newModelLog,
  RIDDLE,
} from '../../support/concept-models.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { type LocalService, startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** More than two batches. */
const ITEMS = 150;
const ROWS = Array.from({ length: ITEMS }, (_, at) => ({
  externalId: `${at}`,
  name: `${CONCEPTS[at % CONCEPTS.length]} ${at}`,
}));

let starts = 0;

const never = new AbortController().signal;

let running: LocalService | null = null;
/** A closed folder whose items have vectors of A. Each test works on a copy. */
const original = temporaryFolder();
const copies: string[] = [];

beforeAll(async () => {
  const service = await restart({ folder: original.path, log: newModelLog() }, A);
  await service.importText(jsonLines(ROWS));
  await service.embedAll();
  await service.close();
  running = null;
});
afterEach(async () => {
  await running?.close();
  running = null;
});
afterAll(() => {
  original.remove();
  for (const copy of copies) rmSync(copy, { recursive: true });
});

interface Shop {
  readonly folder: string;
  readonly log: ModelLog;
}

function embeddedByA(): Shop {
  const folder = `${original.path}-${copies.length}`;
  copies.push(folder);
  cpSync(original.path, folder, { recursive: true });
  return { folder, log: newModelLog() };
}

/** Starts the service anew with a model, and with those before it that can still be opened. */
async function restart(
  { folder, log }: Shop,
  model: ConceptModel,
  formers: readonly ConceptModel[] = [A, B, C],
): Promise<LocalService> {
  await running?.close();
  log.closed.length = 0;
  running = await startService({
    folder,
    // Its ids differ from those of the one before.
    platform: fakePlatform(++starts),
    embedder: conceptEmbedder(model, log),
    openFormer: formerModels(formers, log),
  });
  await running.services.embeddings.load();
  return running;
}

const next = ({ services }: LocalService) => embedNextDocuments(services, never);

async function load({ services }: LocalService): Promise<void> {
  services.indexes.find(services.directory.organizations()[0]!.key);
  while (await services.indexes.loadNext(never));
}

/** The concept of everything that is found for the riddle; empty if nothing is. */
async function answer(service: LocalService, organization = service): Promise<string> {
  const path = `/rest/search/v3/?q=${RIDDLE}&limit=5&skip_scoring=true`;
  const response = await organization.fetch(path);
  const { results } = (await response.json()) as { results: { name: string }[] };
  return [...new Set(results.map(({ name }) => name.split(' ')[0]!))].join(' ');
}

/** The answers from now until every vector is made, without repeats; `between` runs before each. */
async function answersMeanwhile(
  service: LocalService,
  between: () => Promise<void> = async () => undefined,
): Promise<{ answers: string[]; batches: number }> {
  const answers: string[] = [];
  let batches = 0;
  for (let hasMore = true; hasMore; batches += 1) {
    await between();
    const found = await answer(service);
    if (answers.at(-1) !== found) answers.push(found);
    hasMore = await next(service);
  }
  return { answers, batches };
}

test('the former index serves until it holds all new vectors, and never a mixture', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B);
  await load(service);
  const { indexes, directory } = service.services;
  const { key } = directory.organizations()[0]!;
  let missing = 0;
  const { answers, batches } = await answersMeanwhile(service, async () => {
    if (indexes.find(key) === null) missing += 1;
  });
  expect([answers, missing]).toEqual([[A.riddle], 0]);
  expect(batches).toBeGreaterThan(ITEMS / 64);
  expect(shop.log.embedded).toEqual(Array.from({ length: ITEMS }, () => B.tag));
  const former = indexes.find(key)!;
  await load(service);
  expect(await answer(service)).toBe(B.riddle);
  // Words were not read again.
  expect(indexes.find(key)!.index.terms).toBe(former.index.terms);
});

test('after a restart in between, the former vectors go on answering and nothing is made twice', async () => {
  const shop = embeddedByA();
  await next(await restart(shop, B));
  const service = await restart(shop, B);
  await load(service);
  expect(await answer(service)).toBe(A.riddle);
  await service.embedAll();
  await load(service);
  expect(await answer(service)).toBe(B.riddle);
  expect(shop.log.embedded).toHaveLength(ITEMS);
});

test('a third model in between: the first one answers until the third is there', async () => {
  const shop = embeddedByA();
  await next(await restart(shop, B));
  const service = await restart(shop, C);
  const { answers } = await answersMeanwhile(service);
  expect(answers).toEqual([A.riddle]);
  await load(service);
  expect(await answer(service)).toBe(C.riddle);
});

test('back to the first model in between: its vectors are put back, and none is made', async () => {
  const shop = embeddedByA();
  await next(await restart(shop, B));
  shop.log.embedded.length = 0;
  const service = await restart(shop, A);
  await load(service);
  const { answers } = await answersMeanwhile(service);
  expect([answers, shop.log.embedded]).toEqual([[A.riddle], []]);
  expect(await statsOf(service)).toMatchObject({ embedded: ITEMS, replacement: null });
});

interface Stats {
  readonly embedded: number;
  readonly replacement: unknown;
}
const statsOf = (service: LocalService) => service.perform<Stats>('catalog.stats', {});

test('statistics say how far the replacement is', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B);
  await next(service);
  expect(await statsOf(service)).toMatchObject({
    embedded: ITEMS,
    replacement: { former: A.tag, model: B.tag, done: 64, total: ITEMS },
  });
  await service.embedAll();
  expect(await statsOf(service)).toMatchObject({ embedded: ITEMS, replacement: null });
});

test('statistics say that the model is loading, before which a replacement is not known', async () => {
  const service = await restart(embeddedByA(), A);
  const { embeddings } = service.services;
  const loaded = embeddings.warmUp(never);
  expect(await statsOf(service)).toMatchObject({ loadingModel: true, replacement: null });
  service.platform.advance(100);
  await loaded;
  expect(await statsOf(service)).toMatchObject({ loadingModel: false });
});

test('what is imported meanwhile is found by the former vectors, and an unchanged text keeps its own', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B);
  await load(service);
  await next(service);
  const found = async () => {
    const response = await service.fetch(`/rest/search/v3/?q=${RIDDLE}&limit=9&skip_scoring=true`);
    const { results } = (await response.json()) as { results: { externalId: string }[] };
    return results.map(({ externalId }) => externalId).sort();
  };
  // The first item has both vectors by now. It gets a price, and the others of its kind go.
  const kept = ROWS.filter(({ name }, at) => at === 0 || !name.startsWith(A.riddle));
  const priced = kept.map((row) => ({ ...row, price: '9.00' }));
  await service.importText(jsonLines(priced), { full: true, allowShrink: true });
  expect(await found()).toEqual(['0']);
  await service.importText(jsonLines([{ externalId: 'new', name: `${A.riddle} new` }]));
  await next(service);
  expect(await found()).toEqual(['0', 'new']);
  await load(service);
  expect(await found()).toEqual(['0', 'new']);
  await service.embedAll();
  await load(service);
  expect(await answer(service)).toBe(B.riddle);
});

test('a former model that is gone gives way at once: words alone, then the new vectors', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B, []);
  expect(await answer(service)).toBe('');
  expect(service.logged()).toContain('former_model_gone');
  await next(service);
  await next(service);
  await load(service);
  expect(await answer(service)).toBe(B.riddle);
  await service.embedAll();
  expect(shop.log.embedded).toHaveLength(ITEMS);
  const warnings = service.platform.logged.filter(({ event }) => event === 'former_model_gone');
  expect(warnings).toHaveLength(1);
});

test('a folder in which another model is now does not answer', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B, [{ ...C, opensAs: A.tag }]);
  expect(await answer(service)).toBe('');
  await service.embedAll();
  await load(service);
  expect(await answer(service)).toBe(B.riddle);
});

test('each organization changes over by itself', async () => {
  const shop = embeddedByA();
  const first = await restart(shop, A);
  const other = await first.operator.createOrganization('Second');
  await first.operator.importRows(ROWS.slice(0, 60), { organization: other.slug });
  await first.embedAll();
  const service = await restart(shop, B);
  const seen: string[] = [];
  const second = { ...service, fetch: service.as(other.apiKey) };
  for (let hasMore = true; hasMore; hasMore = await next(service)) {
    const both = `${await answer(service)} ${await answer(service, second)}`;
    if (seen.at(-1) !== both) seen.push(both);
    await load(service);
  }
  seen.push(`${await answer(service)} ${await answer(service, second)}`);
  expect([...new Set(seen)]).toEqual([
    `${A.riddle} ${A.riddle}`,
    `${B.riddle} ${A.riddle}`,
    `${B.riddle} ${B.riddle}`,
  ]);
});

test('a former model is closed once no vector of it answers, here or in memory', async () => {
  const shop = embeddedByA();
  const service = await restart(shop, B);
  await load(service);
  await answer(service);
  await closeUnusedModels(service.services);
  await service.embedAll();
  await closeUnusedModels(service.services);
  expect(shop.log.closed).toEqual([]);
  await load(service);
  await closeUnusedModels(service.services);
  expect(shop.log.closed).toEqual([A.tag]);
});
