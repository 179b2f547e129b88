import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { CatalogView, DocumentPlace, Retrieved, RetrieveQuery } from './catalog-view.ts';
import type { LoadedIndex } from './index-keeper.ts';

/** A view of the catalogue through an index in memory. Its answers equal those of libSQL. */
export function openMemoryView(loaded: LoadedIndex, scope: SearchScope): CatalogView {
  const { index } = loaded;
  return {
    countAllDocuments: async () => index.size,
    countDocuments: async (terms) => index.countDocuments(terms),
    findTerms: async (query) => index.findTerms(query),
    retrieve: async (query) => retrieve(loaded, scope, query),
  };
}

function retrieve(
  loaded: LoadedIndex,
  scope: SearchScope,
  { groups, embedding, limit }: RetrieveQuery,
): Retrieved {
  const { index, shown, layers } = loaded;
  const vector = embedding?.vector ?? null;
  const { candidates, wordMatchCount } = index.search({ groups, vector, scope, limit });
  const places = (of: readonly DocumentPlace[]) => of.map(({ document }) => document);
  let nearCount = 0;
  for (const { isVectorMatch } of candidates) if (isVectorMatch) nearCount += 1;
  return {
    documents: candidates.map((found) =>
      found.isWordMatch || found.bm25 === 0 ? found : { ...found, bm25: 0 },
    ),
    parts: loaded,
    isCut: wordMatchCount >= limit || nearCount === limit,
    measureCommon: async (best) => index.measureCommon(places(candidates), places(best)),
    findShown(chosen) {
      const wanted = chosen.map(({ document, documentKey, itemKey }) => {
        return { documentKey, itemKey, generation: index.generation(document) };
      });
      return shown.find(scope.organizationKey, wanted, { id: layers.base.id, table: index.terms });
    },
  };
}
