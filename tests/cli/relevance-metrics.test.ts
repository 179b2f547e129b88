import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  condensedNdcg,
  type Grades,
  hasRelevant,
  measure,
  median,
  ndcg,
  pairedBootstrap,
  recall,
  reciprocalRank,
  summarize,
} from '../../src/cli/eval/relevance-metrics.ts';
import { processorMs } from '../support/processor-time.ts';

const GRADES: Grades = new Map([
  ['best', 3],
  ['good', 2],
  ['near', 1],
  ['wrong', 0],
]);

/** Gains 7, 3, 1 at discounts 1, log2 3, 2. */
const IDEAL = 7 + 3 / Math.log2(3) + 1 / 2;

const grades = fc
  .array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 })
  .map((list): Grades => new Map(list.map((grade, index) => [`i${index}`, grade])));
const ranking = fc.uniqueArray(fc.integer({ min: 0, max: 20 }).map((index) => `i${index}`));

describe('NDCG', () => {
  test('matches a calculation by hand', () => {
    expect(ndcg(['good', 'unjudged', 'best'], GRADES, 10)).toBeCloseTo((3 + 7 / 2) / IDEAL, 12);
    expect(ndcg(['wrong', 'near'], GRADES, 10)).toBeCloseTo(1 / Math.log2(3) / IDEAL, 12);
    expect(ndcg(['best', 'good', 'near'], GRADES, 10)).toBe(1);
  });

  test('looks at the first results alone, and so does its ideal', () => {
    expect(ndcg(['good', 'best'], GRADES, 1)).toBeCloseTo(3 / 7, 12);
    expect(ndcg(['x', 'y', 'best'], GRADES, 2)).toBe(0);
  });

  test('matches the example of Järvelin & Kekäläinen with the gain and discount used here', () => {
    // Grades 3, 2, 3, 0, 1, 2 as in their section 2, all judged.
    const list = [3, 2, 3, 0, 1, 2].map((grade, index) => [`d${index}`, grade] as const);
    const reached = 7 + 3 / 1.584963 + 7 / 2 + 0 + 1 / 2.584963 + 3 / 2.807355;
    const ideal = 7 + 7 / 1.584963 + 3 / 2 + 3 / 2.321928 + 1 / 2.584963;
    expect(
      ndcg(
        list.map(([item]) => item),
        new Map(list),
        6,
      ),
    ).toBeCloseTo(reached / ideal, 5);
  });

  test('counts a repeated item once, and is 0 if no item has a gain', () => {
    expect(ndcg(['best', 'best', 'good'], GRADES, 10)).toBe(ndcg(['best', 'good'], GRADES, 10));
    expect(ndcg(['wrong'], new Map([['wrong', 0]]), 10)).toBe(0);
    expect(ndcg([], GRADES, 10)).toBe(0);
    expect(ndcg(['best'], new Map(), 10)).toBe(0);
  });

  test('stays from 0 to 1, is 1 for the best order, and never falls when a better item moves up', () => {
    fc.assert(
      fc.property(ranking, grades, fc.integer({ min: 1, max: 12 }), (items, judged, cut) => {
        const value = ndcg(items, judged, cut);
        expect(value).toBeWithin(0, 1 + 1e-9);
        const best = [...judged].sort(([, a], [, b]) => b - a).map(([item]) => item);
        const isWorthSomething = [...judged.values()].some((grade) => grade > 0);
        expect(ndcg(best, judged, cut)).toBeCloseTo(isWorthSomething ? 1 : 0, 12);
        const [first, second, ...rest] = items;
        if (first === undefined || second === undefined) return;
        if ((judged.get(second) ?? 0) < (judged.get(first) ?? 0)) return;
        expect(ndcg([second, first, ...rest], judged, cut)).toBeGreaterThanOrEqual(value - 1e-12);
      }),
    );
  });
});

describe('condensed NDCG', () => {
  test('omits unjudged items, not items judged wrong', () => {
    expect(condensedNdcg(['x', 'best', 'y', 'good', 'near'], GRADES, 10)).toBe(1);
    expect(condensedNdcg(['x', 'wrong', 'best'], GRADES, 10)).toBe(
      ndcg(['wrong', 'best'], GRADES, 10),
    );
  });

  test('is never below NDCG', () => {
    fc.assert(
      fc.property(ranking, grades, (items, judged) => {
        expect(condensedNdcg(items, judged, 10)).toBeGreaterThanOrEqual(
          ndcg(items, judged, 10) - 1e-12,
        );
      }),
    );
  });
});

