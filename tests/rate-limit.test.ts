import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RateLimit } from '../src/domain/organization.ts';
import { type Bucket, RateLimiter, type Taking, takeTokens } from '../src/rate-limit.ts';

/** Two tokens a second. */
const LIMIT = { perMinute: 120, burst: 4 };

describe('2 tokens/s, burst 4', () => {
  test.each<[string, Bucket, Taking, Bucket, number]>([
    [
      'a full bucket grants',
      { tokens: 4, atMs: 0 },
      { cost: 1, nowMs: 0 },
      { tokens: 3, atMs: 0 },
      0,
    ],
    [
      'an empty bucket says how long',
      { tokens: 0, atMs: 0 },
      { cost: 1, nowMs: 0 },
      { tokens: 0, atMs: 0 },
      500,
    ],
    [
      'half a token is not one',
      { tokens: 0, atMs: 0 },
      { cost: 1, nowMs: 250 },
      { tokens: 0.5, atMs: 250 },
      250,
    ],
    [
      'idling never saves up more than the burst',
      { tokens: 0, atMs: 0 },
      { cost: 1, nowMs: 3_600_000 },
      { tokens: 3, atMs: 3_600_000 },
      0,
    ],
    [
      'a clock that steps back refills nothing and drains nothing',
      { tokens: 1, atMs: 1000 },
      { cost: 1, nowMs: 0 },
      { tokens: 0, atMs: 0 },
      0,
    ],
    [
      'a cost of several is granted whole',
      { tokens: 4, atMs: 0 },
      { cost: 3, nowMs: 0 },
      { tokens: 1, atMs: 0 },
      0,
    ],
    ['or not at all', { tokens: 2, atMs: 0 }, { cost: 3, nowMs: 0 }, { tokens: 2, atMs: 0 }, 500],
    [
      'a cost above the burst is granted by a full bucket, which owes the rest',
      { tokens: 4, atMs: 0 },
      { cost: 10, nowMs: 0 },
      { tokens: -6, atMs: 0 },
      0,
    ],
    [
      'and waits for a full one else',
      { tokens: 3, atMs: 0 },
      { cost: 10, nowMs: 0 },
      { tokens: 3, atMs: 0 },
      500,
    ],
    [
      'a debt is worked off before anything is granted',
      { tokens: -6, atMs: 0 },
      { cost: 1, nowMs: 1000 },
      { tokens: -4, atMs: 1000 },
      2500,
    ],
    [
      'the rest of a cost takes what is not paid yet',
      { tokens: 3, atMs: 0 },
      { cost: 4, paid: 1, nowMs: 0 },
      { tokens: 0, atMs: 0 },
      0,
    ],
    [
      'or waits until the whole would be granted',
      { tokens: 1, atMs: 0 },
      { cost: 3, paid: 1, nowMs: 0 },
      { tokens: 1, atMs: 0 },
      1000,
    ],
    [
      'a bucket that was full before the first token owes the rest of a cost above the burst',
      { tokens: 3, atMs: 0 },
      { cost: 10, paid: 1, nowMs: 0 },
      { tokens: -6, atMs: 0 },
      0,
    ],
  ])('%s', (_, before, taking, after, waitMs) => {
    expect(takeTokens(before, LIMIT, taking)).toEqual({ bucket: after, waitMs });
  });
});

const takeFrom = (limiter: RateLimiter, name: string, limit: RateLimit, cost?: number) =>
  limiter.take([{ name, limit }], cost);

const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 1000 }),
});

test('grants at most burst + rate·t + 1 tokens, however the calls are spaced', () => {
  const gaps = fc.array(fc.double({ min: 0, max: 2000, noNaN: true }), { maxLength: 300 });
  fc.assert(
    fc.property(limits, gaps, (limit, gapsMs) => {
      let nowMs = 0;
      const limiter = new RateLimiter({ capacity: 1, monotonicMs: () => nowMs });
      let granted = 0;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        if (takeFrom(limiter, 'a', limit).waitMs === 0) granted += 1;
      }
      expect(granted).toBeLessThanOrEqual(limit.burst + (limit.perMinute * nowMs) / 60_000 + 1);
    }),
  );
});

