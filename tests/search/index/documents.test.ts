import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  documentTerms,
  offeringTexts,
  readTexts,
  splitPassages,
} from '../../../src/search/index/documents.ts';
import { type NameTerms, nameTerms } from '../../../src/search/ranking/name.ts';
import { languageOf } from '../../../src/search/text/language.ts';
import { ENGLISH, termsOf } from '../../support/english.ts';
import { searchDocuments } from '../../support/search-documents.ts';
import { makeContext, makeOffering } from './items.ts';

const VARIANT = {
  id: 'v',
  title: 'Large / Blue',
  gtin: '4006381333931',
  priceMinor: null,
  compareAtPriceMinor: null,
  availability: 'in_stock',
  options: { Size: 'Large' },
  image: null,
} as const;

const LAMP = makeOffering({
  name: 'Lighthouse lamp',
  description: 'For the bedside.',
  vendor: 'Harbour & Sons',
  productType: 'Lamps',
  tags: ['sea'],
  sku: 'AB-12/3',
  mpn: 'X 9',
  attributes: { bulb_type: 'LED', watts: 9, dimmable: true },
  variants: [{ ...VARIANT, sku: 'LH.7' }],
});

test.each<[string, string]>([
  ['Rain jacket, waterproof', 'Rain jacket – red, M. Rain jacket, waterproof'],
  ['JACKET (red) M: rain', 'Rain jacket – red, M.'],
  ['', 'Rain jacket – red, M.'],
  ['Red rain jackets', 'Rain jacket – red, M. Red rain jackets'],
])('a model reads the description %j unless all its words are in the name', (description, text) => {
  const name = 'Rain jacket – red, M';
  expect(readTexts(makeOffering({ name, description }))).toEqual([{ text, passage: null }]);
});

test('an offering is one document, each field with its own terms', () => {
  const [document, ...further] = searchDocuments(LAMP);
  expect(further).toEqual([]);
  expect(document!.passage).toBeNull();
  expect(document!.fields).toMatchObject({
    name: 'lighthouse lamp',
    type: 'lamp sea',
    vendor: 'harbour son',
    body: 'for the bedside',
  });
  expect(document!.fields.details.split(' ')).toEqual(
    expect.arrayContaining(['bulb', 'type', 'led', '9', 'large', 'blue']),
  );
  expect(document!.embeddingText).toBe('Lighthouse lamp. For the bedside.');
});

test('the name of a document is read as it is without the document, in every kind of language', () => {
  const word = fc.constantFrom(
    ...['lamp', 'Leuchte', 'lampe de chevet', 'for', 'für', "l'or", "men's", '8 x 10 cm', '16 GB'],
    ...[
      'M102',
      'rouge',
      'red',
      ',',
      '–',
      '(',
      '中文字',
      '\u{1d400}',
      'gluten-free',
      'e\u0301t\u00e9',
    ],
  );
  fc.assert(
    fc.property(fc.constantFrom('en', 'de', 'fr', 'ja'), fc.array(word), (code, words) => {
      const name = words.join(' ');
      const language = languageOf(code);
      const [document] = documentTerms(makeOffering({ name }), language);
      const { lexicon, name: read } = document!;
      const terms = read.terms.map((term) =>
        typeof term === 'string' ? term : lexicon.text(term),
      );
      expect<NameTerms>({ ...read, terms }).toEqual(nameTerms(name, language));
    }),
  );
});

test.each(['ab', '12', '3', 'ab123', 'lh', '7', 'lh7', '4006381333931'])(
  'a code is found with and without its punctuation: %s',
  (term) => {
    expect(searchDocuments(LAMP)[0]!.fields.codes.split(' ')).toContain(term);
  },
);

test('texts for highlights are in readable form', () => {
  expect(offeringTexts(LAMP, ENGLISH)).toMatchObject({
    name: 'Lighthouse lamp',
    type: 'Lamps, sea',
    details: 'bulb type LED; watts 9; dimmable true; Large / Blue; Large',
  });
});

describe('passages of a text', () => {
  test.each<[string, string, { heading: string; text: string }[]]>([
    ['an empty one', '', [{ heading: '', text: '' }]],
    ['without headings', 'One.\n\nTwo.', [{ heading: '', text: 'One.\n\nTwo.' }]],
    [
      'each under its heading',
      'Hello.\n\n## A\n\none\n\ntwo\n## B ##\nthree',
      [
        { heading: '', text: 'Hello.' },
        { heading: 'A', text: 'one\n\ntwo' },
        { heading: 'B', text: 'three' },
      ],
    ],
    [
      'headings with nothing between them become one',
      '# Shipping\n\n## Europe\n\nTwo days.\n\n## Elsewhere\n\nTen days.',
      [
        { heading: 'Shipping – Europe', text: 'Two days.' },
        { heading: 'Elsewhere', text: 'Ten days.' },
      ],
    ],
    [
      'a heading at the end',
      'text\n\n# Contact',
      [
        { heading: '', text: 'text' },
        { heading: 'Contact', text: '' },
      ],
    ],
    ['a hash that is no heading', '#1 in the charts', [{ heading: '', text: '#1 in the charts' }]],
  ])('%s', (_, markdown, passages) => {
    expect(splitPassages(markdown)).toEqual(passages);
  });

  test('a long section is split at paragraphs, each part with its heading', () => {
    const paragraph = 'word '.repeat(80).trim();
    const passages = splitPassages(`# Long\n\n${Array(5).fill(paragraph).join('\n\n')}`);
    expect(passages).toHaveLength(5);
    expect(new Set(passages.map(({ heading }) => heading))).toEqual(new Set(['Long']));
    expect(passages.every(({ text }) => text === paragraph)).toBe(true);
  });
});

/** Markdown with many headings, empty sections and long paragraphs. */
const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# One',
        '## Two words',
        '### ',
        '#',
        '# # x',
        '\n',
        '\n\n',
        '- item',
        '> quote',
      ),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '#', '\n', 'é'), maxLength: 30 }),
      fc.constantFrom('lorem ipsum '.repeat(40), 'x'.repeat(900)),
    ),
    { maxLength: 20 },
  )
  .map((blocks) => blocks.join('\n'));

test('every word of a text is in some passage, in order', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const kept = new Set(
        splitPassages(text).flatMap((passage) => termsOf(`${passage.heading} ${passage.text}`)),
      );
      expect(termsOf(text).filter((term) => !kept.has(term))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a passage is shown with its heading, unless the name already contains it', () => {
  const text = '# Returns\n\nThirty days.\n\n## Costs\n\nNone.\n\n## Contact';
  const documents = searchDocuments(makeContext('Returns', text));
  expect(documents.map(({ passage }) => passage)).toEqual([
    'Thirty days.',
    'Costs: None.',
    'Contact',
  ]);
  expect(documents.map(({ fields }) => fields.name)).toEqual([
    'return return',
    'return cost',
    'return contact',
  ]);
});

test('the text to embed is no longer than the model reads', () => {
  const [document] = searchDocuments(makeOffering({ description: 'word '.repeat(5000) }));
  expect(document!.embeddingText.length).toBeLessThanOrEqual(1200);
});
