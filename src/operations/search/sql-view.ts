import { type CatalogItem, isAvailable } from '../../domain/catalog.ts';
import { documentTexts, offeringTexts } from '../../search/index/documents.ts';
import { countFacets } from '../../search/index/facets.ts';
import { factsOf } from '../../search/index/item-facts.ts';
import { meanDirection, readVector8 } from '../../search/index/vector8.ts';
import { exclusionGroups, presenceOf } from '../../search/query/exclusions.ts';
import { flatGroups, joinFlat, sharesOf, type TermGroup } from '../../search/query/expand-terms.ts';
import { nameMatcher, nameTerms } from '../../search/ranking/name.ts';
import type { Candidate } from '../../search/ranking/rank.ts';
import { FIELD_WEIGHTS } from '../../search/ranking/score.ts';
import { matchFields } from '../../search/results/match.ts';
import { findItems, findPassages } from '../../storage/catalog/items.ts';
import { findVectors, matchMeaning, measureMeaning } from '../../storage/catalog/vectors.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import {
  countAllDocuments,
  countDocuments,
  findHolders,
  findTerms,
  matchWords,
} from '../../storage/catalog/word-index.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';
import type { EmbeddingModel } from './meaning.ts';
import { findShownDocuments, highlightDocument } from './shown-documents.ts';

/** The catalogue as libSQL answers: words through FTS5, meaning through its vector functions. */
export function openSqlView(db: Database, scope: SearchScope): CatalogView {
  const { organizationKey } = scope;
  return {
    countAllDocuments: () => countAllDocuments(db, organizationKey),
    countDocuments: (terms) => countDocuments(db, organizationKey, terms),
    findTerms: (query) => findTerms(db, organizationKey, query),
    retrieve: (query) => retrieve(db, scope, query),
  };
}

async function retrieve(
  db: Database,
  scope: SearchScope,
  { groups, headGroup, exclusions, meaning, limit }: RetrieveQuery,
): Promise<Retrieved> {
  const flat = flatGroups(groups);
  const unwanted = exclusions.map(exclusionGroups);
  const { documents, isCut } = await findDocuments(db, scope, { groups: flat, meaning, limit });
  const items = await findItems(db, scope.organizationKey, [
    ...new Set([...documents.values()].map(({ itemKey }) => itemKey)),
  ]);
  const documentKeys = [...documents.keys()];
  const passages = await findPassages(db, documentKeys);
  const holders = await holdersOf(db, scope, { groups: flat, documentKeys });
  const textsOf = (documentKey: number, item: CatalogItem) =>
    documentTexts(item, passages.get(documentKey) ?? null);
  const matchName = nameMatcher(groups, headGroup);
  const candidates: Candidate[] = [];
  for (const [documentKey, signals] of documents) {
    const stored = items.get(signals.itemKey);
    if (stored === undefined) continue;
    const { id, item } = stored;
    const typed = matchFields(typeOf(item), flat).fieldsOfGroup;
    candidates.push({
      ...signals,
      isContext: item.type === 'context',
      available: item.type === 'context' || isAvailable(item.availability),
      facts: factsOf(item),
      documentKey,
      id,
      name: matchName(nameTerms(item.name)),
      matched: sharesOf(groups, (place) => holders[place]!.has(documentKey)),
      typed: sharesOf(groups, (place) => typed[place]!.length > 0),
      presences: unwanted.map((of) =>
        presenceOf(matchFields(textsOf(documentKey, item), of).fieldsOfGroup),
      ),
    });
  }
  return {
    candidates,
    isCut,
    measureCommon: async (best) =>
      measureCommon(db, meaning?.model ?? null, {
        documentKeys: candidates.map(({ documentKey }) => documentKey),
        best: best.map(({ documentKey }) => documentKey),
      }),
    show: async (chosen) => {
      const shown = await findShownDocuments(db, scope.organizationKey, chosen);
      return chosen.map(({ documentKey, itemKey }) => {
        const document = shown.get(documentKey);
        if (document === undefined) return null;
        const texts = textsOf(documentKey, items.get(itemKey)!.item);
        const fieldsOfGroup = joinFlat(groups, matchFields(texts, flat).fieldsOfGroup);
        return {
          document,
          highlights: highlightDocument(document, groups),
          matches: { fieldsOfGroup },
        };
      });
    },
    facets: (chosen) => countFacets(chosen.map(({ itemKey }) => items.get(itemKey)!.item)),
  };
}

/** What words and meaning bring, by document; the cosine also of those that only words brought. */
async function findDocuments(
  db: Database,
  scope: SearchScope,
  { groups, meaning, limit }: Pick<RetrieveQuery, 'groups' | 'meaning' | 'limit'>,
): Promise<{
  documents: Map<number, { itemKey: number; bm25: number; cosine: number | null }>;
  isCut: boolean;
}> {
  const terms = [...new Set(groups.flatMap(({ alternatives }) => alternatives))];
  const words =
    terms.length === 0 ? [] : await matchWords(db, scope, { terms, weights: FIELD_WEIGHTS, limit });
  const query = meaning && { modelKey: meaning.model.key, vector: meaning.vector };
  const near = query === null ? [] : await matchMeaning(db, scope, { ...query, limit });
  const documents = new Map<number, { itemKey: number; bm25: number; cosine: number | null }>();
  for (const { documentKey, itemKey, cosine } of near)
    documents.set(documentKey, { itemKey, bm25: 0, cosine });
  const unmeasured = words
    .filter(({ documentKey }) => !documents.has(documentKey))
    .map(({ documentKey }) => documentKey);
  const cosines =
    query === null ? new Map<number, number>() : await measureMeaning(db, unmeasured, query);
  for (const { documentKey, itemKey, bm25 } of words) {
    const cosine = documents.get(documentKey)?.cosine ?? cosines.get(documentKey) ?? null;
    documents.set(documentKey, { itemKey, bm25, cosine });
  }
  return { documents, isCut: words.length === limit || near.length === limit };
}

async function measureCommon(
  db: Database,
  model: EmbeddingModel | null,
  {
    documentKeys,
    best,
  }: { readonly documentKeys: readonly number[]; readonly best: readonly number[] },
): Promise<number[]> {
  const unknown = documentKeys.map(() => 0);
  if (model === null) return unknown;
  const blobs = await findVectors(db, best, model.key);
  const vectors = [...blobs.values()].map((blob) => readVector8(blob, model.dimensions));
  const vector = meanDirection(vectors.filter((read) => read !== null));
  if (vector === null) return unknown;
  const measured = await measureMeaning(db, documentKeys, { modelKey: model.key, vector });
  return documentKeys.map((documentKey) => measured.get(documentKey) ?? 0);
}

/** What an item says of its type, alone. */
function typeOf(item: CatalogItem): ReturnType<typeof documentTexts> {
  const type = item.type === 'product' ? offeringTexts(item).type : '';
  return { name: '', type, vendor: '', codes: '', details: '', body: '' };
}

/**
 * For each group those of the documents that hold it. FTS5 knows at once who holds a word; reading
 * the texts of hundreds would take a hundred times as long.
 */
async function holdersOf(
  db: Database,
  { organizationKey }: SearchScope,
  {
    groups,
    documentKeys,
  }: { readonly groups: readonly TermGroup[]; readonly documentKeys: readonly number[] },
): Promise<Set<number>[]> {
  const holders: Set<number>[] = [];
  for (const { alternatives } of groups)
    holders.push(await findHolders(db, organizationKey, { terms: alternatives, documentKeys }));
  return holders;
}
