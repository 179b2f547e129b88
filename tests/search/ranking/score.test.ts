import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FIELDS } from '../../../src/domain/field.ts';
import {
  coverage,
  fusedScore,
  LocalScore,
  type Signals,
} from '../../../src/search/ranking/score.ts';
import { FIELD_WEIGHTS, SIGNAL_WEIGHTS } from '../../../src/search/tuning/ranking-weights.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const signals: fc.Arbitrary<Signals> = fc.record({
  words: share,
  text: share,
  coverage: share,
  type: share,
  cosine: share,
  density: share,
  adjacency: share,
  head: share,
});

function localScore(given: Signals, hasVector: boolean, feedback: number | null = null): number {
  const score = new LocalScore(SIGNAL_WEIGHTS, hasVector);
  return score.meanOf(score.sumOf(given), feedback);
}

const judges = fc.constantFrom(fusedScore, localScore, (given: Signals, hasVector: boolean) =>
  localScore(given, hasVector, 0.5),
);

test('a score is from 0 to 1, whatever the signals', () => {
  fc.assert(
    fc.property(judges, signals, fc.boolean(), (judge, given, hasVector) => {
      const score = judge(given, hasVector);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }),
  );
});

test('more of any signal never lowers a score', () => {
  const signal = fc.constantFrom(
    'words',
    'text',
    'coverage',
    'type',
    'cosine',
    'density',
    'adjacency',
    'head',
  );
  fc.assert(
    fc.property(judges, signals, signal, share, fc.boolean(), (judge, given, key, other, has) => {
      const [less, more] = [Math.min(given[key], other), Math.max(given[key], other)];
      const before = judge({ ...given, [key]: less }, has);
      expect(judge({ ...given, [key]: more }, has)).toBeGreaterThanOrEqual(before);
    }),
  );
});

test('of two equals, the one nearer to the best answers scores higher', () => {
  fc.assert(
    fc.property(signals, share, share, (given, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      const before = localScore(given, true, less);
      expect(localScore(given, true, more)).toBeGreaterThanOrEqual(before);
    }),
  );
});

test.each<[string, number[], number[], number]>([
  ['a question without a term', [], [], 0],
  ['nothing matched', [2], [0], 0],
  ['everything matched', [2, 5], [1, 1], 1],
  ['by weight, not by number', [1, 3], [1, 0], 0.25],
  ['in part', [1, 1], [1, 0.5], 0.75],
])('coverage: %s', (_, weights, matched, expected) => {
  const groups = weights.map((idf) => ({ idf }));
  expect(coverage(groups, matched)).toBe(expected);
});

test('a term in the name or in a code weighs most', () => {
  const heaviest = Math.max(...FIELDS.map((field) => FIELD_WEIGHTS[field]));
  expect(FIELDS.filter((field) => FIELD_WEIGHTS[field] === heaviest)).toEqual(['name', 'codes']);
});
