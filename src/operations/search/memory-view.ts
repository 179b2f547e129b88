import type { IndexedDocument } from '../../search/index/index-search.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { LoadedIndex } from '../indexes/loaded-index.ts';
import type { CatalogView, DocumentPlace, Retrieved, RetrieveQuery } from './catalog-view.ts';

/** A view of the catalogue through an index in memory. Its answers equal those of libSQL. */
export function openMemoryView(loaded: LoadedIndex, scope: SearchScope): CatalogView {
  const { index, modelKey } = loaded;
  return {
    modelKey,
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
  const candidates = index.search({ groups, vector, scope, limit });
  const places = (of: readonly DocumentPlace[]) => of.map(({ document }) => document);
  let [wordCount, nearCount] = [0, 0];
  for (const { isWordMatch, isVectorMatch } of candidates) {
    if (isWordMatch) wordCount += 1;
    if (isVectorMatch) nearCount += 1;
  }
  const documents: IndexedDocument[] = [...candidates];
  if (pinned.length > 0) {
    const found = new Set(documents.map(({ documentKey }) => documentKey));
    const missing = pinned.filter((key) => !found.has(key));
    documents.push(...index.describe(missing, { groups, vector }));
  }
  return {
    documents,
    parts: loaded,
    isCut: wordCount === limit || nearCount === limit,
    measureCommon: async (best) => index.measureCommon(places(documents), places(best)),
    findShown(chosen) {
      const wanted = chosen.map(({ document, documentKey, itemKey }) => {
        return { documentKey, itemKey, generation: index.generation(document) };
      });
      return shown.find(scope.organizationKey, wanted, layers.base.id);
    },
  };
}
