import { describe, expect, test } from 'bun:test';
import { presenceOf } from '../../../src/search/query/exclusions.ts';
import {
  expandTerms,
  flatGroups,
  isSimilar,
  sharesOf,
  type TermGroup,
  termsToCount,
} from '../../../src/search/query/expand-terms.ts';
import { contradicts } from '../../../src/search/query/filter.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { accessoryTerms } from '../../../src/search/ranking/name.ts';
import { codeTermsOf, findCodes } from '../../../src/search/text/codes.ts';
import { ENGLISH, termOf } from '../../support/english.ts';
import { namesOf } from '../../support/indexed-database.ts';
import { processorMs } from '../../support/processor-time.ts';

function shop(counts: Record<string, number>) {
  const known = new Map(Object.entries(counts));
  return {
    language: ENGLISH,
    size: 1000,
    count: (term: string) => known.get(term) ?? 0,
    similar: (term: string) => [...known.keys()].filter((candidate) => isSimilar(term, candidate)),
  };
}

describe('a code matches regardless of punctuation and case, and matches no other code', () => {
  test.each([
    ['SKU-4431', 'sku4431', true],
    ['SKU-4431', 'SKU 4431', true],
    ['SKU-4431', 'where is sku-4431?', true],
    ['SKU-4431', 'SKU-4413', false],
    ['SKU-4431', '4431', false],
    ['00417-16', '0041716', true],
    ['00417-16', '417-16', false],
    ['2292232305505', '2 292232 305505', true],
    ['0012345678905', '012345678905', true],
    ['IM-12-17', 'im 12 17', true],
  ])('%s asked as %s: %p', (code, question, expected) => {
    const held = new Set(codeTermsOf(code, ENGLISH));
    const marks = findCodes(question).flatMap((asked) => asked.marks);
    expect(marks.some((mark) => held.has(mark))).toBe(expected);
  });
});

test('a size is never an unknown code', () => {
  expect(findCodes('16gb 8x10 3-seater ps4').filter(({ isCertain }) => isCertain)).toEqual([]);
});

test('terms of an unknown code are not expanded', () => {
  const [group] = expandTerms(['hedphone'], shop({ headphone: 9 }), new Set(['hedphone']));
  expect(group!.alternatives).toEqual(['hedphone']);
});

describe('synonyms', () => {
  test.each([
    [['couch'], ['sofa']],
    [['cell', 'phone'], ['mobile']],
    [['flash', 'drive'], ['usb']],
    [['hoover'], ['vacuum']],
    [['wanderschuh'], []],
  ])('%j', (terms, expected) => {
    expect(ENGLISH.synonymsOf(terms)[0]!).toEqual(expect.arrayContaining(expected));
  });

  test('count less than the word itself, and only where the catalogue prefers them', () => {
    const [group] = expandTerms(['couch'], shop({ couch: 1, sofa: 9 }));
    expect(group).toMatchObject({ alternatives: ['couch'], substitutes: ['sofa'] });
    expect(expandTerms(['couch'], shop({ couch: 9, sofa: 9 }))[0]!.substitutes).toBeUndefined();
    const groups = [group!];
    expect(flatGroups(groups).map(({ alternatives }) => alternatives)).toEqual([
      ['couch'],
      ['sofa'],
    ]);
    expect(sharesOf(groups, (place) => place === 0)).toEqual([1]);
    const [less] = sharesOf(groups, (place) => place === 1);
    expect(less).toBeGreaterThan(0);
    expect(less).toBeLessThan(1);
  });

  test.each([
    ['knives', 'knife'],
    ['bookshelf', 'bookshelves'],
    ['women', 'woman'],
    ['mouse', 'mice'],
  ])('stand for their other number, however irregular: %s', (asked, other) => {
    const [term, known] = [asked, other].map(termOf) as [string, string];
    expect(expandTerms([term], shop({ [known]: 3 }))[0]!.alternatives).toEqual([term, known]);
    expect(termsToCount([term], ENGLISH)).toContain(known);
  });

  test('are not matched because of a common beginning', () => {
    for (const [term, other] of [
      ['man', 'men'],
      ['sleeve', 'sleef'],
      ['medium', 'media'],
    ] as const)
      expect(expandTerms([term], shop({ [term]: 1, [other]: 9 }))[0]!.alternatives).toEqual([term]);
  });

  test('with a synonym are not split', () => {
    const [group] = expandTerms(['settee'], shop({ sofa: 5, set: 9, tee: 9 }));
    expect(group).toMatchObject({ alternatives: ['settee'], substitutes: ['sofa'] });
  });

  test('match the halves of a German compound in the plural', () => {
    const [group] = expandTerms(['wanderschuhe'], shop({ hiking: 3, schuh: 1, shoe: 5 }));
    expect(group!.alternatives).toEqual(['wanderschuhe', 'hiking', 'schuh', 'shoe']);
  });

  test('match the halves of a foreign compound', () => {
    const [group] = expandTerms(['schreibtischlampe'], shop({ schreibtisch: 1, lamp: 5 }));
    expect(group!.alternatives).toEqual(['schreibtischlampe', 'schreibtisch', 'lamp']);
  });
});

