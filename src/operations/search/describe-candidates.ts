import { type CosineScale, toReferenceScale } from '../../models/cosine-scale.ts';
import { AVAILABLE, PRODUCT } from '../../search/index/document-columns.ts';
import type { FoundDocuments } from '../../search/index/index-search.ts';
import type { Compounds } from '../../search/query/compounds.ts';
import type { ExcludeConstraint } from '../../search/query/constraints.ts';
import { exclusionGroups, presenceOf } from '../../search/query/exclusions.ts';
import { flatGroups, sharesOf, type TermGroup } from '../../search/query/expand-terms.ts';
import type { ItemFacts } from '../../search/query/filter.ts';
import type { Candidate, Candidates } from '../../search/ranking/candidates.ts';
import type { NameSignals } from '../../search/ranking/name.ts';
import { SUBSTITUTE_SHARE } from '../../search/tuning/ranking-weights.ts';
import type { SearchableLayers } from '../indexes/layers.ts';
import type { Retrieved } from './retrieve.ts';

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

/**
 * Adds everything that ranking needs to the retrieved documents, in order. They must have been
 * retrieved for `flatGroups(groups)`. Pure.
 */
export function describeCandidates(
  { documents, parts }: Pick<Retrieved, 'documents' | 'parts'>,
  query: CandidateQuery,
): Candidates {
  return new DescribedCandidates(documents, parts, query);
}

const NO_PRESENCES: Candidate['presences'] = [];

class DescribedCandidates implements Candidates {
  readonly length: number;
  readonly documents: Uint32Array;
  readonly bm25: Float64Array;
  readonly texts: Float64Array;
  readonly cosines: Float64Array;
  readonly matched: readonly (readonly number[])[];
  readonly typed: readonly (readonly number[])[];
  readonly names: readonly NameSignals[];
  readonly presences: readonly Candidate['presences'][] | null;
  readonly #held: readonly (readonly number[])[];
  readonly #flags: ArrayLike<number>;
  readonly #services: ArrayLike<number>;
  readonly #parts: SearchableLayers;

  constructor(found: FoundDocuments, parts: SearchableLayers, query: CandidateQuery) {
    const { groups, headGroup } = query;
    const { index } = parts;
    const { length, documents } = found;
    this.#parts = parts;
    this.length = length;
    this.documents = documents;
    this.bm25 = found.bm25;
    this.#flags = index.flagsOf(documents);
    this.#services = parts.facts.servicesAmong(documents);
    this.texts = comparedTexts(
      index.textScores(documents, { ...textQuery(groups), held: found.groups }),
    );
    this.cosines = scaledCosines(found.cosines, query.scale);
    this.names = parts.names.signals(documents, query);
    const held = new HeldShares(groups, headGroup);
    this.#held = held.ofAll(found.groups);
    // A synonym is as good as the noun of the question where nothing is called by that noun.
    const isNamed = this.names.some(
      ({ head }, at) => head === 1 && this.#held[at]![headGroup] === 1,
    );
    const nouns = isNamed ? null : this.names;
    this.matched = nouns === null ? this.#held : held.ofAll(found.groups, nouns);
    this.typed = held.ofAll(found.typedGroups, nouns);
    this.presences = presencesOf(documents, index, query);
  }