describe('recall and reciprocal rank', () => {
  test('count only grades of 2 and 3', () => {
    expect(recall(['near', 'good'], GRADES, 50)).toBe(0.5);
    expect(recall(['near', 'good', 'best'], GRADES, 2)).toBe(0.5);
    expect(recall(['near'], GRADES, 50)).toBe(0);
    expect(reciprocalRank(['near', 'x', 'good', 'best'], GRADES)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(['near', 'x'], GRADES)).toBe(0);
    expect(hasRelevant(GRADES)).toBe(true);
    expect(hasRelevant(new Map([['near', 1]]))).toBe(false);
    expect(recall(['near'], new Map([['near', 1]]), 50)).toBe(0);
  });
});

describe('summary', () => {
  test('is the mean of each metric, with equal weights', () => {
    const all = summarize([measure(['best', 'good', 'near'], GRADES), measure([], GRADES)]);
    const half = 0.5;
    expect(all).toEqual({
      'ndcg@5': half,
      'ndcg@10': half,
      'condensed@10': half,
      'recall@50': half,
      mrr: half,
    });
    expect(summarize([]).mrr).toBe(0);
  });

  test('uses the median time', () => {
    expect(median([30, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2);
    expect(median([])).toBe(0);
  });
});

describe('paired bootstrap', () => {
  const pairs = (differences: readonly number[]) =>
    differences.map((difference) => ({ before: 0.5, now: 0.5 + difference }));

  test('sees no difference between a run and itself', () => {
    expect(pairedBootstrap(pairs([0, 0, 0]))).toEqual({ mean: 0, low: 0, high: 0, p: 1 });
    expect(pairedBootstrap([])).toEqual({ mean: 0, low: 0, high: 0, p: 1 });
  });

  test('is certain of a difference in every query, and not of one in two of forty', () => {
    const steady = pairedBootstrap(
      pairs(Array.from({ length: 40 }, (_, i) => -0.1 - (i % 5) / 100)),
    );
    expect(steady.mean).toBeCloseTo(-0.12, 10);
    expect(steady.high).toBeLessThan(0);
    expect(steady.p).toBeLessThan(0.001);
    const noise = pairedBootstrap(pairs(Array.from({ length: 40 }, (_, i) => (i < 2 ? -0.1 : 0))));
    expect(noise.high).toBe(0);
    expect(noise.p).toBeGreaterThan(0.05);
  });

  test('comes close to the interval and p of normal theory where that holds', () => {
    // 100 differences, evenly from −0.2 to 0.3: mean 0.05, standard error 0.01458.
    const spread = Array.from({ length: 100 }, (_, i) => -0.2 + (i * 0.5) / 99);
    const { mean, low, high, p } = pairedBootstrap(pairs(spread));
    expect(mean).toBeCloseTo(0.05, 10);
    expect(low).toBeCloseTo(0.05 - 1.96 * 0.01458, 2);
    expect(high).toBeCloseTo(0.05 + 1.96 * 0.01458, 2);
    expect(p).toBeLessThan(0.005);
  });

  test('is deterministic for a seed, and mirrors when the runs are swapped', () => {
    const some = pairs([0.3, -0.1, 0.05, 0, 0.2, -0.02]);
    expect(pairedBootstrap(some, { seed: 7 })).toEqual(pairedBootstrap(some, { seed: 7 }));
    const { mean, low, high, p } = pairedBootstrap(some);
    const back = pairedBootstrap(some.map(({ before, now }) => ({ before: now, now: before })));
    expect(back.mean).toBeCloseTo(-mean, 12);
    expect(back.low).toBeCloseTo(-high, 2);
    expect(back.high).toBeCloseTo(-low, 2);
    expect(back.p).toBeCloseTo(p, 2);
    expect(low).toBeLessThanOrEqual(mean);
    expect(high).toBeGreaterThanOrEqual(mean);
  });

  test('takes 10,000 resamples of 120 queries in far less than a second', () => {
    const differences = pairs(Array.from({ length: 120 }, (_, i) => Math.sin(i) / 10));
    expect(processorMs(() => pairedBootstrap(differences))).toBeLessThan(1000);
  });
});
