import type { TermGroup } from '../../search/query/expand-terms.ts';
import {
  cosineMeter,
  meanDirection,
  readVector8,
  type Vector8,
} from '../../search/vectors/vector8.ts';
import { findSearchableRows, type SearchableRow } from '../../storage/catalog/searchable-rows.ts';
import { matchVectors } from '../../storage/catalog/vectors.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { Database } from '../../storage/engine/database.ts';
import { indexRows } from '../indexes/index-parts.ts';
import { searchLayers } from '../indexes/layers.ts';
import type { LanguageOfShop } from '../indexes/shop-languages.ts';
import { findShownDocuments, readableOnce } from '../indexes/shown-documents.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';
import type { KnownWords } from './known-words.ts';
import { findByWords } from './match-words.ts';

/** Where it reads, and in which language each shop's documents are. */
export interface SqlSource {
  readonly db: Database;
  /** The words of the organization. */
  readonly words: KnownWords;
  readonly languageOfShop: LanguageOfShop;
  /** The model whose vectors answer the organization; null if none is known. */
  readonly modelKey: number | null;
}

/**
 * A view of the catalogue through libSQL: word search by FTS5, vector search by its vector
 * functions.
 */
export function openSqlView(source: SqlSource, scope: SearchScope): CatalogView {
  const { words, modelKey } = source;
  return {
    modelKey,
    vocabulary: null,
    countAllDocuments: () => words.size(),
    countDocuments: (terms) => words.count(terms),
    findTerms: (query) => words.find(query),
    retrieve: (query) => retrieve(source, scope, query),
  };
}

/**
 * libSQL finds the documents, with the BM25 of the whole catalogue. The cosines, and an index of
 * only these documents and the question's terms, are computed from their few hundred rows.
 */
async function retrieve(
  source: SqlSource,
  scope: SearchScope,
  query: RetrieveQuery,
): Promise<Retrieved> {
  const { db, languageOfShop } = source;
  const { groups, lookups, embedding } = query;
  const { scores, isCut } = await findDocuments(source, scope, query);
  const documentKeys = [...scores.keys()];
  const modelKey = embedding?.model.key ?? null;
  const rows = await findSearchableRows(db, { documentKeys, modelKey });
  const vectors = new Map(rows.map((row) => [row.documentKey, vectorOf(row, embedding)]));
  const cosineTo = (vector: Float32Array | null) => {
    const cosine = vector === null ? () => null : cosineMeter(vector);
    return (documentKey: number) => cosine(vectors.get(documentKey) ?? null);
  };
  const cosineOf = cosineTo(embedding?.vector ?? null);
  const found = rows.map(({ documentKey }) => ({
    documentKey,
    bm25: scores.get(documentKey)!,
    cosine: cosineOf(documentKey),
  }));
  const parts = indexRows(rows, {
    languageOfShop,
    keeps: termFilter([...groups, ...lookups]),
  });
  const documents = parts.index.describe(found, groups);
  const keys = Array.from(documents.documents, (document) => parts.index.documentKey(document));
  return {
    documents,
    parts: searchLayers({ base: parts, overlay: null }),
    isCut,
    async measureCommon(best) {
      const known = best.map((place) => vectors.get(keys[place]!) ?? null);
      const common = meanDirection(known.filter((vector) => vector !== null));
      const commonCosineOf = cosineTo(common);
      return keys.map((key) => commonCosineOf(key) ?? 0);
    },
    async findShown(chosen) {
      const shown = await findShownDocuments(db, scope.organizationKey, chosen);
      return chosen.map(({ documentKey }) => {
        const document = shown.get(documentKey);
        return document === undefined
          ? null
          : readableOnce(document, languageOfShop(document.stored.shopKey));
      });
    },
  };
}

/**
 * Retrieves by words and by vector, and what is pinned. Returns each document's BM25 by key; 0 if only the vector
 * matched.
 */
async function findDocuments(
  { db, words: known }: SqlSource,
  scope: SearchScope,
  { groups, embedding, pinned, limit }: RetrieveQuery,
): Promise<{ scores: ReadonlyMap<number, number>; isCut: boolean }> {
  const words = await findByWords({ db, words: known, scope }, { groups, limit });
  const query = embedding && { modelKey: embedding.model.key, vector: embedding.vector };
  const near = query === null ? [] : await matchVectors(db, scope, { ...query, limit });
  const scores = new Map(near.map(({ documentKey }) => [documentKey, 0]));
  for (const { documentKey, bm25 } of words) scores.set(documentKey, bm25);
  for (const documentKey of pinned) if (!scores.has(documentKey)) scores.set(documentKey, 0);
  return { scores, isCut: words.length === limit || near.length === limit };
}

function vectorOf(
  { vector }: SearchableRow,
  embedding: RetrieveQuery['embedding'],
): Vector8 | null {
  return vector === null || embedding === null
    ? null
    : readVector8(vector, embedding.model.dimensions);
}

/** A predicate for the terms that the groups ask for, exactly or by a prefix. */
function termFilter(groups: readonly TermGroup[]): (term: string) => boolean {
  const asked = new Set(groups.flatMap(({ alternatives }) => alternatives));
  const prefixes = [...asked].filter((term) => term.endsWith('*')).map((term) => term.slice(0, -1));
  if (prefixes.length === 0) return (term) => asked.has(term);
  return (term) => asked.has(term) || prefixes.some((prefix) => term.startsWith(prefix));
}