  isContext(place: number): boolean {
    return (this.#flags[place]! & PRODUCT) === 0;
  }

  isAvailable(place: number): boolean {
    return (this.#flags[place]! & AVAILABLE) !== 0;
  }

  isService(place: number): boolean {
    return this.#services[place] === 1;
  }

  itemKey(place: number): number {
    return this.#parts.index.itemKey(this.documents[place]!);
  }

  id(place: number): string {
    return this.#parts.index.id(this.documents[place]!);
  }

  compareIds(one: number, other: number): number {
    return this.#parts.index.compareIds(this.documents[one]!, this.documents[other]!);
  }

  facts(place: number): ItemFacts {
    return this.#parts.facts.factsOf(this.documents[place]!);
  }

  at(place: number): Candidate {
    const document = this.documents[place]!;
    const cosine = this.cosines[place]!;
    return {
      document,
      itemKey: this.itemKey(place),
      documentKey: this.#parts.index.documentKey(document),
      id: this.id(place),
      isContext: this.isContext(place),
      available: this.isAvailable(place),
      bm25: this.bm25[place]!,
      text: this.texts[place]!,
      cosine: Number.isNaN(cosine) ? null : cosine,
      held: this.#held[place]!,
      matched: this.matched[place]!,
      typed: this.typed[place]!,
      name: this.names[place]!,
      facts: this.facts(place),
      presences: this.presences?.[place] ?? NO_PRESENCES,
    };
  }
}

/** The scores, compared with the best of them. */
function comparedTexts(scores: ArrayLike<number>): Float64Array {
  const compared = new Float64Array(scores.length);
  let best = Number.MIN_VALUE;
  for (let at = 0; at < scores.length; at++) best = Math.max(best, scores[at]!);
  for (let at = 0; at < scores.length; at++) compared[at] = scores[at]! / best;
  return compared;
}

/** The cosines on the reference scale; NaN where there is none. */
function scaledCosines(cosines: Float64Array, scale: CosineScale | null): Float64Array {
  const scaled = new Float64Array(cosines.length).fill(Number.NaN);
  if (scale === null) return scaled;
  const nearness = toReferenceScale(scale);
  for (let at = 0; at < cosines.length; at++)
    if (!Number.isNaN(cosines[at]!)) scaled[at] = nearness(cosines[at]!);
  return scaled;
}

/** The shares of each group that documents hold: one object for all that hold the same. */
class HeldShares {
  readonly #groups: readonly TermGroup[];
  readonly #headGroup: number;
  /** By the bits of the groups held. */
  readonly #shares = new Map<number, readonly number[]>();
  /** The same where a part of the noun counts as the noun. */
  readonly #withNoun = new Map<number, readonly number[]>();

  constructor(groups: readonly TermGroup[], headGroup: number) {
    this.#groups = groups;
    this.#headGroup = headGroup;
  }

  /** `nouns`: the signals of names for whose documents a part of the noun counts as the noun, if they are one. */
  ofAll(
    bitsOf: Uint32Array,
    nouns: readonly NameSignals[] | null = null,
  ): readonly (readonly number[])[] {
    const all = new Array<readonly number[]>(bitsOf.length);
    let last = -1;
    let shares: readonly number[] = [];
    for (let at = 0; at < bitsOf.length; at++) {
      const bits = bitsOf[at]!;
      if (nouns !== null && nouns[at]!.head === 1) {
        all[at] = this.#nounOf(bits);
        continue;
      }
      // The best candidates nearly all hold the same.
      if (bits !== last) shares = this.#of(bits);
      last = bits;
      all[at] = shares;
    }
    return all;
  }

  #of(bits: number): readonly number[] {
    let shares = this.#shares.get(bits);
    if (shares === undefined) {
      shares = sharesOf(this.#groups, (flatGroup) => (bits & (1 << flatGroup)) !== 0);
      this.#shares.set(bits, shares);
    }
    return shares;
  }

  #nounOf(bits: number): readonly number[] {
    let shares = this.#withNoun.get(bits);
    if (shares === undefined) {
      shares = this.#of(bits);
      if ((shares[this.#headGroup] ?? 0) > 0) shares = shares.with(this.#headGroup, 1);
      this.#withNoun.set(bits, shares);
    }
    return shares;
  }
}

function presencesOf(
  documents: Uint32Array,
  index: SearchableLayers['index'],
  { exclusions, compounds }: CandidateQuery,
): readonly Candidate['presences'][] | null {
  if (exclusions.length === 0) return null;
  const unwanted = exclusions.map((exclusion) => exclusionGroups(exclusion, compounds));
  const finders = unwanted.map((groups) => index.fieldFinder(groups));
  return Array.from(documents, (document) =>
    finders.map((finder) => presenceOf(finder.find(document))),
  );
}

/** A word counts its idf, and a substitute half of it. */
function textQuery(groups: readonly TermGroup[]) {
  const flat = flatGroups(groups);
  const weights = flat.map(({ idf }, at) => (at < groups.length ? idf : SUBSTITUTE_SHARE * idf));
  return { groups: flat, weights };
}
