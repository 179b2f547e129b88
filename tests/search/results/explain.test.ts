import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FIELDS, type Field } from '../../../src/domain/field.ts';
import { translatorFor } from '../../../src/messages/translator.ts';
import type { TermGroup } from '../../../src/search/query/expand-terms.ts';
import {
  type Explained,
  explain as explainIn,
  matchedOn,
  SaidOfWords,
} from '../../../src/search/results/explain.ts';

interface Case {
  readonly groups: readonly TermGroup[];
  readonly fields: readonly (readonly Field[])[];
  readonly cosine?: number | null;
  readonly available?: boolean;
}

const asked = (term: string, ...further: string[]): TermGroup => ({
  term,
  alternatives: [term, ...further],
  idf: 1,
});

const explained = ({ groups, fields, cosine = null, available = true }: Case) => ({
  groups,
  matches: { fieldsOfGroup: fields },
  cosine,
  available,
});

const explain = (reasons: Explained, locale = 'en') => explainIn(reasons, translatorFor(locale));

describe('one sentence says why', () => {
  test.each<[string, Case, string]>([
    [
      'the heaviest field of each word',
      { groups: [asked('red'), asked('mug')], fields: [['name', 'body'], ['name']] },
      '“red” and “mug” in the name.',
    ],
    [
      'each word in its place',
      { groups: [asked('red'), asked('mug'), asked('x')], fields: [['body'], ['name'], []] },
      '“red” in the text; “mug” in the name.',
    ],
    [
      'a spelling that was searched for instead',
      { groups: [{ ...asked('jakcet', 'jacket'), guess: 'spelling' }], fields: [['name']] },
      '“jakcet → jacket” in the name.',
    ],
    [
      'not a compound that merely was tried too',
      { groups: [asked('rain', 'raincoat')], fields: [['name']] },
      '“rain” in the name.',
    ],
    [
      'meaning beside words',
      { groups: [asked('red')], fields: [['name']], cosine: 0.5 },
      '“red” in the name; close in meaning (0.50).',
    ],
    [
      'not a meaning that is far',
      { groups: [asked('red')], fields: [['name']], cosine: 0.3 },
      '“red” in the name.',
    ],
    [
      'meaning alone',
      { groups: [asked('red')], fields: [[]], cosine: 0.3 },
      'Somewhat close in meaning (0.30).',
    ],
    [
      'what lowered it',
      { groups: [asked('red')], fields: [['name']], available: false },
      '“red” in the name; ranked lower because it cannot be ordered now.',
    ],
    ['never nothing', { groups: [asked('red')], fields: [[]] }, 'Found by its words.'],
  ])('%s', (_, given, sentence) => {
    expect(explain(explained(given))).toBe(sentence);
  });
});

test('only fields that matched are named, by their names on the wire', () => {
  const groups = [asked('red'), asked('mug')];
  const fields: Field[][] = [['name', 'type'], ['codes']];
  expect(matchedOn(explained({ groups, fields }))).toEqual(['name', 'tags', 'sku']);
  expect(matchedOn(explained({ groups, fields, cosine: 0.35 }))).toContain('meaning');
  expect(matchedOn(explained({ groups, fields, cosine: 0.34 }))).not.toContain('meaning');
  expect(matchedOn(explained({ groups: [], fields: [] }))).toEqual([]);
});

const PLACES: Readonly<Record<Field, string>> = {
  name: 'the name',
  type: 'type or tags',
  vendor: 'the vendor',
  codes: 'its codes',
  details: 'its details',
  body: 'the text',
};

test('a field without a word of the question is never a reason', () => {
  const fields = fc.array(fc.uniqueArray(fc.constantFrom(...FIELDS)), { maxLength: 4 });
  fc.assert(
    fc.property(fields, (fieldsOfGroup) => {
      const groups = fieldsOfGroup.map((_, index) => asked(`w${index}`));
      const sentence = explain(explained({ groups, fields: fieldsOfGroup }));
      const matched = new Set(fieldsOfGroup.flat());
      const named = FIELDS.filter((field) => sentence.includes(PLACES[field]));
      expect(named.filter((field) => !matched.has(field))).toEqual([]);
    }),
  );
});

test('a substitute is reported as another word', () => {
  const given = explained({
    groups: [{ term: 'couch', alternatives: ['couch'], idf: 1 }],
    fields: [['name']],
  });
  expect(explain({ ...given, held: [0.5] })).toBe('Another word for “couch” in the name.');
});

test.each([
  ['de-AT', '„rot“ und „tasse“ im Namen; dem Sinn nach ähnlich (0,50).'],
  ['fr', '«\u00a0rot\u00a0» et «\u00a0tasse\u00a0» dans le nom\u202f; proche par le sens (0,50).'],
  ['pl', '“rot” and “tasse” in the name; close in meaning (0.50).'],
])('it is written in the language of %s', (locale, sentence) => {
  const groups = [asked('rot'), asked('tasse')];
  const given = explained({ groups, fields: [['name'], ['name']], cosine: 0.5 });
  expect(explain(given, locale)).toBe(sentence);
});

test('a result is explained the same, whatever was said of others before it', () => {
  const groups = [asked('red'), asked('mug'), { ...asked('ab-1'), isCode: true as const }];
  // Few objects, so that results share them as they do in an answer.
  const matches = [
    [['name'], ['name', 'body'], ['codes']],
    [['type'], [], []],
    [[], [], []],
  ].map((fieldsOfGroup) => ({ fieldsOfGroup: fieldsOfGroup as Field[][] }));
  const shares = [
    [1, 1, 1],
    [0.5, 1, 0],
    [1, 1, 1],
  ];
  const result = fc.record({
    matches: fc.constantFrom(...matches),
    held: fc.constantFrom(...shares),
    isPinned: fc.boolean(),
    cosine: fc.constantFrom(null, 0.2, 0.5),
    locale: fc.constantFrom('en', 'de', 'fr'),
  });
  fc.assert(
    fc.property(fc.array(result, { minLength: 2, maxLength: 12 }), (results) => {
      const said = new SaidOfWords();
      for (const { locale, ...further } of results) {
        const given = { groups, available: true, ...further };
        const translator = translatorFor(locale);
        expect(matchedOn(given, said)).toEqual(matchedOn(given));
        expect(explainIn(given, translator, said)).toBe(explainIn(given, translator));
      }
    }),
  );
});
