import { expect, test } from 'bun:test';
import { type OwnEvent, prepareOwnHits } from '../../../src/operations/hits/own-hit-rows.ts';

const EVENT: OwnEvent = {
  ...{ organizationKey: 1, atMs: Date.UTC(2026, 0, 31, 23, 59, 59, 999), latencyMs: 0.25 },
  ...{ method: 'GET', path: '/llms.txt', userAgent: 'GPTBot/1', clientIp: '203.0.113.7' },
  ...{ access: 'key', keyId: 'abcdefghijkl', session: null },
  ownHit: { classification: 'mcp_call', tool: 'search_offerings', resultCount: 1 },
};

/** Events that differ from `EVENT` in one member each. */
const OTHERS: readonly OwnEvent[] = [
  ...[{ organizationKey: 2 }, { atMs: EVENT.atMs + 1 }, { latencyMs: 7.0004 }, { method: null }],
  ...[{ path: '/mcp?token=secret' }, { path: null }, { userAgent: null }, { clientIp: '' }],
  ...[{ access: 'public' as const }, { keyId: null }, { session: 'one' }, { session: 'two' }],
  ...[
    ...[{ classification: 'landing_view' }, { tool: 'get_product_link' }, { resultCount: 0 }],
    ...[{ isDoubtful: true }, { offeringId: 'mug' }, { question: 'mug' }, { question: 'tea' }],
    ...[{ shown: ['a'] }, { shown: ['b'] }],
  ].map((other) => ({ ownHit: { ...EVENT.ownHit, ...other } })),
].map((other) => ({ ...EVENT, ...other }));

test('own hits recorded together have the rows, in their order, that each would have alone', () => {
  const events = OTHERS.flatMap((other) => [EVENT, other, EVENT]);
  let id = 0;
  const together = prepareOwnHits(events, () => `id-${id++}`);
  id = 0;
  const alone = events.map((event) => prepareOwnHits([event], () => `id-${id++}`));
  expect(together.rows).toEqual(alone.flatMap(({ rows }) => rows));
  expect(together.alike.flatMap(({ latenciesMs }) => latenciesMs)).toHaveLength(events.length);
  // The rows are JSON, and few kinds are worked out for many events.
  for (const { body } of together.rows) expect(JSON.parse(body)).toHaveProperty('access');
  expect(together.alike.length).toBeLessThan(OTHERS.length + 2);
});
