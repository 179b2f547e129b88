import { describe, expect, test } from 'bun:test';
import type { OwnHit } from '../../../src/domain/own-hit.ts';
import { OwnTraffic, recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import type { HitReport } from '../../../src/operations/hits/report-hits.ts';
import { callTool } from '../../support/mcp.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const report = (service: LocalService, input: Record<string, unknown> = {}) =>
  service.perform<HitReport>('hits.report', input);

async function rowsOf({ services }: LocalService): Promise<Record<string, unknown>[]> {
  return services.db.all({ sql: 'SELECT * FROM hit_facts ORDER BY key', args: [] });
}

describe('own hits', () => {
  test('a search is recorded after its answer with question, results and duration; a further page is not a new question', async () => {
    const service = await startService();
    const first = await service.fetch('/rest/search/v3/?q=%20Zither%20&token=canary', {
      headers: { 'user-agent': 'GPTBot/1' },
    });
    expect(first.status).toBe(200);
    await service.fetch('/rest/search/v2/?q=');
    await service.asStranger('/rest/search/v2/?q=stranger');
    expect(await rowsOf(service)).toEqual([]);
    // All of it, and what comes next may gather.
    expect(await recordOwnTraffic(service.services)).toBe(false);
    const rows = await rowsOf(service);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      source: 'service',
      question: 'zither',
      result_count: 0,
      agent: 'GPTBot',
      client_ip: '127.0.0.1',
    });
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(await report(service)).toMatchObject({
      unanswered: [{ question: 'zither', unanswered: 1 }],
      latency: { hits: 1 },
    });
    await service.close();
  });

  test('a question with doubtful results only counts as unanswered', async () => {
    const service = await startService();
    await service.operator.importRows([
      { externalId: 'mug', name: 'Mug', price: '5.00', description: 'Made for a rod.' },
    ]);
    for (const path of ['/rest/search/v3/', '/rest/search/v2/'])
      for (const question of ['deep+sea+fishing+rod', 'mug'])
        await service.fetch(`${path}?q=${question}`);
    await callTool(service.fetch, 'search_offerings', { question: 'deep sea fishing rod' });
    await recordOwnTraffic(service.services);
    expect(await report(service)).toMatchObject({
      questions: [
        { question: 'deep sea fishing rod', hits: 3, unanswered: 3 },
        { question: 'mug', hits: 2, unanswered: 0 },
      ],
      unanswered: [{ question: 'deep sea fishing rod' }],
    });
    await service.close();
  });

  test('reports and hits distinguish answers without a key from those with one', async () => {
    const service = await startService();
    await service.operator.setPublic(true);
    const page = `/rest/org/ai/${service.organization.id}/`;
    await service.asStranger(page);
    await service.asStranger(page);
    await service.fetch(page);
    await recordOwnTraffic(service.services);
    const rows = await service.services.db.all<{ access: string }>({
      sql: 'SELECT access FROM hit_facts ORDER BY key',
      args: [],
    });
    expect(rows.map(({ access }) => access)).toEqual(['public', 'public', 'key']);
    expect(await report(service)).toMatchObject({ hits: 3, access: { key: 1, public: 2 } });
    await service.close();
  });

  test('hits that cannot be written stay queued; beyond 10,000 they are dropped and counted, and no search fails', async () => {
    const service = await startService();
    const { ownTraffic, db } = service.services;
    const event = {
      organizationKey: 1,
      atMs: 0,
      latencyMs: 1,
      method: 'GET',
      path: '/',
      userAgent: null,
      clientIp: '',
      access: 'key' as const,
      keyId: null,
      session: null,
      ownHit: { classification: 'search' },
    };
    for (let count = 0; count < 9_999; count++) ownTraffic.note(event);
    expect((await service.fetch('/rest/search/v2/?q=mug')).status).toBe(200);
    expect(ownTraffic.dropped).toBe(0);
    expect((await service.fetch('/rest/search/v2/?q=mug')).status).toBe(200);
    expect(ownTraffic.dropped).toBe(1);
    await db.all({ sql: 'PRAGMA max_page_count = 1', args: [] });
    await expect(recordOwnTraffic(service.services)).rejects.toMatchObject({ code: 'unavailable' });
    await db.all({ sql: 'PRAGMA max_page_count = 1000000', args: [] });
    while (await recordOwnTraffic(service.services));
    expect(await rowsOf(service)).toHaveLength(10_000);
    expect((await report(service)).dropped).toBe(1);
    await service.close();
  });

  test('a commit of own hits stays short: it takes few searches, or ten times as many requests without a question', async () => {
    const ownTraffic = new OwnTraffic();
    const event = { organizationKey: 1, atMs: 0, latencyMs: 1, method: 'GET', path: '/' } as const;
    const caller = {
      userAgent: null,
      clientIp: '',
      access: 'key',
      keyId: null,
      session: null,
    } as const;
    const note = (count: number, ownHit: OwnHit) => {
      for (let done = 0; done < count; done++) ownTraffic.note({ ...event, ...caller, ownHit });
    };
    note(33, { classification: 'search', question: 'mug' });
    note(400, { classification: 'landing_view' });
    const takeSize = () => {
      const { events, isFull } = ownTraffic.oldest();
      ownTraffic.forget(events.length);
      return [events.length, isFull];
    };
    expect([takeSize(), takeSize(), takeSize(), takeSize()]).toEqual([
      [32, true],
      [1 + 310, true],
      [90, false],
      [0, false],
    ]);
  });

  test('a question from an assistant’s tool counts as a search; other calls do not', async () => {
    const service = await startService();
    const { ownTraffic } = service.services;
    const event = {
      organizationKey: 1,
      atMs: service.platform.now(),
      latencyMs: 1,
      method: 'POST',
      path: '/mcp',
      userAgent: 'Claude-User',
      clientIp: '',
      access: 'key' as const,
      keyId: null,
      session: null,
    };
    const call = {
      classification: 'mcp_call',
      tool: 'search_offerings',
      question: 'Tea',
      resultCount: 3,
    };
    ownTraffic.note({ ...event, ownHit: call });
    ownTraffic.note({
      ...event,
      ownHit: { classification: 'mcp_call', tool: 'list_all_offerings' },
    });
    ownTraffic.note({ ...event, ownHit: { classification: 'checkout_start', offeringId: 'x' } });
    while (await recordOwnTraffic(service.services));
    expect(await report(service)).toMatchObject({
      classifications: [
        { classification: 'checkout_start', hits: 1 },
        { classification: 'mcp_call', hits: 1 },
        { classification: 'search', hits: 1 },
      ],
      funnel: [
        { fromAssistants: 1 },
        { fromAssistants: 0 },
        { fromAssistants: 1 },
        { fromAssistants: 0 },
      ],
    });
    await service.close();
  });

  test('queued hits are written when the service closes', async () => {
    const service = await startService();
    await service.fetch('/rest/search/v2/?q=mug');
    await service.services.close();
    const again = await startService({ folder: service.folder, platform: service.platform });
    expect(await rowsOf(again)).toHaveLength(1);
    await again.services.close();
    service.discard();
  });
});
