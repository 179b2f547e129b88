import { expect, test } from 'bun:test';
import type { OwnHit } from '../../../src/domain/own-hit.ts';
import { countNext, rollUpAll } from '../../../src/operations/hits/maintain-hits.ts';
import type { OwnEvent } from '../../../src/operations/hits/own-hit-rows.ts';
import { recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import { deleteHits, rollUpHits } from '../../../src/storage/hit-rollups.ts';
import { addTallied } from '../../../src/storage/hit-tally.ts';
import { findRecentHits, insertHits } from '../../../src/storage/hits.ts';
import { countedFromRows, countedInRollUps } from '../../support/counted-hits.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const AGENTS = [null, 'GPTBot/1', 'Mozilla/5.0 (X11) Firefox/1', 'curl/8'];
const LATENCIES = [0, 1, 1.001, 49, 5000, 5001];
const HITS: readonly OwnHit[] = [
  { classification: 'landing_view' },
  { classification: 'search', question: 'Müsli “bio”', resultCount: 0, isDoubtful: false },
  { classification: 'search', question: 'mug', resultCount: 3, isDoubtful: true },
  { classification: 'mcp_call', tool: 'search_offerings', question: 'half \ud83d', resultCount: 2 },
  {
    classification: 'search',
    question: `my key vk_abcdefghijkl_${'a1'.repeat(20)}`,
    resultCount: 1,
  },
];

const SENT: readonly Record<string, unknown>[] = [
  { path: '/products/mug?utm=x', userAgent: 'GPTBot/1', verifiedBot: true },
  { url: 'https://s.example/search?q=Müsli', userAgent: AGENTS[2] },
  {
    url: 'https://s.example/search?q=',
    classification: 'page_view',
    eventDate: '1999-12-31T10:00:00Z',
  },
];

/** Records a few hundred own hits, with every combination of the above in two paths. */
async function noteAll({ services }: LocalService): Promise<void> {
  const [organization] = services.directory.organizations();
  for (const ownHit of HITS)
    for (const userAgent of AGENTS)
      for (const latencyMs of LATENCIES)
        for (const path of ['/rest/search/v3/?q=1', null])
          services.ownTraffic.note({
            ...{ organizationKey: organization!.key, atMs: services.platform.now(), method: 'GET' },
            ...{ clientIp: '127.0.0.1', access: 'key', keyId: null, session: null },
            ...{ ownHit, userAgent, latencyMs, path },
          } satisfies OwnEvent);
  while (await recordOwnTraffic(services));
}

async function countsOf({ services: { db } }: LocalService) {
  const all = (sql: string) => db.all<Record<string, unknown>>({ sql, args: [] });
  return {
    days: await all('SELECT * FROM hit_days ORDER BY 1, 2, 3, 4, 5, 6, 7, 8'),
    values: await all('SELECT * FROM hit_day_values ORDER BY 1, 2, 3, 4, 5, 6'),
    position: await all(`SELECT value FROM meta WHERE name = 'hits_rolled_up_to'`),
  };
}

test('hits are counted as they are recorded, without a look at their rows, exactly as the roll-up would count them', async () => {
  const service = await startService();
  const { services, organization } = service;
  const { db } = services;
  const post = (hits: readonly Record<string, unknown>[], headers = {}) =>
    service.fetch(
      '/rest/hits/',
      posted(
        hits.map((hit) => hitOf(organization.id, hit)),
        headers,
      ),
    );
  await noteAll(service);
  await post(SENT);
  // The same request twice, and another beside it: two are recorded.
  const [one, two] = [{ 'idempotency-key': 'one' }, { 'idempotency-key': 'two' }];
  await post(SENT, one);
  await Promise.all([post(SENT, one), post(SENT, two)]);
  await noteAll(service);
  const bodies = await db.all({ sql: 'SELECT key, body FROM hits', args: [] });
  await db.write([{ sql: `UPDATE hits SET body = 'unread'`, args: [] }]);
  await rollUpAll(services);
  const summed = await countsOf(service);
  const count = summed.days.reduce((sum, { hits }) => sum + Number(hits), 0);
  expect(count).toBe(480 + 3 * SENT.length);
  const restore = `UPDATE hits SET body = value ->> 'body' FROM json_each(?) WHERE hits.key = value ->> 'key'`;
  await db.write([{ sql: restore, args: [JSON.stringify(bodies)] }]);
  const tables = ['hit_days', 'hit_day_values', `meta WHERE name = 'hits_rolled_up_to'`];
  await db.write(tables.map((table) => ({ sql: `DELETE FROM ${table}`, args: [] })));
  await rollUpAll(services);
  expect(await countsOf(service)).toEqual(summed);
  await service.close();
});

test('whatever comes between hits that are summed, each counts once', async () => {
  const service = await startService();
  const { services, organization } = service;
  const { db, directory } = services;
  const { key } = directory.organizations()[0]!;
  const post = (page: string) =>
    service.fetch('/rest/hits/', posted(hitOf(organization.id, { path: page })));
  // As another instance does, which shares no memory with this one.
  const addOther = async () => {
    const [hit] = await findRecentHits(db, key, { after: null, limit: 1 });
    await db.write(insertHits([{ ...hit!, organizationKey: key, clientIp: null }]));
  };
  const deleteLast = async () => {
    const [hit] = await findRecentHits(db, key, { after: null, limit: 1 });
    await db.write(deleteHits([hit!.cursor]));
  };
  const addSums = async () => {
    const part = services.hitTally.oldest();
    if (part !== null) await addTallied(db, part);
  };
  const events: readonly (() => Promise<unknown>)[] = [
    ...[addOther, addSums, deleteLast, () => rollUpHits(db, 1), () => rollUpHits(db, 100)],
    ...[() => countNext(services), () => Promise.all([rollUpAll(services), rollUpAll(services)])],
  ];
  for (const first of events)
    for (const second of events) {
      for (const event of [first, second]) {
        await post('/before');
        await event();
      }
      await post('/after');
      await rollUpAll(services);
      expect(await countedInRollUps(db)).toEqual(await countedFromRows(db));
    }
  await service.close();
});
