import { expect, test } from 'bun:test';
import type { Field } from '../../../src/domain/field.ts';
import { LayeredIndex } from '../../../src/search/index/layered-index.ts';
import { buildIndex } from '../../support/indexed-database.ts';
import { blankFields, documentOf, group } from './arbitrary-documents.ts';

/** The scores of documents with these texts for questions of which each group counts 1. */
function scoresOf(texts: readonly Partial<Record<Field, string>>[], ...terms: string[]): number[] {
  const documents = texts.map((fields, at) =>
    documentOf(at + 1, { fields: { ...blankFields(), ...fields } }),
  );
  const index = new LayeredIndex(buildIndex(documents, null));
  const groups = terms.map((term) => group(term));
  return Array.from(index.textScores([...texts.keys()], { groups, weights: groups.map(() => 1) }));
}

test.each([['lamp'], ['lam*']])(
  'a word of the name counts once, as in the description: %s',
  (term) => {
    const [name, body, both, twice] = scoresOf(
      [
        { name: 'lamp', body: 'red red' },
        { name: 'red red', body: 'lamp' },
        { name: 'lamp red', body: 'lamp' },
        { name: 'lamp lamp', body: 'red' },
      ],
      term,
    );
    expect(name).toBeGreaterThan(0);
    expect(body).toBe(name!);
    expect(both).toBeGreaterThan(name!);
    expect(twice).toBe(both!);
  },
);

test('of two texts that hold a word as often, the shorter is more about it', () => {
  const [short, long, none] = scoresOf(
    [{ body: 'lamp red' }, { body: 'lamp red red red red' }, { body: 'red' }],
    'lamp',
  );
  expect(short).toBeGreaterThan(long!);
  expect(long).toBeGreaterThan(none!);
  expect(none).toBe(0);
});

test('each word of a question adds what it weighs, and unknown words nothing', () => {
  const texts = [{ body: 'lamp red' }, { body: 'lamp' }];
  const [both] = scoresOf(texts, 'lamp', 'red', 'sofa');
  const [lamp] = scoresOf(texts, 'lamp');
  expect(both).toBeCloseTo(2 * lamp!, 12);
});