test('a single caller that waits for waitMs is granted its tokens, 1,000 times out of 1,000', () => {
  const costs = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(
      limits,
      costs,
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      (limit, cost, start) => {
        let nowMs = start;
        const limiter = new RateLimiter({ capacity: 1, monotonicMs: () => nowMs });
        let { waitMs } = takeFrom(limiter, 'a', limit, cost);
        while (waitMs === 0) ({ waitMs } = takeFrom(limiter, 'a', limit, cost));
        nowMs += waitMs;
        expect(takeFrom(limiter, 'a', limit, cost).waitMs).toBe(0);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a refused call takes nothing', () => {
  const limiter = new RateLimiter({ capacity: 1, monotonicMs: () => 0 });
  for (let call = 0; call < 4; call++) takeFrom(limiter, 'a', LIMIT);
  const waits = Array.from({ length: 3 }, () => takeFrom(limiter, 'a', LIMIT).waitMs);
  expect(waits).toEqual([500, 500, 500]);
});

test('callers do not share a bucket', () => {
  const limiter = new RateLimiter({ capacity: 2, monotonicMs: () => 0 });
  for (let call = 0; call < 5; call++) takeFrom(limiter, 'a', LIMIT);
  expect(takeFrom(limiter, 'b', LIMIT).remaining).toBe(3);
});

test('reports whole tokens left and whole seconds until the next one', () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ capacity: 1, monotonicMs: () => nowMs });
  const slow = { perMinute: 30, burst: 2 };
  const told = () => {
    const { remaining, nextTokenSeconds } = takeFrom(limiter, 'a', slow);
    return [remaining, nextTokenSeconds];
  };
  expect([told(), told(), told()]).toEqual([
    [1, 2],
    [0, 2],
    [0, 2],
  ]);
  nowMs = 1000;
  expect(told()).toEqual([0, 1]);
  nowMs = 2000;
  expect(told()).toEqual([0, 2]);
});

test('beyond its capacity, drops the least recently used bucket, which starts full again', () => {
  const limiter = new RateLimiter({ capacity: 2, monotonicMs: () => 0 });
  const drain = (name: string) => {
    for (let call = 0; call < 4; call++) takeFrom(limiter, name, LIMIT);
  };
  drain('a');
  drain('b');
  takeFrom(limiter, 'a', LIMIT);
  drain('c');
  expect(takeFrom(limiter, 'c', LIMIT).waitMs).toBeGreaterThan(0);
  expect(takeFrom(limiter, 'a', LIMIT).waitMs).toBeGreaterThan(0);
  expect(takeFrom(limiter, 'b', LIMIT)).toMatchObject({ waitMs: 0, remaining: 3 });
});

test('a lowered limit applies to an existing bucket', () => {
  const limiter = new RateLimiter({ capacity: 1, monotonicMs: () => 0 });
  takeFrom(limiter, 'a', { perMinute: 60, burst: 100 });
  const lowered = { perMinute: 60, burst: 2 };
  expect(takeFrom(limiter, 'a', lowered).remaining).toBe(1);
});

test('of two buckets, neither gives a token when the other has none, and the tighter one is told', () => {
  const nowMs = 0;
  const limiter = new RateLimiter({ capacity: 3, monotonicMs: () => nowMs });
  const all = { name: 'all:1', limit: { perMinute: 60, burst: 3 } };
  const own = (who: string) => ({ name: `one:${who}`, limit: { perMinute: 60, burst: 2 } });
  expect(limiter.take([all, own('a')])).toMatchObject({ waitMs: 0, remaining: 1 });
  expect(limiter.take([all, own('a')])).toMatchObject({ waitMs: 0, remaining: 0 });
  expect(limiter.take([all, own('a')])).toMatchObject({ waitMs: 1000, remaining: 0 });
  expect([...limiter.refusals]).toEqual([['one', 1]]);
  expect(limiter.take([all, own('b')])).toMatchObject({ waitMs: 0, remaining: 0 });
  expect(limiter.take([all, own('b')])).toMatchObject({ waitMs: 1000, limit: all.limit });
  expect(limiter.take([own('b')])).toMatchObject({ waitMs: 0, remaining: 0 });
});
