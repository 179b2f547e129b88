import { afterEach, describe, expect, test } from 'bun:test';
import { post, type RpcAnswer, StreamReader } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const MESSAGES = '/mcp/messages';
const NEWER = { 'mcp-protocol-version': '2025-06-18' };

type Fetch = LocalService['fetch'];

async function begin(fetch: Fetch): Promise<string> {
  const response = await post(fetch, INITIALIZE, { path: MESSAGES });
  expect(response.status).toBe(200);
  return response.headers.get('mcp-session-id')!;
}

const inSession = (id: string) => ({ path: MESSAGES, headers: { 'mcp-session-id': id } });

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test('400: a message without a session that does not begin one', async () => {
    const response = await post(service().fetch, PING, { path: MESSAGES });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32600 } });
  });

  test('404: unknown, ended and another key’s sessions are the same bytes, on every method', async () => {
    const { fetch, as, operator } = service();
    const foreign = await operator.createOrganization(`Delta ${Math.random()}`);
    const colleague = await operator.createKey();
    const [theirs, ended, colleagues] = await Promise.all([
      begin(as(foreign.apiKey)),
      begin(fetch),
      begin(as(colleague.apiKey)),
    ]);
    expect(
      (await fetch(MESSAGES, { method: 'DELETE', headers: { 'mcp-session-id': ended } })).status,
    ).toBe(204);
    const ids = [theirs, ended, colleagues, '01999999-9999-4999-8999-999999999999', 'none'];
    const answers = await Promise.all(
      ids.flatMap((id) => {
        const headers = { 'mcp-session-id': id, 'x-request-id': 'same' };
        return [
          fetch(MESSAGES, { headers }),
          fetch(MESSAGES, { headers, method: 'DELETE' }),
          fetch(`${MESSAGES}?sessionId=${id}`, { headers: { 'x-request-id': 'same' } }),
        ];
      }),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(404));
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ error: { code: -32001 } });
    for (const id of ids) {
      const response = await post(fetch, PING, inSession(id));
      expect([response.status, ((await response.json()) as { id: number }).id]).toEqual([404, 7]);
      const byEvent = await fetch('/mcp', { headers: { 'last-event-id': `${id}.0` } });
      // What is no event of ours begins a stream of no session.
      expect(byEvent.status).toBe(id === 'none' ? 200 : 404);
      await byEvent.body?.cancel();
    }
    expect((await post(as(foreign.apiKey), PING, inSession(theirs))).status).toBe(200);
  });

  test('a stream begins at once: with the address for messages, or with a sign of life', async () => {
    const { fetch } = service();
    const older = await fetch('/mcp');
    expect(older.headers.get('content-type')).toBe('text/event-stream');
    expect(older.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(older.headers.get('x-accel-buffering')).toBe('no');
    const events = new StreamReader(older);
    const first = (await events.nextEvent())!;
    expect(first.event).toBe('endpoint');
    expect(first.data).toMatch(/^\/mcp\/messages\?sessionId=[0-9a-f-]{36}$/);
    const taken = await post(fetch, PING, { path: first.data });
    expect([taken.status, await taken.text()]).toEqual([202, '']);
    const answer = (await events.nextEvent())!;
    expect(answer).toMatchObject({ event: 'message' });
    expect(JSON.parse(answer.data)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(answer.id).not.toBe(first.id);
    await events.cancel();
    for (const headers of [{}, NEWER]) {
      const stream = new StreamReader(await fetch('/mcp', { headers }));
      expect(await stream.next()).toBe(': open');
      expect((await stream.nextEvent())!.event).toBe('endpoint');
      await stream.cancel();
    }
  });

  test('without its stream a session is answered in the body', async () => {
    const { fetch } = service();
    const events = new StreamReader(await fetch(MESSAGES));
    const { data: path } = (await events.nextEvent())!;
    await events.cancel();
    // A closed connection is noticed a moment later.
    for (let waited = 0; waited < 100; waited++) {
      const response = await post(fetch, PING, { path });
      if (response.status === 200) {
        expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
        return;
      }
      await service().elapse(10);
    }
    throw new Error('The stream is still taken for open.');
  });

  test('who comes back is told what was missed, and only that', async () => {
    const { fetch } = service();
    const events = new StreamReader(await fetch('/mcp'));
    const { data: path } = (await events.nextEvent())!;
    const ids: string[] = [];
    for (const id of [1, 2, 3]) {
      expect((await post(fetch, { ...PING, id }, { path })).status).toBe(202);
      ids.push((await events.nextEvent())!.id);
    }
    for (const from of ['/mcp', MESSAGES]) {
      const again = new StreamReader(await fetch(from, { headers: { 'last-event-id': ids[0]! } }));
      const missed = [(await again.nextEvent())!, (await again.nextEvent())!];
      expect(missed.map(({ id, data }) => [id, (JSON.parse(data) as { id: number }).id])).toEqual([
        [ids[1]!, 2],
        [ids[2]!, 3],
      ]);
      // The newer stream has taken the place of the older one.
      await post(fetch, { ...PING, id: 4 }, { path });
      expect(JSON.parse((await again.nextEvent())!.data)).toMatchObject({ id: 4 });
      await again.cancel();
    }
    expect(await events.next()).toBeNull();
  });

  test('a stream of no session goes to clients that name a session or what they heard last', async () => {
    for (const header of ['mcp-session-id', 'last-event-id']) {
      const stream = new StreamReader(
        await service().fetch('/mcp', { headers: { [header]: 'x' } }),
      );
      expect(await stream.next()).toBe(': open');
      await stream.cancel();
    }
  });

  test('a session’s request is cancelled by a later message of the session', async () => {
    const { fetch } = service();
    const headers = inSession(await begin(fetch));
    const search = {
      ...{ ...PING, id: 'slow', method: 'tools/call' },
      params: { name: 'list_all_offerings' },
    };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    const asked = post(fetch, search, headers);
    const cancelled = post(fetch, { ...cancel, params: { requestId: 'slow' } }, headers);
    expect((await cancelled).status).toBe(202);
    // Either the cancellation came in time, or the answer was there before it.
    expect([200, 202]).toContain((await asked).status);
    expect((await post(fetch, PING, headers)).status).toBe(200);
  });

  test('a session’s second stream ends its first', async () => {
    const { fetch } = service();
    const headers = { 'mcp-session-id': await begin(fetch) };
    const first = new StreamReader(await fetch(MESSAGES, { headers }));
    const second = new StreamReader(await fetch(MESSAGES, { headers }));
    expect(await first.next()).toBe(': open');
    expect(await first.next()).toBeNull();
    expect(await second.next()).toBe(': open');
    await second.cancel();
  });

  test('405 for clients that go on without it, 503 for the others: the 201st stream of a key, until one of its others ends', async () => {
    const { as, operator } = service();
    const fetch = as((await operator.createKey()).apiKey);
    const streams: StreamReader[] = [];
    for (let count = 0; count < 200; count++)
      streams.push(new StreamReader(await fetch('/mcp', { headers: NEWER })));
    for (const headers of [NEWER, { ...NEWER, 'mcp-session-id': await begin(fetch) }]) {
      const refused = await fetch('/mcp', { headers });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const refused = await fetch(MESSAGES);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15']);
    expect(await refused.json()).toMatchObject({ error: { code: -32000 } });
    await streams.pop()!.cancel();
    for (let waited = 0; waited < 100; waited++) {
      const again = await fetch('/mcp', { headers: NEWER });
      if (again.status === 200) {
        streams.push(new StreamReader(again));
        break;
      }
      await service().elapse(10);
    }
    expect(streams).toHaveLength(200);
    await Promise.all(streams.map((stream) => stream.cancel()));
  });

  test('202: whatever a session’s message holds, while its stream is open; the answer, an error too, goes out there', async () => {
    const { fetch } = service();
    const events = new StreamReader(await fetch('/mcp'));
    const { data: path } = (await events.nextEvent())!;
    const discover = { ...PING, method: 'server/discover', params: { _meta: {} } };
    for (const [message, id, code, headers] of [
      [discover, 7, -32601, { 'mcp-protocol-version': '2026-07-28' }],
      [{ ...PING, method: 'x' }, 7, -32601, {}],
      [{ ...PING, jsonrpc: '1' }, 7, -32600, {}],
      [{ ...PING, id: null }, null, -32600, {}],
      ['no json', null, -32700, {}],
      [[], null, -32600, {}],
      [PING, 7, -32022, { 'mcp-protocol-version': '1999-01-01' }],
    ] as const) {
      const given = headers as Record<string, string>;
      const taken = await post(fetch, message, { path, headers: given });
      expect([taken.status, await taken.text()]).toEqual([202, '']);
      expect(JSON.parse((await events.nextEvent())!.data)).toMatchObject({ id, error: { code } });
    }
    await events.cancel();
  });

  test('streams end within a second of their key’s revocation', async () => {
    const { as, operator, elapse } = service();
    const { id, apiKey } = await operator.createKey();
    const stream = new StreamReader(await as(apiKey)('/mcp', { headers: NEWER }));
    expect((await stream.nextEvent())!.event).toBe('endpoint');
    await operator.revokeKey(id);
    const ended = stream.next();
    await elapse(1000);
    expect(await ended).toBeNull();
  });
});

describe('the revision that a session agreed on decides how a wrong argument is told', () => {
  let service: LocalService;
  afterEach(() => service.close());

  const wrong = { name: 'search_offerings', arguments: { question: ' ' } };
  const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: wrong };
  const initialize = (protocolVersion: string) => ({
    ...INITIALIZE,
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const told = ({ error, result }: RpcAnswer) => error?.code ?? result?.['isError'];

  test.each([
    ['2025-11-25', true],
    ['2025-03-26', -32602],
  ])(
    '%s, in a session and on a stream, whatever header a message has',
    async (version, outcome) => {
      service = await startService();
      const { fetch } = service;
      const begun = await post(fetch, initialize(version), { path: MESSAGES });
      const { path, headers } = inSession(begun.headers.get('mcp-session-id')!);
      for (const further of [{}, { 'mcp-protocol-version': '2025-06-18' }]) {
        const answer = await post(fetch, CALL, { path, headers: { ...headers, ...further } });
        expect(told((await answer.json()) as RpcAnswer)).toBe(outcome);
      }
      const stream = new StreamReader(await fetch('/mcp'));
      const address = (await stream.nextEvent())!.data;
      await post(fetch, initialize(version), { path: address });
      await stream.nextEvent();
      await post(fetch, CALL, { path: address });
      expect(told(JSON.parse((await stream.nextEvent())!.data) as RpcAnswer)).toBe(outcome);
      await stream.cancel();
    },
  );
});
