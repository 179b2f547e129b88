import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  cleanLine,
  cleanText,
  codePointCount,
  isForbiddenText,
  truncateWords,
} from '../../src/domain/text.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Random text with a high share of special characters. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 4 }),
      fc.constantFrom(
        'a',
        'é',
        'e\u0301',
        '\u200d',
        '\u200c',
        '\u200b',
        '👩',
        '❤️',
        '🔥',
        '🏽',
        'क्',
      ),
      fc.constantFrom('\r', '\n', '\u2028', '\u202e', '\u{e0041}', '\ud800', '\udc00', '\0', ' '),
    ),
  )
  .map((parts) => parts.join(''));

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

describe('invisible characters are removed from catalogue text', () => {
  test.each([
    ['NUL', 'a\0b', 'ab'],
    ['C0 controls', 'a\u0007\u001bb', 'ab'],
    ['C1 controls', 'a\u0085\u009bb', 'ab'],
    ['delete', 'a\u007fb', 'ab'],
    ['bidirectional override', 'a\u202eb\u202c', 'ab'],
    ['bidirectional isolates', '\u2066a\u2069b', 'ab'],
    ['directional marks', 'a\u200e\u200f\u061cb', 'ab'],
    ['zero-width space', 'a\u200bb', 'ab'],
    ['byte order mark', '\ufeffab', 'ab'],
    ['soft hyphen', 'a\u00adb', 'ab'],
    ['word joiner', 'a\u2060b', 'ab'],
    ['tag characters', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['unpaired surrogates', 'a\ud800b\udc00', 'ab'],
    ['a joiner at the end', 'a\u200d', 'a'],
    ['a joiner between spaces', 'a \u200d b', 'a  b'],
    ['joiners in a row', 'a\u200d\u200d\u200db', 'ab'],
    ['a joiner beside a hidden character', 'a\u200d\u200bb', 'ab'],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });
});

describe('significant characters stay', () => {
  test.each([
    ['a family', '👨\u200d👩\u200d👧'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a skin tone before a joiner', '👩🏽\u200d🚀'],
    ['a Persian word', 'می\u200cخواهم'],
    ['a conjunct', 'क्\u200dष'],
    ['tabs and line feeds', 'a\tb\nc'],
    ['accents', 'é'],
  ])('%s', (_, text) => {
    expect(cleanText(text)).toBe(text);
  });
});

test.each([
  ['a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
  ['e\u0301', 'é'],
  ['  a  ', 'a'],
])('cleanText(%j) is %j', (text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test('cleanLine returns one line', () => {
  expect(cleanLine(' a\t\n b\u00a0\u2003c ')).toBe('a b c');
});

test('cleaning is idempotent and leaves no hidden character', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const clean = cleanText(text);
      expect(cleanText(clean)).toBe(clean);
      expect(clean).not.toMatch(HIDDEN);
      expect(clean.isWellFormed()).toBe(true);
      const line = cleanLine(text);
      expect(cleanLine(line)).toBe(line);
      expect(line).not.toMatch(/[\n\t]|\s\s/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a\0b', true],
  ['\ud800', true],
  ['\udc00\ud800', true],
  ['👩', false],
  ['', false],
])('isForbiddenText(%j) is %p', (text, expected) => {
  expect(isForbiddenText(text)).toBe(expected);
});

test('code points are counted, not code units', () => {
  expect([codePointCount(''), codePointCount('aé👩'), codePointCount('e\u0301')]).toEqual([
    0, 3, 2,
  ]);
});

describe('truncateWords', () => {
  test.each([
    ['short enough', 'ab cd', 5, 'ab cd'],
    ['as many code points as allowed, in more code units', '👩👩👩', 3, '👩👩👩'],
    ['whole words', 'one two three', 10, 'one two…'],
    ['a word longer than half the limit is cut', 'abcdefghij', 5, 'abcd…'],
    ['no blank before the mark', 'one two  three', 10, 'one two…'],
  ])('%s', (_, text, limit, expected) => {
    expect(truncateWords(text, limit)).toBe(expected);
  });

  test('returns a prefix within the limit that never splits a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '👩', '\n'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, limit) => {
        const cut = truncateWords(whole, limit);
        expect(codePointCount(cut)).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1)))).toBe(
          true,
        );
      }),
    );
  });
});
