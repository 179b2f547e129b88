import { afterAll, expect, test } from 'bun:test';
import type { CatalogStats } from '../../../src/operations/imports/catalog-stats.ts';
import type { CatalogSourceView } from '../../../src/operations/sources/catalog-sources.ts';
import { openCatalogUrl } from '../../../src/operations/sources/open-catalog-url.ts';
import { SourceRefreshes } from '../../../src/operations/sources/source-refreshes.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;

/** What the shop's server currently sends. */
const shop = { title: 'Lamp', isUp: true, asked: 0, etag: '"1"' };

const bag = (id: number) => ({
  id,
  title: `Bag ${id}`,
  handle: `bag-${id}`,
  body_html: '',
  product_type: 'Bags',
  variants: [{ id, option1: 'Default Title', price: '10.00', available: true }],
});
const PAGES: Record<string, unknown> = {
  '/products.json?limit=250': { products: [bag(1), bag(2)] },
  '/products.json?limit=250&page=2': { products: [bag(3)] },
  '/products.json?limit=250&page=3': { products: [] },
  '/meta.json': {
    name: 'Bags',
    myshopify_domain: 'bags.myshopify.com',
    currency: 'USD',
    city: 'Ghent',
  },
  '/pages.json?limit=250': { pages: [{ title: 'FAQ', handle: 'faq', body_html: 'Yes.' }] },
  '/pages.json?limit=250&page=2': { pages: [] },
};
const POLICY =
  '<!doctype html><title>Refunds</title><nav>Menu</nav><main><h1>Refund policy</h1><p>30 days.</p></main>';

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    const page = PAGES[pathname + search];
    if (page !== undefined) return Response.json(page);
    if (pathname === '/policies/refund-policy') return new Response(POLICY);
    if (pathname === '/stalled.csv')
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from('id,title\n')),
        }),
      );
    if (pathname !== '/feed.csv') return new Response(null, { status: 404 });
    shop.asked += 1;
    if (!shop.isUp) return new Response(null, { status: 503 });
    if (request.headers.get('if-none-match') === shop.etag)
      return new Response(null, { status: 304 });
    return new Response(`id,title,price\nlamp,${shop.title},9.90\n`, {
      headers: { etag: shop.etag },
    });
  },
});
const base = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));

const url = `${base}/feed.csv`;
const kept = {
  url,
  hints: {},
  allowPrivate: true,
  everyMs: 6 * HOUR_MS,
  validators: null,
  result: { state: 'imported', summary: {} },
};

/** Whether a source was due, once it has been fetched. */
async function refreshNext({ services }: LocalService, until = signal): Promise<boolean> {
  const refreshes = new SourceRefreshes(services, until);
  const isDue = await refreshes.startNext();
  await refreshes.settled();
  return isDue;
}

test('a source is fetched when it is due, reports the outcome, and is fetched sooner after a failure', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  const { perform, platform } = service;
  const refresh = () => refreshNext(service);
  const view = async () => (await perform<CatalogSourceView[]>('catalog.source.list', {}))[0]!;
  await perform('catalog.source.save', kept);
  expect(await refresh()).toBe(false);
  platform.advance(6 * HOUR_MS);

  expect(await refresh()).toBe(true);
  expect(await view()).toMatchObject({
    url,
    failures: 0,
    lastResult: { state: 'imported', summary: { new: 1, rejected: 0 } },
  });
  expect(await refresh()).toBe(false);
  expect(await perform<CatalogStats>('catalog.stats', {})).toMatchObject({ offerings: 1 });

  platform.advance(6 * HOUR_MS);
  expect(await refresh()).toBe(true);
  expect((await view()).lastResult).toEqual({ state: 'unchanged' });

  shop.isUp = false;
  platform.advance(6 * HOUR_MS);
  for (const [failures, waitMs] of [
    [1, 60_000],
    [2, 120_000],
    [3, 240_000],
  ] as const) {
    expect(await refresh()).toBe(true);
    const { lastResult, nextAt, failures: counted } = await view();
    expect(lastResult).toEqual({
      state: 'failed',
      message: `127.0.0.1:${server.port} responds with status 503.`,
    });
    expect([counted, Date.parse(nextAt!) - platform.now()]).toEqual([failures, waitMs]);
    expect(await refresh()).toBe(false);
    platform.advance(waitMs);
  }

  shop.isUp = true;
  shop.title = 'Lantern';
  shop.etag = '"2"';
  expect(await refresh()).toBe(true);
  expect(await view()).toMatchObject({ failures: 0, lastResult: { summary: { changed: 1 } } });

  await perform('catalog.source.remove', { url });
  platform.advance(24 * HOUR_MS);
  expect(await refresh()).toBe(false);
  await expect(perform('catalog.source.remove', { url })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a source that was due when the service stopped is fetched after the restart', async () => {
  await using stack = new AsyncDisposableStack();
  const first = await startService();
  stack.defer(() => first.discard());
  await first.perform('catalog.source.save', kept);
  first.platform.advance(7 * HOUR_MS);
  const stopped = new AbortController();
  stopped.abort();
  expect(await refreshNext(first, stopped.signal)).toBe(true);
  expect(await refreshNext(first)).toBe(true);
  expect(await refreshNext(first)).toBe(false);
  await first.close();
});

