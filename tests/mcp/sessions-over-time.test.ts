import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import { forgetIdleSessions } from '../../src/operations/assistants/sessions.ts';
import { connectMcp, post, StreamReader } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

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

  test('an address without a key has 200 sessions: beyond that its own oldest makes room, and nobody else’s', async () => {
    service = await startService({ flags: { 'trusted-proxies': '127.0.0.1,10.0.0.0/8' } });
    await service.operator.setPublic(true, { perMinute: 60_000, burst: 1000 });
    const of =
      (address: string): Fetch =>
      (path, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set('x-forwarded-for', address);
        return service.asStranger(path, { ...init, headers });
      };
    const [crowd, other] = [of('203.0.113.7'), of('203.0.113.8')];
    const others = await begin(other);
    await service.elapse(1000);
    const oldest = await begin(crowd);
    await service.elapse(1000);
    const second = await begin(crowd);
    await service.elapse(1000);
    for (let count = 2; count < 200; count++) await begin(crowd);
    const status = async (fetch: Fetch, id: string) =>
      (await post(fetch, PING, inSession(id))).status;
    expect(await status(crowd, oldest)).toBe(200);
    await begin(crowd);
    expect([
      await status(crowd, oldest),
      await status(crowd, second),
      await status(other, others),
    ]).toEqual([404, 200, 200]);
  });

  test('the address of a session is not kept beyond a day', async () => {
    service = await startService();
    await service.operator.setPublic(true);
    const stream = await service.asStranger(MESSAGES);
    const kept = () =>
      service.services.db.all<object>({ sql: 'SELECT network FROM mcp_sessions', args: [] });
    expect(await kept()).not.toEqual([{ network: '' }]);
    await service.elapse(25 * 3_600_000);
    await forgetIdleSessions(service.services);
    expect(await kept()).toEqual([{ network: '' }]);
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
