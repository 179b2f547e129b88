import { type FoundDocuments, joinFound } from '../../search/index/index-search.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { EmbeddingModel } from '../indexes/embeddings.ts';
import type { SearchableLayers } from '../indexes/layers.ts';
import type { LoadedIndex } from '../indexes/loaded-index.ts';
import type { DocumentKeys, ReadableDocument } from '../indexes/shown-documents.ts';

export interface RetrieveQuery {
  /** The groups to search for, at most 32. */
  readonly groups: readonly TermGroup[];
  /** Keys of documents that are retrieved whatever they match. */
  readonly pinned: readonly number[];
  /** Null: search by words alone. */
  readonly embedding: { readonly model: EmbeddingModel; readonly vector: Float32Array } | null;
  /** The most documents by words, and the most by vector. */
  readonly limit: number;
}

export interface Retrieved {
  /** Each once, unordered. Scored with the statistics of the whole catalogue. */
  readonly documents: FoundDocuments;
  /** The data that ranks and explains them, by their places. */
  readonly parts: SearchableLayers;
  /** Whether there may be more, because a retriever reached its limit. */
  readonly isCut: boolean;
  /**
   * The cosine of each document, in order, to the mean vector of those at the places `best`; 0 for a
   * document without a vector.
   */
  measureCommon(best: readonly number[]): ArrayLike<number>;
  /** In order; null for a document that an import has removed meanwhile. */
  findShown(
    documents: readonly (DocumentKeys & { readonly document: number })[],
  ): Promise<readonly (ReadableDocument | null)[]>;
}

/** The documents in scope that match by words or by vector, and those that are pinned. */
export function retrieve(
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
    measureCommon: (best) =>
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