test('a source that cannot be read does not block others', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  const bad = { ...kept, url: `${base}/policies/refund-policy`, everyMs: HOUR_MS };
  await service.perform('catalog.source.save', bad);
  await service.perform('catalog.source.save', {
    ...kept,
    hints: { encoding: 'nonsense' },
    url: `${url}?2`,
  });
  await service.perform('catalog.source.save', kept);
  service.platform.advance(6 * HOUR_MS);
  while (await refreshNext(service));
  const views = await service.perform<CatalogSourceView[]>('catalog.source.list', {});
  expect(views.map(({ lastResult }) => lastResult!.state)).toEqual([
    'imported',
    'failed',
    'failed',
  ]);
});

test('a secret in the address of a source is in no record, message or log line of its import', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  const tokenUrl = (path: string) => `${base}${path}?token=s3cr3t`;
  await service.perform('catalog.source.save', { ...kept, url: tokenUrl('/feed.csv') });
  await service.perform('catalog.source.save', { ...kept, url: tokenUrl('/missing.csv') });
  service.platform.advance(6 * HOUR_MS);
  while (await refreshNext(service));
  const views = await service.perform<CatalogSourceView[]>('catalog.source.list', {});
  expect(views.map(({ lastResult }) => lastResult?.state)).toEqual(['imported', 'failed']);
  const stats = await service.perform<CatalogStats>('catalog.stats', {});
  expect(stats.shops[0]!.lastImport!.source).toEndWith('/feed.csv?token=[redacted]');
  const audit = await service.perform<unknown>('audit.list', { limit: 20 });
  const told = [views.map(({ lastResult }) => lastResult), stats, audit, service.logged()];
  expect(JSON.stringify(told)).not.toContain('s3cr3t');
});

test('a server that stalls delays no other organization, but delays the same organization’s second source', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  await service.operator.createOrganization('Other');
  const stalled = (path: string) => ({ ...kept, organization: 'acme', url: `${base}${path}` });
  await service.perform('catalog.source.save', stalled('/stalled.csv'));
  await service.perform('catalog.source.save', stalled('/stalled.csv?2'));
  await service.perform('catalog.source.save', { ...kept, organization: 'other' });
  service.platform.advance(6 * HOUR_MS);

  const stopping = new AbortController();
  const refreshes = new SourceRefreshes(service.services, stopping.signal);
  const started = [];
  for (let turn = 0; turn < 3; turn += 1) started.push(await refreshes.startNext());
  expect(started).toEqual([true, true, false]);
  const other = { organization: 'other' };
  const offerings = async () =>
    (await service.perform<CatalogStats>('catalog.stats', other)).offerings;
  while ((await offerings()) === 0) await Bun.sleep(5);
  stopping.abort();
  await refreshes.settled();
});

test('a source is fetched at most once a minute', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  const save = (everyMs: number) => service.perform('catalog.source.save', { ...kept, everyMs });
  await expect(save(59_999)).rejects.toMatchObject({ code: 'invalid_input' });
  await save(60_000);
});

test('what is known of an address counts only if it is read in the same way', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService();
  stack.defer(() => service.close());
  const validators = { etag: '"1"', lastModified: null };
  await service.perform('catalog.source.save', { ...kept, validators });
  const find = (hints: object) => service.perform<unknown>('catalog.source.find', { url, hints });
  expect(await find({})).toEqual(validators);
  expect(await find({ format: 'google-tsv' })).toBeNull();
});

test('a Shopify shop provides all pages of its products, in its currency, and its policies and pages', async () => {
  const opened = await openCatalogUrl(`${base}/products.json`, {}, { allowPrivate: true, signal });
  const rows = await Array.fromAsync(
    opened!.source.rows({ currency: 'EUR', shopUrl: null, now: 0 }),
  );
  const items = rows.map((row) => ('item' in row ? row.item : row.fault));
  expect(items.map(({ externalId }) => externalId)).toEqual([
    ...['1', '2', '3', 'shop', 'pages/faq', 'policies/refund-policy'],
  ]);
  expect(items[0]).toMatchObject({ currency: 'USD', publicUrl: `${base}/products/bag-1` });
  expect(items[5]).toMatchObject({
    name: 'Refund policy',
    description: 'Refund policy\n\n30 days.',
  });
  expect(opened!.validators).toBeNull();
});
