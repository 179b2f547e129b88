import { afterEach, expect, test } from 'bun:test';
import { jsonLines } from '../../support/catalog.ts';
import {
  type ChatEndpoint,
  type ChatExchange,
  gradeHonestly,
  startChatEndpoint,
} from '../../support/stand-in-chat-endpoint.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startService,
} from '../../support/start-service.ts';

/**
 * Mugs of which a model grades every other one as right, so that its order differs from the
 * ranker's.
 */
const MUGS = Array.from({ length: 9 }, (_, at) => ({
  externalId: `mug-${at}`,
  name: `Mug number ${at}`,
  description: `worth ${at % 2 === 0 ? 3 : 1}`,
}));

const SCORER_BUDGET_MS = 2500;
const EMBEDDER_BUDGET_MS = 400;

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

interface Page {
  readonly ids: readonly string[];
  readonly scoring: string;
  readonly warnings: readonly string[];
  readonly cursor: string | null;
}

async function startShop(options: Pick<LocalServiceOptions, 'folder' | 'platform'> = {}): Promise<{
  service: LocalService;
  endpoint: ChatEndpoint;
}> {
  const endpoint = await startChatEndpoint();
  const flags = { 'scorer-url': endpoint.origin, 'scorer-model': 'stand-in' };
  const service = await startService({ flags, ...options });
  opened.push(endpoint, service);
  return { service, endpoint };
}

async function startWithMugs() {
  const shop = await startShop();
  await shop.service.importText(jsonLines(MUGS));
  await shop.service.embedAll();
  return shop;
}

async function ask({ fetch }: LocalService, cursor: string | null): Promise<Page> {
  const further = cursor === null ? '' : `&cursor=${cursor}`;
  const response = await fetch(`/rest/search/v3/?q=mug&limit=3${further}`);
  const { results, scoring, meta, nextCursor } = (await response.json()) as {
    results: { externalId: string }[];
    scoring: string;
    meta: { warnings: string[] };
    nextCursor: string | null;
  };
  const ids = results.map(({ externalId }) => externalId);
  return { ids, scoring, warnings: meta.warnings, cursor: nextCursor };
}

/** From that page on to the last. */
async function follow(service: LocalService, first: Page): Promise<Page[]> {
  const pages = [first];
  for (let page = first; page.cursor !== null; pages.push(page))
    page = await ask(service, page.cursor);
  return pages;
}

function expectEachOnce(pages: readonly Page[]): void {
  const ids = pages.flatMap((page) => page.ids);
  expect(ids.toSorted()).toEqual(MUGS.map(({ externalId }) => externalId));
}

test('pages of a graded answer are graded, and hold each result once', async () => {
  const { service } = await startWithMugs();
  const pages = await follow(service, await ask(service, null));
  expect(pages.map(({ scoring }) => scoring)).toEqual(Array(3).fill('language_model'));
  expect(pages.flatMap(({ warnings }) => warnings)).toEqual([]);
  expectEachOnce(pages);
  const grades = pages.flatMap(({ ids }) => ids).map((id) => Number(id.slice(-1)) % 2);
  expect(grades).toEqual(grades.toSorted());
});

test('pages after an ungraded first page are ungraded, although the model answers again', async () => {
  const { service, endpoint } = await startWithMugs();
  const asked = new Promise<ChatExchange>((resolve) => {
    endpoint.reply = resolve;
  });
  const answering = ask(service, null);
  const exchange = await asked;
  service.platform.advance(SCORER_BUDGET_MS);
  const first = await answering;
  gradeHonestly(exchange);
  while (service.services.scoring!.callCount > 0) await Bun.sleep(1);
  const pages = await follow(service, first);
  expect(pages.map(({ scoring }) => scoring)).toEqual(Array(3).fill('timeout'));
  expect(pages.flatMap(({ warnings }) => warnings)).toEqual([]);
  expectEachOnce(pages);
  expect((await ask(service, null)).scoring).toBe('language_model');
});

test('pages after a first page by words alone are by words alone', async () => {
  const { service } = await startWithMugs();
  service.model.condition = 'slow';
  const asked = service.model.nextAsked();
  const answering = ask(service, null);
  await asked;
  service.platform.advance(EMBEDDER_BUDGET_MS);
  const first = await answering;
  service.model.condition = 'well';
  const pages = await follow(service, first);
  for (const { warnings } of pages)
    expect(warnings).toEqual([expect.stringContaining('words alone')]);
  expectEachOnce(pages);
});

test('a page says so if a model that ordered the first page is no longer available', async () => {
  const { service } = await startWithMugs();
  const { cursor } = await ask(service, null);
  const again = await startShopAgain(service);
  again.endpoint.reply = ({ response }) => response.writeHead(500).end();
  const page = await ask(again.service, cursor);
  expect(page.scoring).toBe('unavailable');
  expect(page.warnings).toEqual([expect.stringContaining('may come again')]);
});

/** The same data folder in another process: caches are empty. */
async function startShopAgain(service: LocalService) {
  await service.services.close();
  opened.splice(opened.indexOf(service), 1, { close: () => service.discard() });
  return startShop({ folder: service.folder, platform: service.platform });
}
