import { expect, test } from 'bun:test';
import { expandTerms, isSimilar } from '../../../src/search/query/expand-terms.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { suggestSpelling } from '../../../src/search/query/suggest-spelling.ts';
import { ENGLISH } from '../../support/english.ts';

const KNOWN = ['headphone', 'knive', 'knife', 'mouse', 'mice', 'game', 'gift', 'smart', 'watch'];

test.each<[string, string | null]>([
  ['hedphones', 'headphone'],
  ['gift hedphones', 'gift headphone'],
  ['knife', null],
  ['gift mouse', null],
  ['gift for a gamer', null],
  ['smartwatch', null],
  ['mouses for xylophones', null],
])('a question that is spelt right is not corrected: %s → %p', (text, expected) => {
  const question = parseQuestion(text, ENGLISH);
  const groups = expandTerms(question.terms, {
    language: ENGLISH,
    size: 100,
    count: (term) => (KNOWN.includes(term) ? 3 : 0),
    similar: (term) => KNOWN.filter((known) => isSimilar(term, known)),
  });
  expect(suggestSpelling(question, groups)).toBe(expected);
});
