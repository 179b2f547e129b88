import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Errors } from 'typebox/value';
import { HitRecorder } from '../../../src/operations/hits/hit-recorder.ts';
import { maintainHits } from '../../../src/operations/hits/maintain-hits.ts';
import { HitReport } from '../../../src/operations/hits/report-hits.ts';
import type { Database } from '../../../src/storage/engine/database.ts';
import { countedFromRows, countedInRollUps } from '../../support/counted-hits.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const HITS = '/rest/hits/';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const report = (service: LocalService, input: Record<string, unknown> = {}) =>
  service.perform<HitReport>('hits.report', input);

const post = (service: LocalService, ...hits: readonly Record<string, unknown>[]) =>
  service.fetch(HITS, posted(hits.map((hit) => hitOf(service.organization.id, hit))));

async function maintain({ services }: LocalService): Promise<void> {
  const maintain = maintainHits(services);
  while (await maintain());
}

async function rowsOf({ services }: LocalService): Promise<Record<string, unknown>[]> {
  return services.db.all({ sql: 'SELECT * FROM hit_facts ORDER BY key', args: [] });
}

const AGENTS = ['curl/8.1', 'GPTBot/1.0', 'Mozilla/5.0 (X11) Firefox/140.0', ''];

const anyHit = fc.record({
  eventDate: fc.constantFrom(
    '2026-01-01T10:00:00Z',
    '2025-12-31T23:30:00-01:00',
    '2024-06-01T00:00:00Z',
  ),
  classification: fc.constantFrom('search', 'link_click', 'page_view'),
  userAgent: fc.constantFrom(...AGENTS),
  url: fc.constantFrom(
    'https://s.example/?q=Tea',
    'https://s.example/a?q=',
    'https://s.example/b?q=%20tea',
  ),
  verifiedBot: fc.constantFrom(true, false, null),
  clientIp: fc.constantFrom('203.0.113.7', '203.0.114.7', null),
});

test('roll-ups equal the rows after any hits and any purges', async () => {
  const service = await startService();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyHit, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom<Record<string, unknown>>(
        { client: '203.0.113.7' },
        { client: '203.0.114.0/24' },
        { before: '2026-01-01' },
        { all: true },
      ),
      async (batches, purge) => {
        const { db } = service.services;
        for (const [index, batch] of batches.entries()) {
          await post(service, ...batch);
          if (index % 2 === 0) await maintain(service);
        }
        // Before the last ones are counted, because uncounted hits must not be subtracted.
        await service.perform('hits.purge', purge);
        await maintain(service);
        expect(await countedInRollUps(db)).toEqual(await countedFromRows(db));
      },
    ),
    { numRuns: 25 },
  );
  await service.close();
});

test('two concurrent counters count no hit twice', async () => {
  const service = await startService();
  await post(service, ...Array.from({ length: 900 }, () => ({})));
  await Promise.all([report(service), maintain(service), report(service)]);
  const { db } = service.services;
  expect(await countedInRollUps(db)).toEqual(await countedFromRows(db));
  await service.close();
});

test('hits that arrive together share a commit, and each is on disk when it is answered', async () => {
  const service = await startService();
  const { services, organization } = service;
  const sizes: number[] = [];
  const db: Database = {
    ...services.db,
    write(statements) {
      sizes.push(statements.length);
      return services.db.write(statements);
    },
  };
  const recorder = new HitRecorder({ ...services, db });
  const counted = { ...services, hits: recorder };
  const { recordHits } = await import('../../../src/operations/hits/record-hits.ts');
  const caller = {
    organization: services.directory.organizations()[0]!,
    apiKey: services.directory.apiKeys()[0]!,
  };
  const { readHit } = await import('../../../src/http/hits/hit-body.ts');
  const read = readHit(hitOf(organization.id));
  const hits = 'hit' in read ? [read.hit] : [];
  const record = (key: string | null) =>
    recordHits(counted, caller, { hits, idempotency: key === null ? null : { key, body: 'same' } });
  await Promise.all(Array.from({ length: 64 }, (_, at) => record(at % 2 === 0 ? null : `k${at}`)));
  // One statement for all hits without a key, three for all hits with one.
  expect(sizes).toEqual([4]);
  expect(await rowsOf(service)).toHaveLength(64);
  const again = await Promise.all([record('k1'), record('k3'), record('fresh')]);
  expect(again.map(({ isReplay }) => isReplay)).toEqual([true, true, false]);
  expect(sizes).toEqual([4, 3]);
  expect(await rowsOf(service)).toHaveLength(65);
  await service.close();
});