/** The head signal of a name for a question, from 0 to 1. */
function headOf(name: string, groups: readonly TermGroup[], headGroup: number): number {
  const asked = { groups, headGroup, accessories: accessoryTerms(ENGLISH) };
  return namesOf([name]).signals([0], asked)[0]!.head;
}

test('a case for a tablet is a case', () => {
  const { terms, headLength } = parseQuestion('case for slate 11 tablet', ENGLISH);
  expect(terms.slice(0, headLength)).toEqual(['case']);
  const groups = terms.map((term) => ({ term, alternatives: [term], idf: 1 }));
  const head = (name: string) => headOf(name, groups, headLength - 1);
  expect([head('Folio Case for Slate 11 Tablet'), head('Slate 11 Tablet')]).toEqual([1, 0]);
});

test.each([
  ['Lagoon Laptop', 1],
  ['Lagoon 15 Laptop Silver 43 cm', 1],
  ['Laptop blau', 1],
  ['Laptop + Mouse Bundle', 1],
  ['Lagoon Laptop Sleeve', 0.75],
  ['Sleeve for a Laptop', 0],
  ['Laptop Sleeve Liner', 0],
])('whether it is a laptop that is named: %s', (name, expected) => {
  expect(headOf(name, [{ term: 'laptop', alternatives: ['laptop'], idf: 1 }], 0)).toBe(expected);
});

test('a wrong size has the same unit but not the value asked for', () => {
  expect(contradicts(['3000mm'])(['3000mm', '8mm'])).toBe(false);
  expect(contradicts(['3000mm'])(['1500mm'])).toBe(true);
  expect(contradicts(['3000mm'])(['64gb'])).toBe(false);
  expect(contradicts(['8x10'])(['5x7'])).toBe(true);
});

test('a thing that is said to be absent is not present', () => {
  expect(presenceOf([['name'], ['name']])).toBe('free');
  expect(presenceOf([[], ['type']])).toBe('clear');
  expect(presenceOf([[], ['body']])).toBe('mentioned');
  expect(presenceOf([[], ['name'], []])).toBe('none');
});

test.each([
  [
    'hello, do you have a waterproof jacket for hiking under 150?',
    ['waterproof', 'jacket', 'hiking'],
  ],
  ['ich suche eine Regenjacke für die Berge', ['regenjacke', 'berge']],
  ['pour over coffee', ['pour', 'over', 'coffee']],
  ['lactose-free', ['lactose', 'free']],
  ['chocolate without milk', ['chocolate']],
])('what %j asks for', (text, terms) => {
  expect(parseQuestion(text, ENGLISH).terms).toEqual(terms);
});

test.each([
  '🎧',
  '"',
  '* AND NEAR(',
  'a',
  'the of and',
  '1 2 3',
  '1 x '.repeat(256),
  '1"'.repeat(512),
  '1 '.repeat(512),
  '1 1/1 '.repeat(170),
  'no '.repeat(341),
  'from 1 to '.repeat(102),
  'not a '.repeat(170),
  'under '.repeat(170),
  'ab-12 '.repeat(170),
  ' '.repeat(1024),
  '1'.repeat(1024),
  'a'.repeat(1024),
  '茶'.repeat(1024),
])('%p is understood at once', (text) => {
  parseQuestion(text, ENGLISH);
  expect(processorMs(() => parseQuestion(text.slice(0, 1024), ENGLISH))).toBeLessThan(200);
});
