import { type CosineScale, toReferenceScale } from '../../models/cosine-scale.ts';
import type { Compounds } from '../../search/query/compounds.ts';
import type { ExcludeConstraint } from '../../search/query/constraints.ts';
import { exclusionGroups, type Presence, presenceOf } from '../../search/query/exclusions.ts';
import { flatGroups, sharesOf, type TermGroup } from '../../search/query/expand-terms.ts';
import type { NameSignals } from '../../search/ranking/name.ts';
import type { Candidate } from '../../search/ranking/rank.ts';
import { SUBSTITUTE_SHARE } from '../../search/tuning/ranking-weights.ts';
import type { Retrieved } from './catalog-view.ts';

export interface CandidateQuery {
  readonly groups: readonly TermGroup[];
  /** The group that names the product asked for; -1 without groups. */
  readonly headGroup: number;
  /** The terms of things that are made for another product. */
  readonly accessories: ReadonlySet<string>;
  readonly compounds: Compounds;
  readonly exclusions: readonly ExcludeConstraint[];
  /** Of the model that made the vectors; null without one. */
  readonly scale: CosineScale | null;
}

const NO_PRESENCES: readonly Presence[] = [];

/**
 * Adds everything that ranking needs to the retrieved documents, in order. They must have been
 * retrieved for `flatGroups(groups)` and the `exclusionGroups`. Pure.
 */
export function describeCandidates(
  { documents, parts }: Pick<Retrieved, 'documents' | 'parts'>,
  { groups, headGroup, accessories, compounds, exclusions, scale }: CandidateQuery,
): Candidate[] {
  const { index, names, facts } = parts;
  const places = documents.map(({ document }) => document);
  const nameSignals = names.signals(places, { groups, headGroup, accessories });
  const unwanted = exclusions.map((exclusion) => exclusionGroups(exclusion, compounds));
  const nearness = scale === null ? null : toReferenceScale(scale);
  const sharesByBits = new Map<number, readonly number[]>();
  const shares = (bits: number) => {
    const known = sharesByBits.get(bits);
    if (known !== undefined) return known;
    const made = sharesOf(groups, (flatGroup) => (bits & (1 << flatGroup)) !== 0);
    sharesByBits.set(bits, made);
    return made;
  };
  const texts = index.textScores(places, textQuery(groups));
  const bestText = texts.reduce((best, score) => Math.max(best, score), Number.MIN_VALUE);
  // A synonym is as good as the noun of the question where nothing is called by that noun.
  const isNamed = documents.some(
    ({ groups: bits }, at) => nameSignals[at]!.head === 1 && shares(bits)[headGroup] === 1,
  );
  const named = (held: readonly number[], { head }: NameSignals) =>
    !isNamed && head === 1 && (held[headGroup] ?? 0) > 0 ? held.with(headGroup, 1) : held;
  // Copied field by field: spreading hundreds of objects takes longer than all the rest.
  return documents.map((found, at) => {
    const name = nameSignals[at]!;
    const held = shares(found.groups);
    return {
      document: found.document,
      documentKey: found.documentKey,
      itemKey: found.itemKey,
      id: found.id,
      isContext: found.isContext,
      available: found.available,
      bm25: found.bm25,
      text: texts[at]! / bestText,
      cosine: found.cosine === null || nearness === null ? null : nearness(found.cosine),
      held,
      matched: named(held, name),
      typed: named(shares(found.typedGroups), name),
      name,
      facts: facts.factsOf(found.document),
      presences:
        unwanted.length === 0
          ? NO_PRESENCES
          : unwanted.map((of) => presenceOf(index.fieldsOfGroups(found.document, of))),
    };
  });
}

/** A word counts its idf, and a substitute half of it. */
function textQuery(groups: readonly TermGroup[]) {
  const flat = flatGroups(groups);
  const weights = flat.map(({ idf }, at) => (at < groups.length ? idf : SUBSTITUTE_SHARE * idf));
  return { groups: flat, weights };
}
