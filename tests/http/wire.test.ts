import { describe, expect, test } from 'bun:test';
import { createHandler } from '../../src/http/app.ts';
import { trustProxies } from '../../src/http/exchange/client-address.ts';
import { Metrics } from '../../src/metrics.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The first differs by the clock; the second only a server sets, and it is looked at on its own. */
const OTHER_HEADERS = ['date', 'content-length'];

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test.each([
    '/rest/search/v2/?q=lighthouse',
    '/rest/search/v3/?q=lighthouse',
    '/rest/search/v2/shop-1/?q=lighthouse',
    '/rest/search/v3/shop-1/?q=lighthouse',
    '/healthz/',
    '/readyz/',
    '/openapi.json/',
  ])('200: %s answers the same without its trailing slash, never by a redirect', async (path) => {
    const [withSlash, without] = await Promise.all(
      [path, path.replace(/\/(?=\?|$)/, '')].map((address) =>
        service().fetch(address, { redirect: 'manual' }),
      ),
    );
    expect([withSlash!.status, without!.status]).toEqual([200, 200]);
    const [left, right] = (await Promise.all([withSlash!.json(), without!.json()])) as object[];
    expect(withoutPassing(left!)).toEqual(withoutPassing(right!));
  });

  test.each(['/rest/search/v2/?q=lighthouse', '/healthz', '/openapi.json'])(
    '200: HEAD %s has the headers of GET, content-length included, and no body',
    async (path) => {
      const init = { headers: { 'x-request-id': 'same' } };
      const get = await service().fetch(path, init);
      const head = await service().fetch(path, { ...init, method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(steadyHeaders(head)).toEqual(steadyHeaders(get));
      if (service().url === null) return;
      expect(head.headers.get('content-length')).toBe(String((await get.bytes()).byteLength));
      expect(await head.text()).toBe('');
    },
  );

  test.each(['/mcp', '/mcp/', '/mcp/messages', '/mcp/org/{org}/'])(
    '405: HEAD %s is refused, because its GET never ends',
    async (path) => {
      const address = path.replace('{org}', service().organization.id);
      const head = await service().fetch(address, { method: 'HEAD' });
      expect(head.status).toBe(405);
      expect(head.headers.get('allow')).toBe(
        path === '/mcp/messages' ? 'GET, POST, DELETE, OPTIONS' : 'GET, POST, OPTIONS',
      );
    },
  );

  test('401: HEAD of a refusal has no body either', async () => {
    const head = await service().asStranger('/rest/search/v2/?q=x', { method: 'HEAD' });
    expect(head.status).toBe(401);
    if (service().url !== null) expect(await head.text()).toBe('');
  });

  test('204: OPTIONS is answered without a key and costs nothing', async () => {
    for (const path of [
      '/rest/search/v2/',
      '/rest/search/v3',
      '/rest/search/v3/shop-1/',
      '/healthz',
    ]) {
      const response = await service().asStranger(path, { method: 'OPTIONS' });
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(response.headers.get('ratelimit')).toBeNull();
      expect(await response.text()).toBe('');
    }
  });

  test('204: REST allows no other origin, because keys are for servers', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
    const preflight = await service().asStranger('/rest/search/v3/', {
      method: 'OPTIONS',
      headers,
    });
    const answer = await service().fetch('/rest/search/v3/?q=mug', { headers });
    for (const response of [preflight, answer]) {
      const names = [...response.headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('405: %s says what is allowed', async (method) => {
    for (const path of [
      '/rest/search/v2/?q=x',
      '/rest/search/v3/shop-1',
      '/healthz',
      '/openapi.json',
    ]) {
      const response = await service().fetch(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
  });

  test.each(['a', 'A-z_0.9', 'x'.repeat(64)])('200: the request id %s comes back', async (id) => {
    const response = await service().fetch('/rest/search/v3/?q=mug', {
      headers: { 'x-request-id': id },
    });
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(await response.json()).toMatchObject({ meta: { requestId: id } });
  });

  test.each(['', 'x'.repeat(65), 'with blank', 'semi;colon', '<script>'])(
    '200: a request id that could pass for something else (%j) is replaced by a UUIDv7',
    async (id) => {
      const response = await service().fetch('/rest/search/v3/?q=mug', {
        headers: { 'x-request-id': id },
      });
      expect(response.headers.get('x-request-id')).toMatch(UUID_V7);
    },
  );

  test('every keyed answer, faults included, is private and not to be sniffed', async () => {
    const answers = await Promise.all([
      service().fetch('/rest/search/v2/?q=mug'),
      service().fetch('/rest/search/v3/shop-1/?q=mug'),
      service().fetch('/rest/search/v3/'),
      service().fetch('/rest/search/v3/nobody/?q=mug'),
      service().fetch('/rest/search/v3/?q=mug', { method: 'POST' }),
      service().fetch('/nowhere'),
      service().asStranger('/rest/search/v3/?q=mug'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 404, 405, 404, 401]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-request-id')).toMatch(UUID_V7);
      expect(headers.get('server')).toBeNull();
    }
  });

  test('200: health and the description need no key', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect(await (await service().asStranger(path)).json()).toEqual({ status: 'ok' });
    }
    const description = await service().asStranger('/openapi.json');
    expect(description.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

function steadyHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OTHER_HEADERS.includes(name)));
}

/** Without what is about the request and not about the question. */
function withoutPassing({
  tookMs: _,
  meta: __,
  ...body
}: {
  tookMs?: unknown;
  meta?: unknown;
}): object {
  return body;
}

const LOOPBACK = { address: () => '127.0.0.1', keepOpen: () => undefined };

test.each(['http://a/healthz', 'http://api/healthz', 'http://[::1]/healthz'])(
  '200: %s is found, however short its host',
  async (url) => {
    const { services, close } = await startService();
    const another = { ...services, metrics: new Metrics() };
    const hostRules = {
      boundTo: '127.0.0.1',
      publicUrl: null,
      allowedHosts: [],
      allowedOrigins: [],
    };
    const handler = createHandler({
      services: another,
      hostRules,
      trustedProxies: trustProxies([]),
    });
    expect((await handler(new Request(url), LOOPBACK)).status).toBe(200);
    await close();
  },
);
