import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { operatorHandler } from '../../src/operator/operator-listener.ts';
import { type LocalService, startService } from '../support/start-service.ts';

let service: LocalService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function ask(path: string, { host = '127.0.0.1:8788', method = 'GET', own = '127.0.0.1' } = {}) {
  const request = new Request(`http://localhost${path}`, { method, headers: { host } });
  return operatorHandler(service.services, { hostname: own, openApi: {} })(request);
}

async function scrape(): Promise<string> {
  return (await ask('/metrics')).text();
}

/** The value of one line. */
async function readValue(series: string): Promise<number | null> {
  const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

test('metrics are well-formed: each has help and type, each line a number, none appears twice', async () => {
  await service.fetch('/rest/search/v3/?q=lamp');
  const response = await ask('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  const series = lines.filter((line) => !line.startsWith('#'));
  const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
  const sample = new RegExp(`^[a-z_]+(?:\\{${label}(?:,${label})*\\})? -?[0-9.e+-]+$`);
  expect(series.filter((line) => !sample.test(line))).toEqual([]);
  const names = series.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(new Set(names).size).toBe(names.length);
  const families = lines
    .filter((line) => line.startsWith('# TYPE'))
    .map((line) => line.split(' ')[2]!);
  for (const name of names.map((text) => text.replace(/\{.*/, '')))
    expect(families).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
});

test('every request is counted by route, method and status; a stranger cannot make labels', async () => {
  const route = 'route="/rest/search/v2",method="GET"';
  const count = (labels: string) => readValue(`vitrine_http_requests_total{${labels}}`);
  const before = (await count(`${route},status="200"`)) ?? 0;
  await service.fetch('/rest/search/v2/?q=lamp');
  await service.fetch('/rest/search/v2?q=lamp');
  await service.asStranger('/rest/search/v2/?q=lamp');
  await service.fetch('/no/such/address', { method: 'PROPFIND' });
  expect(await count(`${route},status="200"`)).toBe(before + 2);
  expect(await count(`${route},status="401"`)).toBe(1);
  expect(await count('route="other",method="other",status="404"')).toBe(1);
  expect(await readValue(`vitrine_http_request_duration_seconds_count{${route}}`)).toBe(before + 3);
  expect(await scrape()).not.toContain('PROPFIND');
});

test('refusals of rate limits are counted by kind, imports by how they ended', async () => {
  await service.operator.setLimit({ perMinute: 1, burst: 1 });
  for (let index = 0; index < 3; index++) await service.fetch('/rest/search/v2/?q=lamp');
  await service.operator.setLimit('unlimited');
  expect(await readValue('vitrine_rate_limited_total{bucket="organization"}')).toBe(2);
  const before = await readValue('vitrine_imports{state="committed"}');
  await service.operator.importRows([{ externalId: 'a', name: 'Lamp' }]);
  expect(await readValue('vitrine_imports{state="committed"}')).toBe(before! + 1);
});

test('a registered metric is scraped', async () => {
  service.services.metrics.register({
    name: 'vitrine_test_streams',
    help: 'Open streams.',
    type: 'gauge',
    read: () => 7,
  });
  expect(await readValue('vitrine_test_streams')).toBe(7);
});

test('no backup, no age', async () => {
  expect(await readValue('vitrine_backup_age_seconds')).toBeNull();
});

describe('DNS rebinding gives a web page no access', () => {
  test.each([
    ['127.0.0.1:8788', 200],
    ['localhost:8788', 200],
    ['localhost', 200],
    ['[::1]:8788', 200],
    ['10.0.0.7:8788', 200],
    ['metrics.internal:8788', 200],
    ['evil.example:8788', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['', 403],
  ])('Host %j: %p', async (host, status) => {
    expect((await ask('/metrics', { host, own: 'metrics.internal' })).status).toBe(status);
  });
});

test('404 and 405 for unknown paths and methods, with and without a trailing slash', async () => {
  const statuses = await Promise.all(
    [
      ask('/nothing'),
      ask('/metrics', { method: 'POST' }),
      ask('/metrics/'),
      ask('/metrics', { method: 'HEAD' }),
    ].map(async (response) => (await response).status),
  );
  expect(statuses).toEqual([404, 405, 200, 200]);
});
