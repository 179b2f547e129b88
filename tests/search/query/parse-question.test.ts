import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { ENGLISH } from '../../support/english.ts';

test.each([
  ['waterproof jackets', ['waterproof', 'jacket']],
  ["I'm looking for a waterproof jacket, please", ['waterproof', 'jacket']],
  ['Does this shop have any mugs?', ['shop', 'mug']],
  ['What is your return policy?', ['return', 'policy']],
  ['red red RED shoe', ['red', 'shoe']],
  ['the who', ['the', 'who']],
  ['it', ['it']],
  ['', []],
  ['?!', []],
  ['東京', ['東京']],
])('what %j asks for', (text, terms) => {
  expect(parseQuestion(text, ENGLISH).terms).toEqual(terms);
});

test('the text stays as asked, trimmed', () => {
  expect(parseQuestion('  Red Shoes?  ', ENGLISH).text).toBe('Red Shoes?');
});

test('at most 32 distinct terms, whatever the question', () => {
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(words, (parts) => {
      const { terms } = parseQuestion(parts.join(' '), ENGLISH);
      expect(terms.length).toBeLessThanOrEqual(32);
      expect(new Set(terms).size).toBe(terms.length);
      expect(terms).not.toContain('');
    }),
  );
});

test('stop words never displace another word', () => {
  const filler = 'can you please show me something like the a of for with my '.repeat(5);
  expect(parseQuestion(`${filler} teapot`, ENGLISH).terms).toEqual(['teapot']);
});

test.each([
  ['how do I return a jacket', true],
  ['Can you gift-wrap it?', true],
  ['what are your opening hours', true],
  ['Wie kann ich Schuhe umtauschen?', true],
  ['what is a french press', false],
  ['jacket for my can opener', false],
  ['canvas bag that you like', false],
])('%j asks the shop: %p', (text, asksShop) => {
  expect(parseQuestion(text, ENGLISH).asksShop).toBe(asksShop);
});
