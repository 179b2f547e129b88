import { expect, test } from 'bun:test';
import { forgetIdleSessions } from '../../src/operations/assistants/sessions.ts';
import { maintainHits } from '../../src/operations/hits/maintain-hits.ts';
import { RetentionClock } from '../../src/operations/retention-clock.ts';
import { openFresh } from '../storage/open.ts';
import { fakePlatform } from '../support/fake-platform.ts';
import { hitOf, posted } from '../support/hits.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

async function maintain({ services }: LocalService): Promise<void> {
  const maintain = maintainHits(services);
  while (await maintain());
  await forgetIdleSessions(services);
}

async function count({ services }: LocalService, table: string): Promise<number> {
  const [row] = await services.db.all<{ count: number }>({
    sql: `SELECT count(*) AS count FROM ${table}`,
    args: [],
  });
  return row!.count;
}

/** A hit each tenth day for eighty days, then one with an Idempotency-Key, and a session. */
async function withHistory(): Promise<LocalService> {
  const service = await startService();
  const { platform, fetch, organization } = service;
  const hit = hitOf(organization.id, { clientIp: '203.0.113.7' });
  for (let count = 0; count < 8; count += 1) {
    expect((await fetch('/rest/hits/', posted([hit]))).ok).toBe(true);
    platform.advance(10 * DAY_MS);
    await maintain(service);
  }
  expect((await fetch('/rest/hits/', posted([hit], { 'idempotency-key': 'once' }))).ok).toBe(true);
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    },
  };
  expect((await fetch('/mcp/messages', posted(initialize))).status).toBe(200);
  await maintain(service);
  return service;
}

test('a clock that steps forward by a year deletes nothing: no hit, address, Idempotency-Key or session', async () => {
  const service = await withHistory();
  const tables = ['hits', 'hit_days', 'hit_requests', 'mcp_sessions'];
  const counted = () => Promise.all(tables.map((table) => count(service, table)));
  const whole = "hits WHERE client_ip = '203.0.113.7'";
  const before = await counted();
  expect(before).toEqual([9, before[1]!, 1, 1]);
  expect(await count(service, whole)).toBe(1);
  service.platform.setWallClock(service.platform.now() + YEAR_MS);
  await maintain(service);
  expect(await counted()).toEqual(before);
  expect(await count(service, whole)).toBe(1);
  expect(service.platform.logged.map(({ event }) => event)).not.toContain('loop_failed');
  await service.close();
});

test('deletions catch up with a clock that is ahead by one extra day per day, and the service logs the lag', async () => {
  const service = await withHistory();
  const { platform } = service;
  platform.setWallClock(platform.now() + YEAR_MS);
  const kept: number[] = [];
  for (let day = 0; day < 8; day += 1) {
    platform.advance(DAY_MS);
    await maintain(service);
    kept.push(await count(service, 'hits'));
  }
  // The oldest hit is 80 days old. Retention ages it by two days per day: 92 after six days.
  expect(kept).toEqual([9, 9, 9, 9, 9, 8, 8, 8]);
  expect(platform.logged.filter(({ event }) => event === 'clock_doubted').length).toBeGreaterThan(
    0,
  );
  await service.close();
});

test('after a stop, retention continues from the stored time, even if the clock jumped in the meantime', async () => {
  const db = await openFresh();
  const platform = fakePlatform();
  const startMs = platform.now();
  const first = await RetentionClock.open({ db, platform });
  platform.advance(DAY_MS);
  await first.keep();
  const later = fakePlatform();
  later.setWallClock(startMs + YEAR_MS);
  const second = await RetentionClock.open({ db, platform: later });
  expect(second.now()).toBe(startMs + DAY_MS);
  later.advance(HOUR_MS);
  expect(second.now()).toBe(startMs + DAY_MS + 2 * HOUR_MS);
  later.setWallClock(startMs);
  expect(second.now()).toBe(startMs);
  await db.close();
});

test('without a stored time, retention starts from the newest hit', async () => {
  const service = await withHistory();
  const { platform, services } = service;
  await services.db.write([{ sql: "DELETE FROM meta WHERE name = 'retention_clock'", args: [] }]);
  const newestMs = platform.now();
  platform.setWallClock(newestMs + YEAR_MS);
  const clock = await RetentionClock.open({ db: services.db, platform });
  expect(clock.now()).toBe(newestMs);
  await service.close();
});
