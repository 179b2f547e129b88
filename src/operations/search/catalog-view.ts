import type { FoundDocuments } from '../../search/index/index-search.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import type { EmbeddingModel } from '../indexes/embeddings.ts';
import type { SearchableLayers } from '../indexes/layers.ts';
import type { DocumentKeys, ReadableDocument } from '../indexes/shown-documents.ts';

/** What a search asks of the catalogue in its scope. Counts are those of the organization's whole catalogue. */
export interface CatalogView {
  /** The model of the vectors that it compares; null if it holds none, or none is known yet. */
  readonly modelKey: number | null;
  /** Equal as long as the terms and all counts are the same; null if that is not known. */
  readonly vocabulary: symbol | null;
  /** Number of documents, the scale of `countDocuments`. */
  countAllDocuments(): Promise<number>;
  /** How many documents hold each of the terms; those that none holds are missing from the map. */
  countDocuments(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Terms that begin with `prefix` and have a length in the range, the most frequent first. */
  findTerms(
    query: TermQuery,
  ): Promise<readonly { readonly term: string; readonly count: number }[]>;
  /** The documents that match by words or by vector, each once, unordered. */
  retrieve(query: RetrieveQuery): Promise<Retrieved>;
}

export interface TermQuery {
  readonly prefix: string;
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly limit: number;
}

export interface RetrieveQuery {
  /** The groups to search for, at most 32. */
  readonly groups: readonly TermGroup[];
  /** Keys of documents that are retrieved whatever they match. */
  readonly pinned: readonly number[];
  /** Groups to look up in the retrieved documents; they retrieve none themselves. */
  readonly lookups: readonly TermGroup[];
  /** Null: search by words alone. */
  readonly embedding: { readonly model: EmbeddingModel; readonly vector: Float32Array } | null;
  /** The most documents by words, and the most by vector. */
  readonly limit: number;
}

export interface Retrieved {
  /** Scored with the statistics of the whole catalogue. */
  readonly documents: FoundDocuments;
  /**
   * The data that ranks and explains them, by their places. It may hold only these documents and
   * the question's terms.
   */
  readonly parts: SearchableLayers;
  /** Whether there may be more, because a retriever reached its limit. */
  readonly isCut: boolean;
  /**
   * The cosine of each document, in order, to the mean vector of those at the places `best`; 0 for a
   * document without a vector.
   */
  measureCommon(best: readonly number[]): Promise<ArrayLike<number>>;
  /** In order; null for a document that an import has removed meanwhile. */
  findShown(
    documents: readonly (DocumentKeys & { readonly document: number })[],
  ): Promise<readonly (ReadableDocument | null)[]>;
}