describe('retention', () => {
  test('full addresses for 24 hours, hits for 90 days, counts for 25 months', async () => {
    const service = await startService();
    const { platform } = service;
    await post(service, { clientIp: '203.0.113.7' }, { clientIp: '2001:db8:1:2::3' });
    const addresses = async () => (await rowsOf(service)).map((row) => row['client_ip']);
    platform.advance(24 * HOUR_MS);
    await maintain(service);
    expect(await addresses()).toEqual(['203.0.113.7', '2001:db8:1:2::3']);
    platform.advance(1);
    await maintain(service);
    expect(await addresses()).toEqual(['203.0.113.0/24', '2001:db8:1::/48']);
    platform.advance(89 * DAY_MS - 1);
    await maintain(service);
    expect(await rowsOf(service)).toHaveLength(2);
    platform.advance(1);
    await maintain(service);
    expect(await rowsOf(service)).toHaveLength(0);
    const counted = async () => (await report(service, { since: '2026-01-01' })).hits;
    expect(await counted()).toBe(2);
    const until = (moment: number) => platform.advance(moment - platform.now());
    until(Date.UTC(2028, 1, 1, 12));
    await maintain(service);
    expect(await counted()).toBe(2);
    until(Date.UTC(2028, 1, 2, 1));
    await maintain(service);
    expect(await counted()).toBe(0);
    await service.close();
  });

  test('follows the settings', async () => {
    const service = await startService({
      flags: { 'hits-days': '1', 'hits-full-address-hours': '0' },
    });
    await post(service, { clientIp: '203.0.113.7' });
    service.platform.advance(1);
    await maintain(service);
    expect((await rowsOf(service))[0]!['client_ip']).toBe('203.0.113.0/24');
    service.platform.advance(DAY_MS);
    await maintain(service);
    expect(await rowsOf(service)).toEqual([]);
    await service.close();
  });
});

describe('hits.purge', () => {
  test('deletes the selected hits of one organization, and the audit log records it without the address', async () => {
    const service = await startService();
    const other = await service.operator.createOrganization('Other');
    await service.as(other.apiKey)(HITS, posted(hitOf(other.id, { clientIp: '203.0.113.7' })));
    await post(service, { clientIp: '203.0.113.7' }, { clientIp: '203.0.113.8' }, {});
    const organization = service.organization.slug;
    const purge = (input: object) => service.perform('hits.purge', { organization, ...input });
    expect(await purge({ client: '203.0.113.7' })).toEqual({ purged: 1 });
    expect(await purge({ client: '203.0.113.0/24' })).toEqual({ purged: 1 });
    expect(await purge({ all: true })).toEqual({ purged: 1 });
    expect(await rowsOf(service)).toHaveLength(1);
    const entries = await service.perform<{ event: string }[]>('audit.list', {
      organization,
      limit: 3,
    });
    expect(entries.map(({ event }) => event)).toEqual(Array(3).fill('hits.purged'));
    expect(JSON.stringify(entries)).not.toContain('203.0.113');
    await service.close();
  });

  test.each([
    {},
    { all: true, before: '2026-01-01' },
    { before: 'yesterday' },
    { client: 'me' },
    { client: '203.0.113.0/16' },
  ])('refuses %p', async (input) => {
    const service = await startService();
    await expect(service.perform('hits.purge', input)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await service.close();
  });
});

describe('hits.report', () => {
  test('covers one organization, day by day, and matches its schema', async () => {
    const service = await startService();
    const other = await service.operator.createOrganization('Other');
    await service.as(other.apiKey)(HITS, posted(hitOf(other.id, { path: '/canary' })));
    await post(
      service,
      { userAgent: 'ChatGPT-User', verifiedBot: true, url: 'https://s.example/search?q=Tea' },
      { userAgent: 'ChatGPT-User', classification: 'link_click', path: '/products/tea?utm=x' },
      { eventDate: '2025-12-31T23:59:59-00:01', classification: 'checkout_start' },
      { eventDate: '2025-12-25T12:00:00Z', classification: 'purchase' },
    );
    const organization = service.organization.slug;
    const found = await report(service, { organization });
    expect([...Errors(HitReport, found)]).toEqual([]);
    expect(JSON.stringify(found)).not.toContain('canary');
    expect(found).toMatchObject({
      firstDay: '2025-12-26',
      lastDay: '2026-01-01',
      hits: 3,
      fromAssistants: 2,
      agents: [
        { agent: 'ChatGPT-User', kind: 'ai_retrieval', hits: 2, verified: 1 },
        { agent: 'unknown', hits: 1 },
      ],
      questions: [{ question: 'tea', hits: 1, fromAssistants: 1, unanswered: 0 }],
      unanswered: [],
      funnel: [
        { step: 'search', hits: 1, fromAssistants: 1 },
        { step: 'link', hits: 1, fromAssistants: 1 },
        { step: 'checkout', hits: 1, fromAssistants: 0 },
        { step: 'purchase', hits: 0, fromAssistants: 0 },
      ],
      latency: null,
    });
    expect(found.pages.map(({ page }) => page)).toEqual(['/products/tea', '/search']);
    expect(found.days.map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 0, 0, 3]);
    expect((await report(service, { organization, since: '2025-12-25' })).hits).toBe(4);
    expect((await report(service, { organization, since: '1d', until: '2025-12-25' })).hits).toBe(
      1,
    );
    await service.close();
  });

  test.each([
    { since: 'monday' },
    { since: '2026-02-30' },
    { since: '2026-01-02' },
    { since: '0001-01-01' },
    { since: '0d' },
  ])('refuses %p', async (input) => {
    const service = await startService();
    await expect(report(service, input)).rejects.toMatchObject({ code: 'invalid_input' });
    await service.close();
  });
});
