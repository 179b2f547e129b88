import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import { connectMcp, post, StreamReader } from '../support/mcp.ts';
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

/** Sessions that nobody uses. */
function addSessions({ services, organization }: LocalService, count: number) {
  const { key } = services.directory.findOrganization(organization.id)!;
  const now = services.platform.now();
  return services.db.write([
    {
      sql: `INSERT INTO mcp_sessions (id, organization_key, api_key_id, created_at, seen_at)
            SELECT 'filler-' || value, ?, 'none', ?, ? FROM generate_series(1, ?)`,
      args: [key, now, now, count],
    },
  ]);
}

describe('over time', () => {
  let service: LocalService;
  afterEach(() => service.close());

  test('a sign of life goes out every 15 seconds', async () => {
    service = await startService();
    const stream = new StreamReader(await service.fetch('/mcp', { headers: NEWER }));
    expect((await stream.nextEvent())!.event).toBe('endpoint');
    for (let count = 0; count < 3; count++) {
      await service.elapse(15_000);
      expect(await stream.next()).toBe(': keep-alive');
    }
    await stream.cancel();
  });

  test('a session that nobody used for 24 hours is over, one that was used is not', async () => {
    service = await startService();
    const [idle, used] = [await begin(service.fetch), await begin(service.fetch)];
    const hour = 3_600_000;
    await service.elapse(23 * hour);
    expect((await post(service.fetch, PING, inSession(used))).status).toBe(200);
    await service.elapse(hour);
    expect((await post(service.fetch, PING, inSession(idle))).status).toBe(404);
    expect((await post(service.fetch, PING, inSession(used))).status).toBe(200);
  });

  test('beyond 1,000 the session that was unused for longest makes room, never one with a stream', async () => {
    service = await startService();
    const { fetch } = service;
    const listening = await begin(fetch);
    const stream = await fetch(MESSAGES, { headers: { 'mcp-session-id': listening } });
    const oldest = await begin(fetch);
    await service.elapse(1000);
    const second = await begin(fetch);
    await service.elapse(1000);
    await addSessions(service, 997);
    await begin(fetch);
    const status = async (id: string) => (await post(fetch, PING, inSession(id))).status;
    expect([await status(oldest), await status(second), await status(listening)]).toEqual([
      404, 200, 200,
    ]);
    await stream.body!.cancel();
  });

  test('a new session costs the same whatever streams are open', async () => {
    service = await startService();
    const { fetch, services } = service;
    await addSessions(service, 1000);
    await begin(fetch);
    const write = spyOn(services.db, 'write');
    const bytesOfSession = async () => {
      write.mockClear();
      await begin(fetch);
      return JSON.stringify(write.mock.calls).length;
    };
    const alone = await bytesOfSession();
    const streams = [];
    for (let count = 0; count < 20; count++) streams.push(await fetch('/mcp'));
    expect(Math.abs((await bytesOfSession()) - alone)).toBeLessThan(36);
    write.mockRestore();
    for (const stream of streams) await stream.body!.cancel();
  });

  test('503: a stream that is refused begins no session', async () => {
    service = await startService();
    const { fetch, services } = service;
    const streams = [];
    for (let count = 0; count < 200; count++) streams.push(await fetch('/mcp'));
    for (let count = 0; count < 5; count++) expect((await fetch('/mcp')).status).toBe(503);
    const count = { sql: 'SELECT count(*) AS sessions FROM mcp_sessions', args: [] };
    expect(await services.db.all<object>(count)).toMatchObject([{ sessions: 200 }]);
    for (const stream of streams) await stream.body!.cancel();
  });

  test('a stopping service closes its streams, and the next one knows their sessions and what was missed', async () => {
    service = await startService();
    const { folder, platform } = service;
    const events = new StreamReader(await service.fetch('/mcp'));
    const { data: path, id: first } = (await events.nextEvent())!;
    await post(service.fetch, { ...PING, id: 'before' }, { path });
    const session = await begin(service.fetch);
    service.services.beginStop();
    expect(JSON.parse((await events.nextEvent())!.data)).toMatchObject({ id: 'before' });
    expect(await events.next()).toBeNull();
    await service.services.close();
    const restarted = await startService({ folder, platform });
    const fetch = restarted.as(service.apiKey);
    expect((await post(fetch, PING, inSession(session))).status).toBe(200);
    const resumed = new StreamReader(await fetch('/mcp', { headers: { 'last-event-id': first } }));
    expect(JSON.parse((await resumed.nextEvent())!.data)).toMatchObject({ id: 'before' });
    await post(fetch, { ...PING, id: 'after' }, { path });
    expect(JSON.parse((await resumed.nextEvent())!.data)).toMatchObject({ id: 'after' });
    await resumed.cancel();
    await restarted.close();
  });

  test('a restart in the middle of a conversation goes unnoticed by the SDK’s clients', async () => {
    service = await startService();
    const { folder, platform, apiKey } = service;
    let current = service.fetch;
    const switching: Fetch = (path, init) => current(path, init);
    const clients = await Promise.all([connectMcp(switching), connectMcp(switching, MESSAGES)]);
    for (const client of clients) await client.ping();
    service.services.beginStop();
    await service.services.close();
    const restarted = await startService({ folder, platform });
    current = restarted.as(apiKey);
    for (const client of clients) {
      await client.ping();
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      await client.close();
    }
    await restarted.close();
  });

  test('a client that does not read is dropped once 256 KiB are queued', async () => {
    service = await startService();
    await service.operator.importRows(
      Array.from({ length: 150 }, (_, index) => ({
        externalId: `${index}`,
        name: `Thing ${index} ${'x'.repeat(150)}`,
      })),
    );
    const response = await service.fetch('/mcp');
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    const path =
      /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ??
      /data: (\S+)/.exec(new TextDecoder().decode((await reader.read()).value))![1]!;
    const call = { ...PING, method: 'tools/call', params: { name: 'list_all_offerings' } };
    const statuses: number[] = [];
    for (let count = 0; count < 16; count++)
      statuses.push((await post(service.fetch, call, { path })).status);
    // Ten answers of almost 27 KB wait, the next one finds nobody.
    const dropped = statuses.indexOf(200);
    expect(dropped).toBeGreaterThan(6);
    expect(dropped).toBeLessThan(13);
    expect(reader.read()).rejects.toThrow('does not read');
  });
});
