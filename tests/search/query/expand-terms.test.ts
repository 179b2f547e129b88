import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  editDistance,
  expandTerms,
  halvesToCount,
  inverseDocumentFrequency,
  isSimilar,
  similarLengths,
  termsToCount,
  type Vocabulary,
} from '../../../src/search/query/expand-terms.ts';
import { ENGLISH } from '../../support/english.ts';

function vocabulary(counts: Record<string, number>, size = 100): Vocabulary {
  const known = new Map(Object.entries(counts));
  return {
    language: ENGLISH,
    size,
    count: (term) => known.get(term) ?? 0,
    similar: (term) => [...known.keys()].filter((candidate) => isSimilar(term, candidate)),
  };
}

const SHOP = vocabulary({
  headset: 3,
  smart: 5,
  watch: 9,
  jacket: 7,
  rain: 2,
  coat: 4,
  raincoat: 1,
  '4431': 1,
  lever: 2,
});

describe('what a question’s terms expand to', () => {
  test.each<[string, string[], string[][]]>([
    ['a known word stands for itself', ['jacket'], [['jacket']]],
    ['a word for the recipient is not corrected', ['lover', 'jacket'], [['lover'], ['jacket']]],
    [
      'two words for their compound',
      ['head', 'set'],
      [
        ['head', 'headset'],
        ['set', 'headset'],
      ],
    ],
    [
      'two known words for their compound too',
      ['rain', 'coat'],
      [
        ['rain', 'raincoat'],
        ['coat', 'raincoat'],
      ],
    ],
    ['an unknown compound for its parts', ['smartwatch'], [['smartwatch', 'smart', 'watch']]],
    ['a typo for the catalogue’s spelling', ['jakcet'], [['jakcet', 'jacket']]],
    ['what nobody wrote for what begins with it', ['xylophon'], [['xylophon', 'xylophon*']]],
    ['a number is never taken for another', ['4432'], [['4432', '4432*']]],
    ['nor a code with a digit', ['jacke7'], [['jacke7', 'jacke7*']]],
    ['nor a word of three letters', ['cot'], [['cot', 'cot*']]],
    ['no word, no group', [], []],
  ])('%s', (_, terms, alternatives) => {
    const groups = expandTerms(terms, SHOP);
    expect(groups.map((group) => group.term)).toEqual(terms);
    expect(groups.map((group) => [...group.alternatives])).toEqual(alternatives);
  });
});

test('every count that expansion needs is looked up beforehand, of halves only those of unknown terms', () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 1, maxLength: 9 }),
    {
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(words, fc.nat(6), (terms, knownCount) => {
      const known = new Set(terms.slice(0, knownCount));
      const unknown = terms.filter((term) => !known.has(term));
      const wanted = new Set([...termsToCount(terms, ENGLISH), ...halvesToCount(unknown, ENGLISH)]);
      const asked: string[] = [];
      const count = (term: string) => {
        asked.push(term);
        return known.has(term) ? 5 : 0;
      };
      expandTerms(terms, { language: ENGLISH, size: 10, count, similar: () => [] });
      expect(asked.filter((term) => !wanted.has(term) && !term.endsWith('*'))).toEqual([]);
    }),
  );
});

test('a rare term weighs more than a common one, and every term more than nothing', () => {
  const [rare, common] = expandTerms(['raincoat', 'watch'], SHOP);
  expect(rare!.idf).toBeGreaterThan(common!.idf);
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), (count, more) => {
      expect(inverseDocumentFrequency(count, count + more)).toBeGreaterThan(0);
    }),
  );
});

/** Optimal string alignment by its recursive definition. */
function naiveDistance(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length;
  const same = left.at(-1) === right.at(-1);
  const swapped = left.length > 1 && left.at(-1) === right.at(-2) && left.at(-2) === right.at(-1);
  return Math.min(
    naiveDistance(left.slice(0, -1), right) + 1,
    naiveDistance(left, right.slice(0, -1)) + 1,
    naiveDistance(left.slice(0, -1), right.slice(0, -1)) + (same ? 0 : 1),
    swapped ? naiveDistance(left.slice(0, -2), right.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

test('editDistance equals its definition', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (left, right) => {
      expect(editDistance(left, right)).toBe(naiveDistance(left, right));
    }),
  );
});

test.each([
  ['jakcet', 'jacket', true],
  ['jaket', 'jacket', true],
  ['jackket', 'jacket', true],
  ['hacket', 'jacket', true],
  ['jacket', 'jacket', false],
  ['jkaect', 'jacket', false],
  ['waterprof', 'waterproof', true],
  ['watrproff', 'waterproof', true],
  ['rug', 'mug', false],
  ['8x10', '5x10', false],
  ['size10', 'size1', false],
])('%s may be meant as %s: %p', (term, candidate, expected) => {
  expect(isSimilar(term, candidate)).toBe(expected);
});

test('similar terms have a length in the range that is searched', () => {
  // Long enough to be corrected, with as many letters inserted or deleted as allowed.
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 5, maxLength: 12 });
  const longer = word.chain((term) =>
    fc
      .string({ unit: fc.constant('c'), minLength: 1, maxLength: term.length >= 8 ? 2 : 1 })
      .map((added) => [term, `${term}${added}`] as const),
  );
  fc.assert(
    fc.property(longer, fc.boolean(), (pair, isReversed) => {
      // Taken from the longer one, fewer letters may be missing than it could do without.
      const [term, candidate] = isReversed ? (pair.toReversed() as [string, string]) : pair;
      const { lengthMin, lengthMax } = similarLengths(term);
      expect(isSimilar(term, candidate)).toBe(true);
      expect(candidate.length).toBeGreaterThanOrEqual(lengthMin);
      expect(candidate.length).toBeLessThanOrEqual(lengthMax);
    }),
  );
});
