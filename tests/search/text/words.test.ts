import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fold } from '../../../src/search/text/fold.ts';
import { singularOf } from '../../../src/search/text/singular.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { ENGLISH, termOf, termsOf } from '../../support/english.ts';

/** Text in many scripts, with many separators. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.constantFrom(
        'Men’s',
        "I'm",
        'Straße',
        'ＡＢ',
        '𝐍𝐢𝐤𝐞',
        '東京タワー',
        'ไทย',
        'ΟΔΟΣ',
        'İ',
        'ﬁ',
        ' ',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('a plural and its singular are one term', () => {
  test.each([
    ['jackets', 'jacket'],
    ['shoes', 'shoe'],
    ['dresses', 'dress'],
    ['glasses', 'glass'],
    ['watches', 'watch'],
    ['dishes', 'dish'],
    ['boxes', 'box'],
    ['batteries', 'battery'],
    ['skies', 'sky'],
    ['hoodies', 'hoodie'],
    ['cookies', 'cookie'],
    ['pies', 'pie'],
    ['ties', 'tie'],
    ['neckties', 'necktie'],
    ['trees', 'tree'],
    ['coffees', 'coffee'],
    ['vases', 'vase'],
    ['blouses', 'blouse'],
    ['houses', 'house'],
    ['mugs', 'mug'],
    ['toes', 'toe'],
    ['Jeans', 'JEAN'],
  ])('%s = %s', (plural, singular) => {
    expect(termOf(plural)).toBe(termOf(singular));
  });
});

describe('no two different things become one term', () => {
  test.each([
    ['glass', 'glas'],
    ['bus', 'bu'],
    ['analysis', 'analysi'],
    ['s4s', 's4'],
    ['xs', 'x'],
    ['running', 'run'],
    ['comber', 'comb'],
    ['plane', 'plan'],
  ])('%s ≠ %s', (one, other) => {
    expect(termOf(one)).not.toBe(termOf(other));
  });
});

test.each([
  ['Straße', 'strasse'],
  ['Crème', 'creme'],
  ['SMØRREBRØD', 'smorrebrod'],
  ['İstanbul', 'istanbul'],
  ['ILIK', 'ilik'],
  ['ＡＢＣ１２', 'abc12'],
  ['ﬁne', 'fine'],
  ['𝐍𝐢𝐤𝐞', 'nike'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['e\u0301', 'e'],
])('%s is folded to %s', (word, folded) => {
  expect(fold(word)).toBe(folded);
});

test('tokenizing a term again changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const { start, end } of ENGLISH.scanWords(text)) {
        const folded = fold(text.slice(start, end));
        expect(fold(folded)).toBe(folded);
      }
    }),
  );
});

test.each([
  ["Men's shoes", ['men', 'shoe']],
  ['MEN’S', ['men']],
  ["I'm looking", ['i', 'looking']],
  ["we're they've you'll she'd don't", ['we', 'they', 'you', 'she', 'don']],
  ["rock'n'roll", ['rock', 'n', 'roll']],
  ["'s", []],
  ['s', ['s']],
  ["O'Sullivan", ['o', 'sullivan']],
  ['8x10 rug', ['8x10', 'rug']],
  ['SKU-4431', ['sku', '4431']],
  ['wi_fi', ['wi', 'fi']],
  ['', []],
  ['… – !', []],
])('the words of %j', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('scripts without blanks give overlapping pairs', () => {
  expect(termsOf('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー']);
  expect(termsOf('茶')).toEqual(['茶']);
  expect(termsOf('無印TシャツXL')).toEqual(['無印', 't', 'シャ', 'ャツ', 'xl']);
});

test('offsets point at the word of each term, in the order of the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0;
      for (const { start, end, term } of ENGLISH.scanWords(text)) {
        const word = text.slice(start, end);
        // The long vowel sign alone makes no pair: it belongs to every script.
        const isPair =
          /[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
            word,
          );
        expect(word).not.toMatch(/\s/u);
        expect(isPair ? word.normalize('NFKC').toLowerCase() : termOf(word)).toBe(term);
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = start;
      }
    }),
    { numRuns: 300, examples: [['឴'], ['ー⑴'], ['タワーー']] },
  );
});

test('a term is at most 64 characters, whatever the word', () => {
  expect(termOf('x'.repeat(1000))).toBe('x'.repeat(64));
});

test('the singular leaves short words and words with digits alone', () => {
  expect(['as', 'gas', 'a1s', 'mp3s'].map(singularOf)).toEqual(['as', 'gas', 'a1s', 'mp3s']);
});
