import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Memo } from '../../../src/search/text/memo.ts';
import { TERM_LENGTH_MAX } from '../../../src/search/text/tokenizer.ts';
import { ENGLISH, termOf, termsOf } from '../../support/english.ts';

/** Fragments whose combinations a scanner may get wrong. */
const PARTS = [
  ...['lamp', 'Lamps', 'hoodies', 'A1B2', 'SKU-44', "men's", '’s', "I'm", 'é', 'e\u0301', 'Straße'],
  ...[
    '日本語',
    'テスト',
    'ไทย',
    '😀',
    '𝒳y',
    '\u{10400}',
    '\ud800',
    'İ',
    'K',
    'ſo',
    ' ',
    '\n',
    '-',
    '.',
  ],
];
const text = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((chosen) => chosen.join(''));

/** `termsOf` for a text without sizes, word by word with one pattern. */
function plainTerms(value: string): string[] {
  const unspaced =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
  return [...value.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ 0: word, index }) => {
    const behind = index > 0 ? value.slice(index - 1, index + 4) : '';
    if (/^['’](?:s|m|d|t|re|ve|ll)(?![\p{L}\p{N}])/iu.test(behind)) return [];
    // Examples cover how scripts without blanks are split.
    return unspaced.test(word) ? termsOf(word, []) : [termOf(word)].filter((term) => term !== '');
  });
}

describe('scanning words', () => {
  test('finds the same as one pattern over the whole text', () => {
    fc.assert(
      fc.property(text(PARTS), (value) => {
        expect(termsOf(value, [])).toEqual(plainTerms(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('gives the same term, however many other words came in between', () => {
    const words = Array.from({ length: 200_000 }, (_, at) =>
      at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!),
    );
    for (const batch of [words, words.toReversed()])
      expect(termsOf(batch.join(' '), [])).toEqual(batch.map(termOf));
  });

  test('a word of the maximum length is kept whole, a longer one is truncated', () => {
    const longest = 'b'.repeat(TERM_LENGTH_MAX);
    expect(termsOf(`${longest} ${longest}c ${longest}`)).toEqual([longest, longest, longest]);
  });
});

describe('scanning sizes', () => {
  const SIZES = [
    ...[
      '8x10',
      '8 x 10',
      '8×10',
      '8 by 10',
      '5 1/2 in',
      '1-1/2 inch',
      '½ in',
      '5½"',
      '4GBx2',
      '3m',
    ],
    ...[
      '12.5 mm',
      '1,000 ml',
      '12 x 85 g',
      '2 fl. oz',
      '3 fluid ounces',
      '8floz',
      '3 newton meter',
    ],
    ...["6'", '6 ft', '3 mètres', '5-gallon', '16gb', '7 Kg', '10 ſ', '240 V', '90 newtonmeter'],
  ];
  const JUNK = ['', ' ', 'lamp ', ' 12 ', ' A4 ', '7. ', '(', ' 3/4 ', ' 1,5 ', '99', ' 5 lamps, '];

  test('a size is found after any text that does not run into it', () => {
    fc.assert(
      fc.property(text(JUNK), fc.constantFrom(...SIZES), (junk, size) => {
        const alone = ENGLISH.measures.find(size).map(({ term }) => term);
        const found = ENGLISH.measures.find(`${junk} sold as: ${size}`).map(({ term }) => term);
        expect(found.slice(found.length - alone.length)).toEqual(alone);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Memo', () => {
  test('returns what the function returns, and calls it again only for texts not used recently', () => {
    const asked: string[] = [];
    const memo = new Memo((word) => asked.push(word) > 0 && word.toUpperCase(), 2);
    for (const word of ['a', 'b', 'a', 'c', 'd', 'e', 'a'])
      expect(memo.get(word)).toBe(word.toUpperCase());
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });
});
