import { afterAll, beforeEach, expect, test } from 'bun:test';
import { regenerateNextPage } from '../../../src/operations/landing/regenerate-next-page.ts';
import { CATALOG } from '../../support/catalog.ts';
import { say, startChatEndpoint } from '../../support/stand-in-chat-endpoint.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const PAGE = '/rest/org/ai/acme/';
const SENTENCE = 'Acme is a small pottery *by the harbour* that sells mugs.';
const OWN = '> Acme offers 62 products and 1 bookable service';

const endpoint = await startChatEndpoint();
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.reply = ({ response }) => say(response, SENTENCE);
  endpoint.asked.length = 0;
});

/** `budgetMs`: of real time, more than an endpoint that answers needs on any machine. */
async function withWriter(
  run: (service: LocalService) => Promise<void>,
  budgetMs = 60_000,
): Promise<void> {
  const flags = {
    'writer-url': endpoint.origin,
    'writer-model': 'm',
    'writer-budget-ms': `${budgetMs}`,
  };
  const service = await startService({ flags });
  await service.operator.importRows(CATALOG);
  await run(service);
  await service.close();
}

async function pageOf(service: LocalService, query = ''): Promise<string> {
  const response = await service.fetch(PAGE + query);
  expect(response.status).toBe(200);
  return response.text();
}

test('a model’s sentence opens the page, escaped, and is generated once for the same shop', () =>
  withWriter(async (service) => {
    const page = await pageOf(service);
    expect(page).toContain('> Acme is a small pottery \\*by the harbour\\* that sells mugs.');
    expect(await pageOf(service, '?regenerate=true')).toBe(page);
    expect(endpoint.asked).toHaveLength(1);
    await service.operator.importRows([{ externalId: 'x', name: 'Vase', productType: 'Vases' }]);
    await regenerateNextPage(service.services);
    expect(endpoint.asked).toHaveLength(2);
  }));

test('the shop’s own description is never replaced, and no model is asked', () =>
  withWriter(async (service) => {
    await service.perform('org.set', { description: 'Pots since 1902.' });
    expect(await pageOf(service)).toContain('> Pots since 1902.');
    expect(endpoint.asked).toHaveLength(0);
  }));

test('an endpoint that hangs costs its budget, then the page uses its own sentence; after five timeouts no page waits', () =>
  withWriter(async (service) => {
    endpoint.reply = () => undefined;
    const startedMs = performance.now();
    expect(await pageOf(service)).toContain(OWN);
    expect(performance.now() - startedMs).toBeGreaterThan(140);
    for (let failures = 1; failures < 5; failures++) await pageOf(service, '?regenerate=true');
    expect(endpoint.asked).toHaveLength(5);
    expect(await pageOf(service, '?regenerate=true')).toContain(OWN);
    expect(endpoint.asked).toHaveLength(5);
    const logged = service.platform.logged.filter(({ event }) => event === 'writer_failed');
    expect(logged).toHaveLength(5);
  }, 150));

test('while the endpoint hangs for one organization, other pages are served and rebuilt', () =>
  withWriter(async (service) => {
    const other = await service.operator.createOrganization('Other');
    await service.perform('org.set', { organization: 'other', description: 'Else.' });
    const held = Promise.withResolvers<void>();
    endpoint.reply = async ({ response }) => {
      await held.promise;
      response.writeHead(500).end();
    };
    let isWaiting = true;
    const hanging = pageOf(service).finally(() => (isWaiting = false));
    const answer = await service.as(other.apiKey)('/rest/org/ai/other/?regenerate=true');
    expect([answer.status, isWaiting]).toEqual([200, true]);
    held.resolve();
    expect(await hanging).toContain(OWN);
  }));

test('a stop does not wait for the endpoint', async () => {
  const budgetMs = 60_000;
  const flags = {
    'writer-url': endpoint.origin,
    'writer-model': 'm',
    'writer-budget-ms': `${budgetMs}`,
  };
  const service = await startService({ flags });
  endpoint.reply = () => undefined;
  const hanging = service.fetch(PAGE);
  while (endpoint.asked.length === 0) await Bun.sleep(5);
  const startedMs = performance.now();
  await service.close();
  expect(performance.now() - startedMs).toBeLessThan(budgetMs / 2);
  expect((await hanging).status).toBe(200);
});
