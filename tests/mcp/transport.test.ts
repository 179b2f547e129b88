import { describe, expect, test } from 'bun:test';
import { ask, post, type RpcAnswer } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Accept, MCP-Protocol-Version, X-API-Key, Origin',
  'access-control-expose-headers': 'Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy',
  'access-control-max-age': '86400',
};

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const PATHS = ['/mcp', '/mcp/', '/mcp/messages', '/mcp/org/acme/'];

function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test.each(PATHS)(
    '204: OPTIONS %s names exactly the specified headers, without a key',
    async (path) => {
      const response = await service().asStranger(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://chat.example', 'access-control-request-headers': 'x-other' },
      });
      expect(response.status).toBe(204);
      expect(corsOf(response)).toEqual(CORS);
      expect(response.headers.get('vary')).toBeNull();
    },
  );

  test('every answer under /mcp carries them, faults included', async () => {
    const { fetch, asStranger } = service();
    const answers = await Promise.all([
      post(fetch, PING),
      post(fetch, 'no json'),
      post(asStranger, PING),
      fetch('/mcp', { method: 'PUT' }),
      post(fetch, PING, { path: '/mcp/org/nobody/' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 405, 404]);
    for (const answer of answers) expect(corsOf(answer)).toEqual(CORS);
  });

  test.each<[string, unknown, number, number, unknown]>([
    ['text that is no JSON', '{"jsonrpc":', 400, -32700, null],
    ['nesting beyond 32 levels', '['.repeat(33) + ']'.repeat(33), 400, -32700, null],
    ['an empty batch', [], 400, -32600, null],
    ['a batch of 101', Array(101).fill(PING), 400, -32600, null],
    ['a number', 1, 400, -32600, null],
    ['another version of JSON-RPC', { ...PING, jsonrpc: '1.0' }, 400, -32600, 7],
    ['an id of null', { ...PING, id: null }, 400, -32600, null],
    [
      'an id beyond 2^53',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      400,
      -32600,
      null,
    ],
    ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400, -32600, null],
    ['a method that is no text', { ...PING, method: 1 }, 400, -32600, 7],
    ['params that are a list', { ...PING, params: [] }, 400, -32600, 7],
    ['neither method nor result', { jsonrpc: '2.0', id: 7 }, 400, -32600, 7],
    ['an unknown method', { ...PING, method: 'prompts/list' }, 200, -32601, 7],
    ['an unknown tool', { ...PING, method: 'tools/call', params: { name: 'x' } }, 200, -32602, 7],
    [
      'a tool whose name is no text',
      { ...PING, method: 'tools/call', params: { name: { toString: 1 } } },
      200,
      -32602,
      7,
    ],
    [
      'a missing argument',
      { ...PING, method: 'tools/call', params: { name: 'search_offerings' } },
      200,
      -32602,
      7,
    ],
    ['a cursor', { ...PING, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602, 7],
    [
      'a resource that is not there',
      { ...PING, method: 'resources/read', params: { uri: 'x:y' } },
      200,
      -32002,
      7,
    ],
    [
      'a wrong initialize',
      { ...PING, method: 'initialize', params: { protocolVersion: 1 } },
      200,
      -32602,
      7,
    ],
  ])('%s is told as JSON-RPC with data and its id', async (_, message, status, code, id) => {
    const response = await post(service().fetch, message);
    expect(response.status).toBe(status);
    const answer = (await response.json()) as RpcAnswer;
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code } } as object);
    expect(answer.error!.data['requestId']).toBe(response.headers.get('x-request-id'));
    expect(answer.error!.data['code']).toBeString();
  });

  test('401: every refused key gets the same bytes, whatever it asked', async () => {
    const { asStranger } = service();
    const headers = { 'x-request-id': 'same' };
    const answers = await Promise.all([
      post(asStranger, PING, { headers }),
      post(asStranger, 'no json', { headers: { ...headers, 'x-api-key': 'wrong' } }),
      asStranger('/mcp', { headers }),
      asStranger('/mcp/messages', { headers, method: 'DELETE' }),
      asStranger('/mcp/org/nobody/', { headers }),
    ]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    for (const { status, headers: given } of answers) {
      expect([status, given.get('www-authenticate')]).toEqual([401, 'ApiKey realm="vitrine"']);
    }
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32003,
        message: 'Send a valid API key in the header X-API-Key.',
        data: { code: 'unauthorized', requestId: 'same' },
      },
    });
  });

  test('403: a key without the scope, told with the id of what it asked', async () => {
    const { apiKey } = await service().operator.createKey({ scopes: ['search'] });
    const response = await post(service().as(apiKey), PING);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32004 } });
  });

  test('404: another organization’s address and nobody’s are the same bytes', async () => {
    const foreign = await service().operator.createOrganization('Pond');
    const answers = await Promise.all(
      [foreign.id, foreign.slug, 'nobody', '01999999-9999-7999-8999-999999999999'].map((name) =>
        post(service().fetch, PING, {
          path: `/mcp/org/${name}/`,
          headers: { 'x-request-id': 'same' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ id: 7, error: { code: -32000 } });
    expect((await post(service().fetch, PING, { path: '/mcp/org/ACME' })).status).toBe(200);
  });

  test('405: DELETE and HEAD of a stateless address, with what is allowed', async () => {
    for (const method of ['DELETE', 'HEAD', 'PUT']) {
      const response = await service().fetch('/mcp', { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    }
    const response = await service().fetch('/mcp/messages', { method: 'PUT' });
    expect(response.headers.get('allow')).toBe('GET, POST, DELETE, OPTIONS');
    expect(await response.json()).toMatchObject({ error: { code: -32000 } });
  });

  test('413 and 415: a body over 4 MiB, and a body that is not declared as JSON', async () => {
    const large = await post(service().fetch, `"${'x'.repeat(4 * 1024 * 1024)}"`);
    expect(large.status).toBe(413);
    const plain = await post(service().fetch, PING, { headers: { 'content-type': 'text/plain' } });
    expect(plain.status).toBe(415);
    expect(await plain.json()).toMatchObject({ id: null, error: { code: -32000 } });
    const inOtherWords = { headers: { 'content-type': 'Application/JSON; Charset=UTF-8' } };
    expect((await post(service().fetch, PING, inOtherWords)).status).toBe(200);
  });

  test('202: notifications and responses are accepted without a response body', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ]) {
      const response = await post(service().fetch, message);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });

  test('200: params and arguments that are null count as absent, and the largest ids come back as they were', async () => {
    const { fetch } = service();
    const ping = `{"jsonrpc":"2.0","id":${Number.MAX_SAFE_INTEGER},"method":"ping","params":null}`;
    expect(await (await post(fetch, ping)).json()).toEqual({
      ...{ jsonrpc: '2.0', id: Number.MAX_SAFE_INTEGER, result: {} },
    });
    const call = { ...PING, method: 'tools/call' };
    const params = { name: 'list_all_offerings', arguments: null };
    const listed = (await (await post(fetch, { ...call, params })).json()) as RpcAnswer;
    expect(listed.result).toMatchObject({ structuredContent: { count: expect.any(Number) } });
  });

  test('200: a batch is answered item by item, what is no message and initialize too', async () => {
    const response = await post(service().fetch, [
      PING,
      3,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { ...PING, id: 'a', method: 'initialize' },
    ]);
    const answers = (await response.json()) as RpcAnswer[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [7, undefined],
      [null, -32600],
      ['a', -32600],
    ]);
    expect(await (await post(service().fetch, [PING])).json()).toEqual([
      { jsonrpc: '2.0', id: 7, result: {} },
    ]);
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream;q=0.9', 'text/event-stream'],
  ])('200: Accept %s is answered as %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await post(service().fetch, PING, { headers });
    expect(response.headers.get('content-type')).toStartWith(type);
    const text = await response.text();
    const data = type === 'application/json' ? text : /^data: (.*)$/m.exec(text)![1]!;
    expect(JSON.parse(data)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  test('200: initialize agrees on the version asked for, on the newest where it is unknown, on the native one where none is asked; an unknown header is 400', async () => {
    const { fetch } = service();
    for (const [asked, answered] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
      ['2024-10-07', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      [undefined, '2025-03-26'],
    ]) {
      const { result } = await ask(fetch, 'initialize', { protocolVersion: asked });
      expect(result['protocolVersion']).toBe(answered);
    }
    const refused = await post(fetch, PING, { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      id: 7,
      error: { code: -32022, data: { supported: expect.arrayContaining(['2025-03-26']) } },
    });
  });

  test('403: under a name that is not this machine’s, as a page that was rebound would call', async () => {
    if (service().url !== null) return;
    const { fetch } = service();
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
      expect((await post(fetch, PING, { headers: { host } })).status).toBe(403);
    }
    for (const host of ['localhost', 'LOCALHOST:8787', '127.0.0.1:1', '[::1]:8787']) {
      expect((await post(fetch, PING, { headers: { host } })).status).toBe(200);
    }
  });
});

test('403: with allowed hosts and origins set, these and no others', async () => {
  const service = await startService({
    flags: {
      'allowed-hosts': 'mcp.shop.example',
      'public-url': 'https://catalogue.shop.example',
      'allowed-origins': 'https://chat.example',
      listen: '0.0.0.0:0',
    },
  });
  const status = async (headers: Record<string, string>) =>
    (await post(service.fetch, PING, { headers })).status;
  expect(await status({ host: 'mcp.shop.example' })).toBe(200);
  expect(await status({ host: 'catalogue.shop.example:443' })).toBe(200);
  expect(await status({ host: 'shop.example' })).toBe(403);
  expect(await status({ origin: 'https://chat.example' })).toBe(200);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  await service.close();
});

test('429: a batch costs its messages, and one token when there are not enough for it', async () => {
  const service = await startService();
  await service.operator.setLimit({ perMinute: 60, burst: 10 });
  const batch = (count: number) => post(service.fetch, Array(count).fill(PING));
  expect((await batch(8)).headers.get('ratelimit')).toBe('"org";r=2;t=1');
  const refused = await batch(3);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(refused.headers.get('ratelimit')).toBe('"org";r=1;t=1');
  expect(await refused.json()).toMatchObject({ id: null, error: { code: -32005 } });
  await service.elapse(2000);
  expect((await batch(3)).status).toBe(200);
  const single = await post(service.fetch, PING);
  expect(await single.json()).toMatchObject({ id: null, error: { code: -32005 } });
  await service.elapse(1000);
  expect((await post(service.fetch, 'no json')).status).toBe(400);
  expect((await post(service.fetch, PING)).status).toBe(429);
  await service.close();
});

test('429: not a byte of the body is read for a caller without tokens', async () => {
  const service = await startService();
  await service.operator.setLimit({ perMinute: 1, burst: 1 });
  for (const path of ['/mcp', '/mcp/messages', '/rest/hits']) {
    let parts = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          parts += 1;
          if (parts > 3) controller.close();
          else controller.enqueue(new TextEncoder().encode(' '));
        },
      });
    const send = () =>
      service.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: body(),
      });
    let answer = await send();
    while (answer.status !== 429) answer = await send();
    parts = 0;
    expect((await send()).status).toBe(429);
    // A stream fills its queue of one before anybody reads.
    expect(parts).toBeLessThanOrEqual(1);
  }
  await service.close();
});

test('400: a batch of a million messages costs one token and is never parsed', async () => {
  const service = await startService();
  await service.operator.setLimit({ perMinute: 1, burst: 100 });
  // Not JSON at its end, which nobody gets to see.
  const text = `[${'1,'.repeat(1_000_000)}`;
  const response = await post(service.fetch, text);
  expect([response.status, response.headers.get('ratelimit')]).toEqual([400, '"org";r=99;t=60']);
  expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
  await service.close();
});
