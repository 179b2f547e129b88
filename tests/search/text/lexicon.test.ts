import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Lexicon } from '../../../src/search/text/lexicon.ts';
import { sortByText } from '../../../src/search/text/lexicon-order.ts';
import { nextHash, TextMap } from '../../../src/search/text/text-map.ts';
import { finish } from '../../support/indexed-database.ts';

/** Texts that begin alike, are parts of one another, or differ in how UTF-16 and UTF-8 order them. */
const texts = fc.array(
  fc
    .array(fc.constantFrom('', 'a', 'ab', 'sku1', '\u00e9', '東', '\u{e000}', '\u{1d4b3}'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
  { maxLength: 120 },
);

function lexiconOf(words: readonly string[]): Lexicon {
  const lexicon = new Lexicon();
  for (const word of words) lexicon.number(word);
  return lexicon;
}

test('equal texts have one number, others another, and each number its text', () => {
  fc.assert(
    fc.property(texts, (words) => {
      const lexicon = lexiconOf(words);
      const distinct = [...new Set(words)];
      expect(lexicon.size).toBe(distinct.length);
      expect(words.map((word) => lexicon.number(word))).toEqual(
        words.map((word) => distinct.indexOf(word)),
      );
      expect(distinct.map((_, number) => lexicon.text(number))).toEqual(distinct);
    }),
  );
});

test('a text is found by its place in another one, and not what only has its hash', () => {
  const map = new TextMap();
  const hash = nextHash(nextHash(0, 'o'.charCodeAt(0)), 'a'.charCodeAt(0));
  map.add({ text: 'oak', start: 0, end: 2, hash }, 7);
  expect(map.find({ text: 'a boa', start: 3, end: 5, hash })).toBe(7);
  for (const text of ['oe', 'o', 'oak'])
    expect(map.find({ text, start: 0, end: text.length, hash })).toBe(-1);
});

test('texts are sorted by their UTF-8 bytes', () => {
  const bytes = (text: string) => Buffer.from(text);
  fc.assert(
    fc.property(texts, (words) => {
      const lexicon = lexiconOf(words);
      const numbers = Uint32Array.from({ length: lexicon.size }, (_, number) => number);
      finish(sortByText(lexicon, numbers));
      const expected = [...new Set(words)].sort((one, other) =>
        Buffer.compare(bytes(one), bytes(other)),
      );
      expect(Array.from(numbers, (number) => lexicon.text(number))).toEqual(expected);
    }),
  );
});

test('a text is written in UTF-8 at its place, with a replacement for half a character', () => {
  fc.assert(
    fc.property(texts, fc.string({ unit: 'binary' }), (words, word) => {
      const lexicon = lexiconOf([...words, word, `${word}\ud835`, `\udcb3${word}`]);
      const bytes = new Uint8Array(3 + 3 * 6 * 120 * 10);
      for (let number = 0; number < lexicon.size; number++) {
        const end = lexicon.encode(number, bytes, 3);
        const written = Buffer.from(bytes.buffer, 3, end - 3);
        expect(written.equals(Buffer.from(lexicon.text(number)))).toBe(true);
      }
    }),
  );
}, 60_000);
