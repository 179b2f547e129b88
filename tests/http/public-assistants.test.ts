import { beforeEach, describe, expect, test } from 'bun:test';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import { connectMcp, connectNewer, connectOverEvents, post, StreamReader } from '../support/mcp.ts';
import type { Service } from '../support/service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const SEARCH = {
  jsonrpc: '2.0',
  id: 8,
  method: 'tools/call',
  params: { name: 'search_offerings', arguments: { question: 'lighthouse' } },
};
const HIT = { eventDate: '2026-01-01T00:00:00Z', classification: 'search' };
/** The clock of a service behind its handler stands still. */
const PLENTY = { perMinute: 60_000, burst: 1000 };

const HOST = 'shop.harbour.example';

const at = (host: string) => ({ headers: { host, 'x-request-id': 'same' } });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Everything of an answer but the time. */
async function wholeAnswer(response: Response): Promise<string> {
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return JSON.stringify([response.status, headers, await response.text()]);
}

const FLAGS = { 'trusted-proxies': '127.0.0.1,10.0.0.0/8' };
const pathOf = ({ id }: { id: string }) => `/mcp/org/${id}/`;
const pageOf = ({ slug }: { slug: string }) => `/rest/org/ai/${slug}/`;

describe.each(TARGETS)('$name with one organization', (target) => {
  const service = useService(target, { flags: FLAGS });
  beforeEach(() => service().operator.setPublic(false));

  test('off, a caller without a key is answered in the same bytes as before, at every address', async () => {
    const { asStranger, operator, organization } = service();
    await operator.setDomain('shop-1', HOST);
    const unauthorized = await asStranger('/rest/search/v3/?q=mug', at(HOST));
    expect(unauthorized.headers.get('www-authenticate')).toBe('ApiKey realm="vitrine"');
    const expected = await wholeAnswer(unauthorized);
    expect(await wholeAnswer(await asStranger(pageOf(organization), at(HOST)))).toBe(expected);
    const refused = await asStranger('/mcp', { ...at(HOST), method: 'POST', body: '{}' });
    expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="vitrine"');
    for (const path of ['/mcp', '/mcp/messages', pathOf(organization), '/mcp/org/nobody/']) {
      const answer = await asStranger(path, at(HOST));
      expect([path, answer.status]).toEqual([path, 401]);
    }
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const file = await wholeAnswer(await asStranger('/llms.txt', { ...at(HOST), method }));
      const nowhere = await wholeAnswer(await asStranger('/llmz.txt', { ...at(HOST), method }));
      expect([method, file]).toEqual([method, nowhere]);
    }
  });

  test('the landing page says how assistants come in, and is rebuilt when that changes', async () => {
    const { fetch, asStranger, operator, organization } = service();
    const page = async () => (await fetch(`${pageOf(organization)}?regenerate=true`)).text();
    await fetch(pageOf(organization));
    expect(await page()).toContain('Every request needs the header `X-API-Key`');
    await operator.setPublic(true, PLENTY);
    const next = await fetch(pageOf(organization));
    const isRebuilt = (await next.text()).includes('Assistants need no key');
    // The worker of a running service may have been faster.
    if (!isRebuilt) expect(next.headers.get('x-cache')).toBe('stale');
    const open = await page();
    expect(open).toContain('Assistants need no key');
    expect(open).not.toContain('Every request needs');
    expect((await post(asStranger, SEARCH, { path: pathOf(organization) })).status).toBe(200);
  });

  test('on, a page that rebinds a foreign name to this machine is still turned away', async () => {
    const { asStranger, operator } = service();
    await operator.setPublic(true, PLENTY);
    expect((await post(asStranger, PING, at('evil.example'))).status).toBe(403);
  });

  test('on, the clients’ libraries work without a key over every transport, with all five tools and the page', async () => {
    const { asStranger, operator, organization } = service();
    await operator.setPublic(true, PLENTY);
    for (const connect of [
      () => connectMcp(asStranger),
      () => connectMcp(asStranger, '/mcp/messages'),
      () => connectMcp(asStranger, pathOf(organization)),
      () => connectMcp(asStranger, `/mcp/org/${organization.slug}`),
      () => connectOverEvents(asStranger),
      () => connectOverEvents(asStranger, '/mcp/messages'),
      () => connectOverEvents(asStranger, pathOf(organization)),
      () => connectNewer(asStranger, { path: pathOf(organization), transport: 'http' }),
      () => connectNewer(asStranger, { path: pathOf(organization), transport: 'events' }),
    ]) {
      const client = await connect();
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      const call = { name: 'search_offerings', arguments: { question: 'lighthouse' } };
      expect((await client.callTool(call)).structuredContent).toMatchObject({ count: 1 });
      const page = await client.readResource({ uri: `landing://${organization.id}` });
      expect(page.contents[0]).toMatchObject({ mimeType: 'text/markdown' });
      await client.close();
    }
  });
});

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target, { flags: FLAGS });

  test('on, an older client’s session is found without a key where several organizations are', async () => {
    const { asStranger, operator, organization } = service();
    await operator.setPublic(true);
    await operator.createOrganization('Anchor');
    const client = await connectOverEvents(asStranger, pathOf(organization));
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    await client.close();
  });

  test('on, the `Host` says whose /mcp and /llms.txt it is, unless several have it or none', async () => {
    const { asStranger, operator, organization } = service();
    const other = await operator.createOrganization('Beacon');
    await operator.setPublic(true);
    await operator.setPublic(true, undefined, other.slug);
    await operator.setDomain('shop-1', HOST);
    await operator.setDomain('shop-1', 'www.anchor.example', other.slug);
    for (const [host, name] of [
      [HOST, organization.name],
      [`${HOST.toUpperCase()}:8443`, organization.name],
      ['anchor.example', other.name],
    ] as const) {
      const page = await asStranger('/llms.txt', at(host));
      expect([host, page.status]).toEqual([host, 200]);
      expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(await page.text()).toStartWith(`# ${name}\n`);
      const init = { protocolVersion: '2025-11-25', capabilities: {} };
      const greeted = await post(
        asStranger,
        { ...PING, method: 'initialize', params: init },
        { headers: { host } },
      );
      expect(await greeted.json()).toMatchObject({ result: { serverInfo: { title: name } } });
    }
    expect((await asStranger('/llms.txt', at('unknown.example'))).status).toBe(404);
    expect((await post(asStranger, PING, at('unknown.example'))).status).toBe(401);
    await operator.setDomain('shop-1', HOST, other.slug);
    expect((await asStranger('/llms.txt', at(HOST))).status).toBe(404);
  });

  test('on, nobody without a key gets a REST search, a hit, a rebuilt page or another organization', async () => {
    const { asStranger, operator, organization, shop } = service();
    const closed = await operator.createOrganization('Closed');
    await operator.setPublic(true);
    for (const path of ['/rest/search/v2/?q=mug', `/rest/search/v3/${shop.id}/?q=mug`]) {
      expect([path, (await asStranger(path)).status]).toEqual([path, 401]);
    }
    const body = JSON.stringify({ organization: organization.id, ...HIT });
    const headers = { 'content-type': 'application/json' };
    expect((await asStranger('/rest/hits/', { method: 'POST', headers, body })).status).toBe(401);
    const rebuilt = await asStranger(`${pageOf(organization)}?regenerate=true`);
    expect([rebuilt.status, rebuilt.headers.get('www-authenticate')]).toEqual([403, null]);
    const unknown = await wholeAnswer(await asStranger(pageOf({ slug: 'nobody' }), at('a')));
    expect(await wholeAnswer(await asStranger(pageOf(closed), at('a')))).toBe(unknown);
    expect((await post(asStranger, PING, { path: pathOf(closed) })).status).toBe(401);
    expect((await asStranger(pageOf(organization))).status).toBe(200);
  });

  test('on, a key that is sent still counts: a wrong one is 401 without a challenge, a good one pays itself', async () => {
    const { asStranger, operator, organization } = service();
    const other = await operator.createOrganization('Compass');
    await operator.setPublic(true);
    const path = pathOf(organization);
    for (const headers of [
      { 'x-api-key': 'hunter2' },
      { 'x-api-key': '' },
      { authorization: 'Bearer x' },
      { authorization: 'Bearer' },
    ] as Record<string, string>[]) {
      const answer = await post(asStranger, PING, { path, headers });
      expect([headers, answer.status]).toEqual([headers, 401]);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
    expect((await post(service().as(other.apiKey), PING, { path })).status).toBe(404);
    expect((await post(service().fetch, PING, { path })).headers.get('ratelimit')).toBeNull();
    await operator.setPublic(true, undefined, other.slug);
    const free = await post(asStranger, PING, { path: pathOf(other) });
    expect(free.headers.get('ratelimit-policy')).toBe('"public";q=50;w=10');
  });

  test('on, sign-in documents under public addresses are a plain 404', async () => {
    const { asStranger, operator, organization } = service();
    await operator.setPublic(true);
    for (const document of ['oauth-protected-resource', 'oauth-authorization-server'])
      for (const path of [
        `/.well-known/${document}`,
        `/.well-known/${document}/mcp`,
        `/.well-known/${document}${pathOf(organization)}`,
        `${pathOf(organization)}.well-known/${document}`,
      ]) {
        const answer = await asStranger(path);
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.headers.get('www-authenticate')).toBeNull();
      }
  });

  test('429: the public shares one bucket, an address half of it, and neither takes a token of a key', async () => {
    const { asStranger, as, operator, elapse } = service();
    const { id, slug, apiKey } = await operator.createOrganization('Crowd');
    await operator.setLimit({ perMinute: 1, burst: 3 }, slug);
    await operator.setPublic(true, { perMinute: 60, burst: 4 }, slug);
    const path = pathOf({ id });
    const call = (address: string) => post(asStranger, PING, { path, ...from(address) });
    const statuses = async (address: string, count: number) => {
      const seen = [];
      for (let done = 0; done < count; done++) seen.push((await call(address)).status);
      return seen;
    };
    expect(await statuses('203.0.113.1', 3)).toEqual([200, 200, 429]);
    // One IPv6 network is one client.
    expect(await statuses('2001:db8::1', 2)).toEqual([200, 200]);
    expect(await statuses('2001:db8::2', 1)).toEqual([429]);
    const refused = await call('203.0.113.2');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: -32005 } });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBe(1);
    expect((await post(as(apiKey), PING, { path })).headers.get('ratelimit')).toBe(
      '"org";r=2;t=60',
    );
    await elapse(seconds * 1000);
    expect((await call('203.0.113.2')).status).toBe(200);
    const batch = await post(asStranger, [PING, PING, PING], { path, ...from('203.0.113.3') });
    expect(batch.status).toBe(429);
  });

  test('an address has 20 streams without a key, and they end when the public is turned away', async () => {
    const { asStranger, fetch, operator, organization, elapse } = service();
    await operator.setPublic(true);
    const path = pathOf(organization);
    const open = (address: string, headers: Record<string, string> = {}) =>
      asStranger(path, { headers: { ...from(address).headers, ...headers } });
    const streams = [];
    for (let count = 0; count < 20; count++) streams.push(await open('203.0.113.1'));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open('203.0.113.1')).status).toBe(503);
    const optional = await open('203.0.113.1', { 'mcp-protocol-version': '2025-06-18' });
    expect(optional.status).toBe(405);
    const others = [await open('203.0.113.2'), await fetch(path)];
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    await operator.setPublic(false);
    await elapse(1100);
    const readers = streams.map((stream) => new StreamReader(stream));
    for (const reader of readers) while ((await reader.next()) !== null);
    await Promise.all(others.map(({ body }) => body!.cancel()));
    expect((await open('203.0.113.1')).status).toBe(401);
  });

  test('a session of somebody without a key is no other organization’s, nor a key’s', async () => {
    const { asStranger, fetch, operator, organization } = service();
    const other = await operator.createOrganization('Dory');
    await operator.setPublic(true);
    await operator.setPublic(true, undefined, other.slug);
    const messages = (name: string) => `/mcp/messages?organization=${name}`;
    const init = { ...PING, method: 'initialize', params: {} };
    const begin = async (call: Service['fetch'], path: string) =>
      (await post(call, init, { path })).headers.get('mcp-session-id')!;
    const free = await begin(asStranger, messages(organization.slug));
    const keyed = await begin(fetch, '/mcp/messages');
    const use = async (call: Service['fetch'], path: string, id: string) =>
      (await post(call, PING, { path, headers: { 'mcp-session-id': id } })).status;
    expect(await use(asStranger, messages(organization.slug), free)).toBe(200);
    expect(await use(asStranger, messages(other.slug), free)).toBe(404);
    expect(await use(fetch, '/mcp/messages', free)).toBe(404);
    expect(await use(asStranger, messages(organization.slug), keyed)).toBe(404);
    expect(await use(fetch, '/mcp/messages', keyed)).toBe(200);
  });
});
