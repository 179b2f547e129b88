import { expect, test } from 'bun:test';
import { understandTerms } from '../../../src/operations/search/understand-terms.ts';
import { LayeredIndex } from '../../../src/search/index/layered-index.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { blankFields, documentOf } from '../../search/index/arbitrary-documents.ts';
import { ENGLISH } from '../../support/english.ts';
import { buildIndex } from '../../support/indexed-database.ts';

/** The index of a catalogue of items with these names. */
function indexOf(...names: string[]): LayeredIndex {
  const documents = names.map((name, at) =>
    documentOf(at + 1, { fields: { ...blankFields(), name } }),
  );
  return new LayeredIndex(buildIndex(documents, null));
}

test('a question asked again is understood in the words that the catalogue then has', () => {
  const groupsIn = (index: LayeredIndex) =>
    understandTerms(index, parseQuestion('smartwatch', ENGLISH)).groups.map(
      ({ alternatives }) => alternatives,
    );
  const [whole, parts] = [indexOf('smartwatch', 'lamp'), indexOf('smart watch', 'lamp')];
  const expected = [[['smartwatch']], [['smartwatch', 'smart', 'watch']]];
  for (let round = 0; round < 2; round++)
    expect([groupsIn(whole), groupsIn(parts)]).toEqual(expected);
});
