import { expect, test } from 'bun:test';
import type { CatalogView } from '../../../src/operations/search/catalog-view.ts';
import { understandTerms } from '../../../src/operations/search/understand-terms.ts';
import { LayeredIndex } from '../../../src/search/index/layered-index.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { blankFields, documentOf } from '../../search/index/arbitrary-documents.ts';
import { ENGLISH } from '../../support/english.ts';
import { buildIndex } from '../../support/indexed-database.ts';

/** A view of a catalogue of items with these names. */
function viewOf(...names: string[]): CatalogView {
  const documents = names.map((name, at) =>
    documentOf(at + 1, { fields: { ...blankFields(), name } }),
  );
  const index = new LayeredIndex(buildIndex(documents, null));
  return {
    modelKey: null,
    vocabulary: index.vocabulary,
    countAllDocuments: async () => index.size,
    countDocuments: async (terms) => index.countDocuments(terms),
    findTerms: async (query) => index.findTerms(query),
    retrieve: () => Promise.reject(new Error('Nothing is retrieved here.')),
  };
}

test('a question asked again is understood in the words that the catalogue then has', async () => {
  const groupsIn = async (view: CatalogView) =>
    (await understandTerms(view, parseQuestion('smartwatch', ENGLISH))).groups.map(
      ({ alternatives }) => alternatives,
    );
  const [whole, parts] = [viewOf('smartwatch', 'lamp'), viewOf('smart watch', 'lamp')];
  const expected = [[['smartwatch']], [['smartwatch', 'smart', 'watch']]];
  for (let round = 0; round < 2; round++)
    expect([await groupsIn(whole), await groupsIn(parts)]).toEqual(expected);
});
