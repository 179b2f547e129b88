import { exclusionGroups, presenceOf } from '../search/exclusions.ts';
import { flatGroups, joinFlat, sharesOf } from '../search/expand-terms.ts';
import type { Candidate } from '../search/rank.ts';
import type { SearchScope } from '../storage/visible.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';
import type { LoadedIndex } from './index-keeper.ts';

/** The catalogue as an index in memory answers: the same as libSQL, without asking it. */
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
  { index, facts, names }: LoadedIndex,
  scope: SearchScope,
  { groups, exclusions, meaning, limit }: RetrieveQuery,
): Retrieved {
  const flat = flatGroups(groups);
  const unwanted = exclusions.map(exclusionGroups);
  const vector = meaning?.vector ?? null;
  const found = index.search({ groups: flat, vector, scope, limit });
  const placeOf = new Map<number, number>();
  const candidates: Candidate[] = found.candidates.map((candidate) => {
    const { document, documentKey, itemKey, id, cosine, groups: bits } = candidate;
    placeOf.set(documentKey, document);
    return {
      ...facts[document]!,
      documentKey,
      itemKey,
      id,
      bm25: candidate.isWordMatch ? candidate.bm25 : 0,
      cosine,
      matched: sharesOf(groups, (place) => (bits & (1 << place)) !== 0),
      name: names[document]!,
      presences: unwanted.map((of) => presenceOf(index.fieldsOfGroups(document, of))),
    };
  });
  const nearCount = found.candidates.filter(({ isMeaningMatch }) => isMeaningMatch).length;
  return {
    candidates,
    isCut: found.wordMatchCount >= limit || nearCount === limit,
    fieldMatches: ({ documentKey }) => ({
      fieldsOfGroup: joinFlat(groups, index.fieldsOfGroups(placeOf.get(documentKey)!, flat)),
    }),
    facets: (chosen) => index.facets(chosen.map(({ documentKey }) => placeOf.get(documentKey)!)),
  };
}
