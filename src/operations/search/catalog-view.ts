import type { Facets } from '../../search/index/facets.ts';
import type { ExcludeConstraint } from '../../search/query/constraints.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import type { Candidate } from '../../search/ranking/rank.ts';
import type { FieldMatches, Highlight } from '../../search/results/match.ts';
import type { EmbeddingModel } from './meaning.ts';
import type { ShownDocument } from './shown-documents.ts';

/** What a search asks of the catalogue in its scope. */
export interface CatalogView {
  /** Number of documents, the scale of `countDocuments`. */
  countAllDocuments(): Promise<number>;
  /** How many documents hold each of the terms; those that none holds are missing from the map. */
  countDocuments(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Terms that begin with `prefix` and have a length in the range, the most frequent first. */
  findTerms(
    query: TermQuery,
  ): Promise<readonly { readonly term: string; readonly count: number }[]>;
  /** The documents that match by words or meaning, each once, in no order. */
  retrieve(query: RetrieveQuery): Promise<Retrieved>;
}

export interface TermQuery {
  readonly prefix: string;
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly limit: number;
}

export interface RetrieveQuery {
  /** Retrieved by their `flatGroups`; a candidate's `matched` are their `sharesOf`. */
  readonly groups: readonly TermGroup[];
  /** Place of the group that names the thing asked for; -1 without groups. */
  readonly headGroup: number;
  /** What is not wanted: a candidate's `presences` are those of `exclusionGroups`. Brings no candidate. */
  readonly exclusions: readonly ExcludeConstraint[];
  /** Null: words alone. */
  readonly meaning: { readonly model: EmbeddingModel; readonly vector: Float32Array } | null;
  /** Candidates that words and meaning bring each. */
  readonly limit: number;
}

/** A candidate with what an answer shows of it. */
export interface ShownCandidate {
  readonly document: ShownDocument;
  readonly highlights: readonly Highlight[];
  /** Which of the groups stand in which fields. */
  readonly matches: FieldMatches;
}

export interface Retrieved {
  readonly candidates: readonly Candidate[];
  /** Whether there may be more: a retriever stopped at its limit. */
  readonly isCut: boolean;
  /** The cosine of each candidate, in order, to what these have in common; 0 for one without a vector. */
  measureCommon(best: readonly Candidate[]): Promise<ArrayLike<number>>;
  /** In order; null for a candidate that an import took away meanwhile. */
  show(candidates: readonly Candidate[]): Promise<readonly (ShownCandidate | null)[]>;
  facets(candidates: readonly Candidate[]): Facets;
}
