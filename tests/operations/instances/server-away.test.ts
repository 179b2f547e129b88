import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { followInstances } from '../../../src/operations/upkeep/follow-instances.ts';
import { CATALOG } from '../../support/catalog.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts';
import { type LocalService, startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* An instance whose libSQL server is away, and comes back. `follow` is one look at what others have changed. */

const PAGE = '/rest/org/ai/acme/';

let folder: ReturnType<typeof temporaryFolder>;
let server: LibsqlServer;
let a: LocalService & { follow(): Promise<boolean> };

beforeEach(async () => {
  folder = temporaryFolder();
  server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  const service = await startService({
    flags: { 'database-url': server.url, 'public-url': 'https://shop.example' },
  });
  a = { ...service, follow: followInstances(service.services) };
});

afterEach(async () => {
  await a.close();
  await server.close();
  folder.remove();
});

async function idsOf(service: LocalService, question: string): Promise<string[]> {
  const response = await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { externalId: string }[] };
  return results.map(({ externalId }) => externalId);
}

const load = async ({ services }: LocalService) => {
  const { signal } = new AbortController();
  services.indexes.find(1);
  while (await services.indexes.loadNext(signal));
};

test('searches from memory continue, writes are refused, /readyz reports it, and everything works again once the server returns', async () => {
  await a.operator.importRows(CATALOG);
  await a.embedAll();
  await load(a);
  await a.follow();
  const before = await idsOf(a, 'lighthouse');
  const hit = () => a.fetch('/rest/hits/', posted(hitOf(a.organization.id)));
  const ready = () => a.asStranger('/readyz').then(({ status }) => status);
  await server.leave();
  expect(await idsOf(a, 'lighthouse')).toEqual(before);
  const refused = await hit();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    detail: 'The database server does not answer.',
  });
  expect(await ready()).toBe(503);
  for (let look = 0; look < 3; look++) expect(await a.follow()).toBe(false);
  await server.comeBack();
  expect([await ready(), (await hit()).status]).toEqual([200, 201]);
  await a.follow();
  const events = a.platform.logged
    .map(({ event }) => event)
    .filter((event) => event.startsWith('database_'));
  expect(events).toEqual(['database_is_away', 'database_is_back']);
});

test('reads from the server answer unavailable, never an internal error, and no question is logged', async () => {
  await a.follow();
  await server.leave();
  const secret = 'a-key-that-nobody-else-may-see';
  const answers = [
    await a.fetch('/rest/hits/', posted(hitOf('acme'), { 'idempotency-key': secret })),
    await a.fetch(PAGE),
    await a.fetch('/rest/search/v3/?q=lighthouse'),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    Array(3).fill([503, '2']),
  );
  for (const [operation, input] of [
    ['catalog.stats', {}],
    ['catalog.source.list', {}],
    ['audit.list', { limit: 5 }],
    ['judgement.list', {}],
  ] as const)
    await expect(a.perform(operation, input)).rejects.toMatchObject({ code: 'unavailable' });
  const logged = JSON.stringify(a.platform.logged);
  expect([logged.includes(secret), /select|insert/i.test(logged)]).toEqual([false, false]);
  await server.comeBack();
});

test('a server that accepts requests and never answers does not block /readyz either', async () => {
  server.isSilent = true;
  const asked = a.asStranger('/readyz');
  let status = 0;
  void asked.then((answer) => (status = answer.status));
  while (status === 0) {
    a.platform.advance(250);
    await Bun.sleep(2);
  }
  expect(status).toBe(503);
  server.isSilent = false;
  await server.leave();
  await server.comeBack();
  expect((await a.asStranger('/readyz')).status).toBe(200);
});

test('a stop still completes, and reports what was not written', async () => {
  await a.fetch('/rest/search/v2/?q=mug');
  const { platform } = a;
  await server.leave();
  await a.services.close();
  expect(platform.logged.map(({ event }) => event)).toContain('not_written_at_end');
  await server.comeBack();
});
