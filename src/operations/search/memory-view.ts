import { joinFound } from '../../search/index/index-search.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { LoadedIndex } from '../indexes/loaded-index.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';

/**
 * A view of the catalogue through an index in memory. It gives the same answers as libSQL, as long as libSQL scores
 * every match.
 */
export function openMemoryView(loaded: LoadedIndex, scope: SearchScope): CatalogView {
  const { index, modelKey } = loaded;
  return {
    modelKey,
    vocabulary: index.vocabulary,
    countAllDocuments: async () => index.size,
    countDocuments: async (terms) => index.countDocuments(terms),
    findTerms: async (query) => index.findTerms(query),
    retrieve: async (query) => retrieve(loaded, scope, query),
  };
}

function retrieve(
  loaded: LoadedIndex,
  scope: SearchScope,
  { groups, embedding, pinned, limit }: RetrieveQuery,
): Retrieved {
  const { index, shown, layers } = loaded;
  const vector = embedding?.vector ?? null;
  const keyOf = (document: number) => index.documentKey(document);
  const found = index.search({ groups, vector, scope, limit });
  const keys = new Set(pinned.length === 0 ? [] : Array.from(found.documents, keyOf));
  const missing = pinned.filter((key) => !keys.has(key));
  const documents =
    missing.length === 0 ? found : joinFound(found, index.describe(missing, { groups, vector }), 0);
  return {
    documents,
    parts: loaded,
    isCut: found.reaches(limit),
    measureCommon: async (best) =>
      index.measureCommon(
        documents.documents,
        best.map((place) => documents.documents[place]!),
      ),
    findShown(chosen) {
      const wanted = chosen.map(({ document, documentKey, itemKey }) => {
        return { documentKey, itemKey, generation: index.generation(document) };
      });
      return shown.find(scope.organizationKey, wanted, layers.base.id);
    },
  };
}
