import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { regenerateNextPage } from '../../../src/operations/landing/regenerate-next-page.ts';
import { CATALOG } from '../../support/catalog.ts';
import {
  type Instance,
  instancePlatform,
  settled,
  startInstance,
} from '../../support/instances.ts';
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* Landing pages of two instances on one libSQL server. B's clock is an hour ahead of A's and the server's. */

const PAGE = '/rest/org/ai/acme/';
const HOUR_MS = 3_600_000;
const SERVER_NOW = "CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)";

let folder: ReturnType<typeof temporaryFolder>;
let server: LibsqlServer;
let a: Instance;
let b: Instance;

beforeEach(async () => {
  folder = temporaryFolder();
  server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  const [onTime, ahead] = [instancePlatform(), instancePlatform()];
  onTime.setWallClock(Date.now());
  ahead.setWallClock(Date.now() + HOUR_MS);
  a = await startInstance(server, {}, onTime);
  b = await startInstance(server, {}, ahead);
  await a.operator.importRows(CATALOG);
  await b.follow();
});

afterEach(async () => {
  await a.close();
  await b.close();
  await server.close();
  folder.remove();
});

const read = async (service: Instance, query = '') => {
  const response = await service.fetch(PAGE + query);
  return [response.status, response.headers.get('x-cache'), await response.text()] as const;
};

const regenerate = (service: Instance) => read(service, '?regenerate=true');

const rebuilt = () => [a, b].map(({ services }) => services.landing.counts.rebuilt);

const change = (columns: string) => server.execute(`UPDATE landing_pages SET ${columns}`);

/** The state of a page that an instance is rebuilding. */
const leaseFor = (ms: number) =>
  change(`attempts = 1, stale_since = 1, leased_until = ${SERVER_NOW} + ${ms}`);

test('concurrent requests at two instances share one rebuild', async () => {
  const both = [a.platform, b.platform];
  const first = await settled([read(a), read(b)], both);
  const again = await settled([regenerate(b), regenerate(a), regenerate(b)], both);
  const answers = [...first, ...again].map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : outcome.reason,
  );
  expect(answers.map(([status, cache]) => `${status} ${cache}`)).toEqual([
    ...['200 miss', '200 miss'],
    ...['200 regenerated', '200 regenerated', '200 regenerated'],
  ]);
  expect(new Set(answers.map(([, , page]) => page)).size).toBe(1);
  const [byA, byB] = rebuilt();
  expect(byA! + byB!).toBe(2);
});

test('a caller waits for another instance’s rebuild that began before a change, but does not accept its result', async () => {
  await read(a);
  await leaseFor(60_000);
  const late = regenerate(b);
  await a.operator.importRows([
    { externalId: 'new', name: 'Beaker', productType: 'Beakers', price: '5.00' },
  ]);
  await b.follow();
  // The holder of the lease finishes with the content it started from.
  await change('stale_since = NULL, leased_until = NULL');
  const [outcome] = await settled([late], [b.platform]);
  expect(outcome).toMatchObject({
    value: [200, 'regenerated', expect.stringContaining('Beakers')],
  });
  expect(rebuilt()).toEqual([1, 1]);
});

test('an instance whose clock is an hour ahead does not rebuild what another one is rebuilding', async () => {
  await read(a);
  await leaseFor(60_000);
  expect(await regenerateNextPage(b.services)).toBe(false);
  const [outcome] = await settled([regenerate(b)], [b.platform]);
  expect(outcome).toMatchObject({ value: [503, null, expect.any(String)] });
  expect(rebuilt()).toEqual([1, 0]);
});

test('leases and failed builds of an instance whose clock is an hour ahead do not delay others by that hour', async () => {
  await read(b);
  let seen: readonly unknown[] = [];
  server.beforePipeline = async () => {
    const { rows } = await server.execute(
      `SELECT leased_until - ${SERVER_NOW} AS leasedMs, retry_at - ${SERVER_NOW} AS retryMs
       FROM landing_pages WHERE leased_until IS NOT NULL`,
    );
    if (rows.length > 0) seen = [rows[0]!['leasedMs'], rows[0]!['retryMs']];
  };
  await regenerate(b);
  expect(seen.map((ms) => Number(ms) > -60_000 && Number(ms) <= 120_000)).toEqual([true, true]);
});

test('a page that could not be built is retried after the same time at every instance', async () => {
  await read(a);
  for (const service of [a, b]) {
    await change(`body = NULL, etag = NULL, built_at = NULL, stale_since = 1, attempts = 1,
      retry_at = ${SERVER_NOW} + 60000`);
    service.services.landing.forgetChanged([{ organizationKey: 1, builtAt: null, inputs: null }]);
    expect(await regenerateNextPage(service.services)).toBe(false);
    const refused = await service.fetch(PAGE);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    await change(`retry_at = ${SERVER_NOW}`);
    expect((await read(service))[1]).toBe('miss');
  }
});
