import { exclusionGroups, type Presence, presenceOf } from '../../search/query/exclusions.ts';
import { flatGroups, joinFlat, sharesOf } from '../../search/query/expand-terms.ts';
import type { Candidate } from '../../search/ranking/rank.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';
import type { LoadedIndex } from './index-keeper.ts';
import { documentHighlighter } from './shown-documents.ts';

const NO_PRESENCES: readonly Presence[] = [];

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
  loaded: LoadedIndex,
  scope: SearchScope,
  { groups, headGroup, exclusions, meaning, limit }: RetrieveQuery,
): Retrieved {
  const { index, facts, names, shown, layers } = loaded;
  const flat = flatGroups(groups);
  const unwanted = exclusions.map(exclusionGroups);
  const vector = meaning?.vector ?? null;
  const found = index.search({ groups: flat, vector, scope, limit });
  const nameSignals = names.signals(
    found.candidates.map(({ document }) => document),
    { groups, headGroup },
  );
  const placeOf = new Map<number, number>();
  const sharesByBits = new Map<number, readonly number[]>();
  const shares = (bits: number) => {
    const known = sharesByBits.get(bits);
    if (known !== undefined) return known;
    const made = sharesOf(groups, (flatGroup) => (bits & (1 << flatGroup)) !== 0);
    sharesByBits.set(bits, made);
    return made;
  };
  const candidates: Candidate[] = [];
  let nearCount = 0;
  for (const [place, candidate] of found.candidates.entries()) {
    const { document, documentKey } = candidate;
    placeOf.set(documentKey, document);
    if (candidate.isMeaningMatch) nearCount += 1;
    candidates.push({
      documentKey,
      itemKey: candidate.itemKey,
      id: candidate.id,
      bm25: candidate.isWordMatch ? candidate.bm25 : 0,
      cosine: candidate.cosine,
      matched: shares(candidate.groups),
      typed: shares(candidate.typedGroups),
      name: nameSignals[place]!,
      isContext: candidate.isContext,
      available: candidate.available,
      facts: facts.factsOf(document),
      presences:
        unwanted.length === 0
          ? NO_PRESENCES
          : unwanted.map((of) => presenceOf(index.fieldsOfGroups(document, of))),
    });
  }
  return {
    candidates,
    isCut: found.wordMatchCount >= limit || nearCount === limit,
    measureCommon: async (best) =>
      index.measureCommon(
        found.candidates.map(({ document }) => document),
        best.map(({ documentKey }) => placeOf.get(documentKey)!),
      ),
    show: async (chosen) => {
      const base = { id: layers.base.id, table: index.terms };
      const wanted = chosen.map(({ documentKey, itemKey }) => {
        const generation = index.generation(placeOf.get(documentKey)!);
        return { documentKey, itemKey, generation };
      });
      const documents = await shown.find(scope.organizationKey, wanted, base);
      const highlightsOf = documentHighlighter(groups, index.terms);
      return documents.map((document, rank) => {
        if (document === null) return null;
        const place = placeOf.get(chosen[rank]!.documentKey)!;
        const fields = joinFlat(groups, index.fieldsOfGroups(place, flat));
        const highlights = highlightsOf(document);
        return { document, highlights, matches: { fieldsOfGroup: fields } };
      });
    },
    facets: (chosen) => index.facets(chosen.map(({ documentKey }) => placeOf.get(documentKey)!)),
  };
}
