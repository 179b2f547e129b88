import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TermTable } from '../../../src/search/index/term-table.ts';
import { groupFinder, highlight } from '../../../src/search/results/match.ts';
import {
  highlightTokenized,
  locateGroups,
  tokenizeText,
} from '../../../src/search/results/tokenized-text.ts';
import { Lexicon } from '../../../src/search/text/lexicon.ts';
import { ENGLISH, termsOf } from '../../support/english.ts';
import { finish } from '../../support/indexed-database.ts';

const tableOf = (...texts: string[]) => {
  const lexicon = new Lexicon();
  for (const term of texts.flatMap((text) => termsOf(text))) lexicon.number(term);
  return finish(TermTable.build(lexicon)).table;
};

const text = fc
  .array(
    fc.constantFrom(
      ...[
        'red',
        'Réds',
        'rain',
        'rainbow',
        'jacket',
        "men's",
        '<b>',
        '&',
        ' ',
        ', ',
        '東京都',
        '👩',
      ],
      ...['8 x 10', '16 GB', '1/2 in', 'lorem ipsum dolor sit amet ', 'y'.repeat(90)],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(' '));
const term = fc.constantFrom(
  ...[
    'red',
    'rain',
    'rain*',
    'ra*',
    'jacket',
    'men',
    '東京',
    '8x10',
    '16gb',
    '0p5in',
    'snow',
    'x*',
  ],
);
const groups = fc.array(
  fc.record({
    term,
    alternatives: fc.array(term, { minLength: 1, maxLength: 3 }),
    substitutes: fc.array(term, { maxLength: 2 }),
    idf: fc.constant(1),
  }),
  { maxLength: 4 },
);

test('a tokenized text is highlighted like the text itself', () => {
  fc.assert(
    fc.property(text, text, groups, (shown, other, asked) => {
      const table = tableOf(shown, other);
      const read = tokenizeText(shown, ENGLISH, table)!;
      expect(highlightTokenized('body', read, locateGroups(asked, table))).toEqual(
        highlight('body', shown, groupFinder(asked), ENGLISH),
      );
    }),
    { numRuns: 500 },
  );
});

test('a text with a word that the table lacks is not tokenized', () => {
  const table = tableOf('red jacket');
  expect(tokenizeText('red snow', ENGLISH, table)).toBeNull();
  expect(tokenizeText('jacket, red', ENGLISH, table)).not.toBeNull();
});
