import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CATALOG } from '../support/catalog.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const PAGE = '/rest/org/ai/acme/';

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await service.operator.importRows(CATALOG);
});
afterAll(() => service.close());

/** The page of a service of its own. */
async function fresh(): Promise<LocalService> {
  const other = await startService();
  await other.operator.importRows(CATALOG.slice(0, 5));
  return other;
}

const cacheOf = (response: Response) => response.headers.get('x-cache');

describe('GET /rest/org/ai/{organization_id}/', () => {
  test('200: Markdown with its own caching, built at the first request and kept', async () => {
    const own = await fresh();
    const first = await own.fetch(PAGE);
    expect([first.status, first.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await first.text()).toStartWith('# Acme\n\n> Acme offers 5 products');
    expect(cacheOf(first)).toBe('miss');
    expect(first.headers.get('cache-control')).toBe(
      'private, max-age=300, stale-while-revalidate=86400',
    );
    await own.elapse(61_500);
    const second = await own.fetch(PAGE);
    expect([cacheOf(second), second.headers.get('age')]).toEqual(['hit', '61']);
    expect(second.headers.get('etag')).toMatch(/^"[\w-]{24}"$/);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    await own.close();
  });

  test('200: by id and by slug, in any case, with and without the slash', async () => {
    const { id } = service.organization;
    const bodies = await Promise.all(
      [PAGE, PAGE.slice(0, -1), `/rest/org/ai/${id.toUpperCase()}`, '/rest/org/ai/ACME/'].map(
        async (path) => (await service.fetch(path)).text(),
      ),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  test('404: another organization and none are told in the same words', async () => {
    const other = await service.operator.createOrganization('Other');
    const headers = { 'x-request-id': 'same' };
    const answers = await Promise.all(
      [other.id, 'other', 'nobody', crypto.randomUUID(), `${other.id}?regenerate=true`].map(
        async (name) => {
          const response = await service.fetch(`/rest/org/ai/${name}`, { headers });
          return [response.status, await response.text()];
        },
      ),
    );
    expect(answers[0]![0]).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]!);
  });

  test('304: for a caller who has this content, by tag or else by date', async () => {
    const { headers } = await service.fetch(PAGE);
    const etag = headers.get('etag')!;
    const modified = headers.get('last-modified')!;
    const later = new Date(Date.parse(modified) + 5000).toUTCString();
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    const status = async (conditions: Record<string, string>) =>
      (await service.fetch(PAGE, { headers: conditions })).status;
    const none = '"none"';
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'if-none-match': '*' })).toBe(304);
    expect(await status({ 'if-none-match': none })).toBe(200);
    expect(await status({ 'if-none-match': none, 'if-modified-since': modified })).toBe(200);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ 'if-modified-since': later })).toBe(304);
    expect(await status({ 'if-modified-since': earlier })).toBe(200);
    expect(await status({ 'if-modified-since': 'yesterday' })).toBe(200);
    const known = await service.fetch(PAGE, { headers: { 'if-none-match': etag } });
    expect(await known.text()).toBe('');
    expect([known.headers.get('etag'), cacheOf(known)]).toEqual([etag, 'hit']);
    expect(known.headers.get('cache-control')).toContain('max-age=300');
  });

  test('200: regenerate builds it anew and answers in full; the same content keeps its date', async () => {
    const before = await service.fetch(PAGE);
    const etag = before.headers.get('etag')!;
    await service.elapse(10_000);
    const headers = { 'if-none-match': etag };
    const rebuilt = await service.fetch(`${PAGE}?regenerate=true`, { headers });
    expect([rebuilt.status, cacheOf(rebuilt), rebuilt.headers.get('age')]).toEqual([
      200,
      'regenerated',
      '0',
    ]);
    expect(rebuilt.headers.get('etag')).toBe(etag);
    expect(rebuilt.headers.get('last-modified')).toBe(before.headers.get('last-modified'));
  });

  test('HEAD: the headers of GET, and never a rebuild', async () => {
    const { rebuilt } = service.services.landing.counts;
    const response = await service.fetch(`${PAGE}?regenerate=true`, { method: 'HEAD' });
    expect([response.status, cacheOf(response)]).toEqual([200, 'hit']);
    expect(service.services.landing.counts.rebuilt).toBe(rebuilt);
  });

  test('400: a bad boolean; 405: another method', async () => {
    expect((await service.fetch(`${PAGE}?regenerate=maybe`)).status).toBe(400);
    const response = await service.fetch(PAGE, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('403: without the scope landing there is no page, without regenerate no rebuild', async () => {
    const blind = await service.operator.createKey({ scopes: ['search', 'regenerate'] });
    const reader = await service.operator.createKey({ scopes: ['landing'] });
    expect((await service.as(blind.apiKey)(PAGE)).status).toBe(403);
    expect((await service.as(reader.apiKey)(PAGE)).status).toBe(200);
    const refused = await service.as(reader.apiKey)(`${PAGE}?regenerate=true`);
    expect([refused.status, (await refused.text()).includes('regenerate')]).toEqual([403, true]);
  });

  test('429: the seventh regenerate of a minute is refused for a token, and reading goes on', async () => {
    const own = await fresh();
    await own.operator.setLimit({ perMinute: 600, burst: 100 });
    for (let count = 0; count < 6; count++) {
      expect((await own.fetch(`${PAGE}?regenerate=1`)).status).toBe(200);
    }
    const refused = await own.fetch(`${PAGE}?regenerate=1`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    const read = await own.fetch(PAGE);
    // The refused request has paid its own token too.
    expect([read.status, read.headers.get('ratelimit')]).toEqual([200, '"org";r=92;t=1']);
    await own.elapse(10_000);
    expect((await own.fetch(`${PAGE}?regenerate=1`)).status).toBe(200);
    await own.close();
  });

  test('a bad question costs a token, and so does a refused regenerate', async () => {
    const own = await fresh();
    const { apiKey } = await own.operator.createKey({ scopes: ['landing'] });
    await own.operator.setLimit({ perMinute: 1, burst: 5 });
    const left = (response: Response) => /r=(\d+)/.exec(response.headers.get('ratelimit')!)![1];
    expect(left(await own.fetch(`${PAGE}?regenerate=x`))).toBe('4');
    expect(left(await own.fetch('/rest/org/ai/nobody/'))).toBe('3');
    const refused = await own.as(apiKey)(`${PAGE}?regenerate=true`);
    expect([refused.status, left(refused)]).toEqual([403, '2']);
    expect(left(await own.fetch(PAGE))).toBe('1');
    await own.close();
  });
});
