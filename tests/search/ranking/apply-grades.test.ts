import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Grade } from '../../../src/domain/grade.ts';
import { applyGrades } from '../../../src/search/ranking/apply-grades.ts';

/** Candidates with those ids, best first. */
function ranked(ids: string) {
  return [...ids].map((id, index) => ({ id, score: 1 - index / 20 }));
}

function order(ids: string, grades: readonly (Grade | null)[]): string {
  return applyGrades(ranked(ids), grades)
    .candidates.map(({ id }) => id)
    .join('');
}

describe('the order', () => {
  test.each<[string, string, readonly (Grade | null)[], string]>([
    ['the better grade comes first', 'abc', [1, 2, 3], 'cba'],
    ['equal grades keep their order', 'abcd', [2, 3, 2, 3], 'bdac'],
    ['what is irrelevant goes', 'abcd', [0, 3, 0, 1], 'bd'],
    ['what was passed over stands between 2 and 1', 'abcd', [null, 1, 2, 3], 'dcab'],
    ['what was never asked about comes last, in order', 'abcdef', [1, null, 3, 0], 'cbaef'],
    ['more grades than candidates are no candidates', 'ab', [1, 2, 3, 3], 'ba'],
    ['nothing stays nothing', '', [], ''],
  ])('%s', (_, ids, grades, expected) => {
    expect(order(ids, grades)).toBe(expected);
  });
});

describe('low confidence', () => {
  test.each<[string, readonly (Grade | null)[], boolean]>([
    ['all irrelevant', [0, 0, 0, 0], true],
    ['all that was asked about irrelevant', [0, 0], true],
    ['nothing better than an unknown', [0, null, 0, null], true],
    ['nothing graded', [null, null, null, null], false],
    ['no grades', [], false],
  ])('%s: everything stays as it was', (_, grades, lowConfidence) => {
    expect(applyGrades(ranked('abcd'), grades)).toEqual({
      candidates: ranked('abcd'),
      lowConfidence,
    });
  });
});

describe('whatever the grades', () => {
  const grade = fc.constantFrom<Grade | null>(0, 1, 2, 3, null);
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
  const lists = scores.map((list) =>
    list.sort((a, b) => b - a).map((score, index) => ({ id: index, score })),
  );
  const property = (check: Parameters<typeof fc.property<[Ranked, (Grade | null)[]]>>[2]) =>
    fc.assert(fc.property(lists, fc.array(grade, { maxLength: 30 }), check), { numRuns: 500 });
  type Ranked = { id: number; score: number }[];

  test('each candidate appears once, unless it is graded 0 while another is relevant', () => {
    property((list, grades) => {
      const { candidates, lowConfidence } = applyGrades(list, grades);
      const kept = candidates.map(({ id }) => id).sort((a, b) => a - b);
      const someRelevant = grades.slice(0, list.length).some((grade) => (grade ?? 0) > 0);
      const expected = list.filter(({ id }) => !(someRelevant && grades[id] === 0));
      expect(kept).toEqual(expected.map(({ id }) => id));
      expect(lowConfidence && someRelevant).toBe(false);
      expect(candidates.length > 0).toBe(list.length > 0);
    });
  });

  test('grades never rise down the list, equal ones keep their order, and scores fall between 1 and 0', () => {
    property((list, grades) => {
      const { candidates, lowConfidence } = applyGrades(list, grades);
      const graded = candidates.filter(({ id }) => typeof grades[id] === 'number');
      const ids = graded.map(({ id }) => id);
      // If the order is unchanged, only zeros were given, and they keep their order too.
      expect(ids).toEqual(
        ids.toSorted((one, other) => grades[other]! - grades[one]! || one - other),
      );
      expect(lowConfidence && ids.some((id) => grades[id] !== 0)).toBe(false);
      for (const [index, { score }] of candidates.entries()) {
        expect(score).toBeLessThanOrEqual(candidates[index - 1]?.score ?? 1);
        expect(score).toBeGreaterThanOrEqual(0);
      }
    });
  });

  test('the input list is not changed', () => {
    property((list, grades) => {
      const before = structuredClone(list);
      applyGrades(list, grades);
      expect(list).toEqual(before);
    });
  });
});
