import type { Field } from '../domain/field.ts';
import { documentTexts } from '../search/documents.ts';
import { exclusionGroups, presenceOf } from '../search/exclusions.ts';
import { flatGroups, joinFlat, sharesOf, type TermGroup } from '../search/expand-terms.ts';
import { countFacets } from '../search/facets.ts';
import { factsOf } from '../search/item-facts.ts';
import { type FieldMatches, matchFields } from '../search/match.ts';
import { nameTerms } from '../search/name.ts';
import type { Candidate } from '../search/rank.ts';
import { FIELD_WEIGHTS } from '../search/score.ts';
import type { Database } from '../storage/database.ts';
import { findItems, findPassages } from '../storage/items.ts';
import { matchMeaning, measureMeaning } from '../storage/vectors.ts';
import type { SearchScope } from '../storage/visible.ts';
import { countAllDocuments, countDocuments, findTerms, matchWords } from '../storage/word-index.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';

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
  { groups, exclusions, meaning, limit }: RetrieveQuery,
): Promise<Retrieved> {
  const flat = flatGroups(groups);
  const unwanted = exclusions.map(exclusionGroups);
  const terms = [...new Set(flat.flatMap(({ alternatives }) => alternatives))];
  const words =
    terms.length === 0 ? [] : await matchWords(db, scope, { terms, weights: FIELD_WEIGHTS, limit });
  const query = meaning === null ? null : { modelKey: meaning.model.key, vector: meaning.vector };
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
  const items = await findItems(db, scope.organizationKey, [
    ...new Set([...documents.values()].map(({ itemKey }) => itemKey)),
  ]);
  const passages = await findPassages(db, [...documents.keys()]);
  const fieldMatches = new Map<number, FieldMatches>();
  const candidates: Candidate[] = [];
  for (const [documentKey, signals] of documents) {
    const stored = items.get(signals.itemKey);
    if (stored === undefined) continue;
    const { id, item } = stored;
    const texts = documentTexts(item, passages.get(documentKey) ?? null);
    const found = matchGroups(texts, { flat, groups, unwanted });
    fieldMatches.set(documentKey, found.fieldMatches);
    const { matched, presences } = found;
    const name = nameTerms(item.name);
    candidates.push({ ...signals, ...factsOf(item), documentKey, id, name, matched, presences });
  }
  return {
    candidates,
    isCut: words.length === limit || near.length === limit,
    fieldMatches: ({ documentKey }) => fieldMatches.get(documentKey)!,
    facets: (chosen) => countFacets(chosen.map(({ itemKey }) => items.get(itemKey)!.item)),
  };
}

interface Wanted {
  readonly groups: readonly TermGroup[];
  readonly flat: readonly TermGroup[];
  /** The groups of each exclusion. */
  readonly unwanted: readonly (readonly TermGroup[])[];
}

/** What of a question stands in a document. */
function matchGroups(
  texts: Readonly<Record<Field, string>>,
  { groups, flat, unwanted }: Wanted,
): Pick<Candidate, 'matched' | 'presences'> & { readonly fieldMatches: FieldMatches } {
  const { fieldsOfGroup } = matchFields(texts, [...flat, ...unwanted.flat()]);
  const fieldsOf = (place: number) => fieldsOfGroup[place]!;
  const fields = flat.map((_, place) => fieldsOf(place));
  let next = flat.length;
  return {
    fieldMatches: { fieldsOfGroup: joinFlat(groups, fields) },
    presences: unwanted.map((of) => presenceOf(of.map(() => fieldsOf(next++)))),
    matched: sharesOf(groups, (place) => fieldsOf(place).length > 0),
  };
}
