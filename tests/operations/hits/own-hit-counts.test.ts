import { expect, test } from 'bun:test';
import type { OwnHit } from '../../../src/domain/own-hit.ts';
import { rollUpAll } from '../../../src/operations/hits/maintain-hits.ts';
import type { OwnEvent } from '../../../src/operations/hits/own-hit-rows.ts';
import { recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import { findRecentHits, insertHits } from '../../../src/storage/hits.ts';
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

/** A few hundred events, with every combination of the above in two paths. */
function noteAll({ services }: LocalService): void {
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
}

async function countsOf({ services: { db } }: LocalService) {
  const all = (sql: string) => db.all<Record<string, unknown>>({ sql, args: [] });
  return {
    days: await all('SELECT * FROM hit_days ORDER BY 1, 2, 3, 4, 5, 6, 7, 8'),
    values: await all('SELECT * FROM hit_day_values ORDER BY 1, 2, 3, 4, 5, 6'),
    position: await all(`SELECT value FROM meta WHERE name = 'hits_rolled_up_to'`),
  };
}

test('own hits are counted in the commit that records them, exactly as the roll-up would count them', async () => {
  const service = await startService();
  const { db } = service.services;
  noteAll(service);
  while (await recordOwnTraffic(service.services));
  noteAll(service);
  while (await recordOwnTraffic(service.services));
  const counted = await countsOf(service);
  expect(counted.days.reduce((sum, { hits }) => sum + Number(hits), 0)).toBe(480);
  const tables = ['hit_days', 'hit_day_values', `meta WHERE name = 'hits_rolled_up_to'`];
  await db.write(tables.map((table) => ({ sql: `DELETE FROM ${table}`, args: [] })));
  await rollUpAll(service.services);
  expect(await countsOf(service)).toEqual(counted);
  await service.close();
});

test('beside hits that wait to be counted, own hits wait too, and all are counted once', async () => {
  const service = await startService();
  const { db, directory } = service.services;
  noteAll(service);
  while (await recordOwnTraffic(service.services));
  const { key } = directory.organizations()[0]!;
  const [waiting] = await findRecentHits(db, key, { after: null, limit: 1 });
  await db.write([...insertHits([{ ...waiting!, organizationKey: key, clientIp: null }])]);
  const before = await countsOf(service);
  noteAll(service);
  while (await recordOwnTraffic(service.services));
  expect(await countsOf(service)).toEqual(before);
  await rollUpAll(service.services);
  const { days } = await countsOf(service);
  expect(days.reduce((sum, { hits }) => sum + Number(hits), 0)).toBe(481);
  await service.close();
});
