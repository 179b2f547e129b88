import type { TermGroup } from '../query/expand-terms.ts';
import { VectorKernel } from '../vectors/vector-kernel.ts';
import { quantiseVector8, readVector8, type Vector8 } from '../vectors/vector8.ts';
import { moveMatches } from './best-matches.ts';
import {
  DocumentColumns,
  type DocumentFilter,
  type IndexScope,
  type StoredDocuments,
} from './document-columns.ts';
import type { FacetCounts } from './facets.ts';
import { FieldFinder, KnownFields } from './field-finder.ts';
import {
  FoundDocuments,
  type Hidden,
  type IndexSearch,
  phrasesOf,
  placesOf,
  type RetrievedDocument,
} from './index-search.ts';
import type { Packing, Unpacking } from './packing.ts';
import { type DocumentPostings, Postings, type Statistics } from './postings.ts';
import type { TermTable } from './term-table.ts';
import { type TextQuery, textScores } from './text-scores.ts';
import { TopDocuments } from './top-documents.ts';

/** An index in document order, from which a build copies documents. */
export interface UnfoldedIndex {
  readonly columns: DocumentColumns;
  readonly postings: DocumentPostings;
  readonly vectors: VectorKernel | null;
}

/**
 * The search index of one organization, in memory: words scored as SQLite's FTS5 scores them,
 * quantised vectors with the cosines of libSQL's `vector8`, and the data for ranking and facets.
 * Searches share working memory, so each is one synchronous call.
 */
export class MemoryIndex implements Statistics {
  /** The number of tokens in all visible documents. */
  readonly tokenCount: number;
  readonly #columns: DocumentColumns;
  readonly #postings: Postings;
  readonly #vectors: VectorKernel | null;
  readonly #hidden: Hidden | null;

  constructor(
    columns: DocumentColumns,
    postings: Postings,
    vectors: VectorKernel | null,
    hidden: Hidden | null = null,
  ) {
    this.#columns = columns;
    this.#postings = postings;
    this.#vectors = vectors;
    this.#hidden = hidden;
    this.tokenCount = postings.countTokens(hidden?.marks ?? null);
  }

  /** Packs every document, hidden or not. */
  pack(to: Packing): void {
    this.#columns.pack(to);
    this.#postings.pack(to);
    to.add(Uint8Array.of(this.#vectors === null ? 0 : 1));
    this.#vectors?.pack(to);
  }

  /** Yields every few milliseconds. */
  static *unpack(from: Unpacking): Generator<void, MemoryIndex> {
    const columns = yield* DocumentColumns.unpack(from);
    const postings = Postings.unpack(from);
    const hasVectors = from.take(Uint8Array)[0] === 1;
    return new MemoryIndex(columns, postings, hasVectors ? yield* VectorKernel.unpack(from) : null);
  }

  /** The same index, sharing its memory, with exactly these places hidden. Yields every few ms. */
  *hiding(places: ArrayLike<number>): Generator<void, MemoryIndex> {
    if (places.length === 0) return new MemoryIndex(this.#columns, this.#postings, this.#vectors);
    const marks = new Uint8Array(this.placeCount);
    for (let at = 0; at < places.length; at++) marks[places[at]!] = 1;
    const visibleCounts = yield* this.#postings.countVisible(marks);
    const hidden = { marks, count: places.length, visibleCounts };
    return new MemoryIndex(this.#columns, this.#postings, this.#vectors, hidden);
  }

  /** The same index, sharing its memory, with other vectors: a row for each place, sealed. */
  withVectors(vectors: VectorKernel | null): MemoryIndex {
    return new MemoryIndex(this.#columns, this.#postings, vectors, this.#hidden);
  }

  /** The key of the document at this place, hidden or not. */
  documentKey(document: number): number {
    return this.#columns.documentKey(document);
  }

  /** Number of visible documents. */
  get size(): number {
    return this.placeCount - (this.#hidden?.count ?? 0);
  }

  /** Number of documents, including hidden ones. */
  get placeCount(): number {
    return this.#columns.size;
  }

  /** Bytes that dropping the index frees: exact for arrays and vectors, estimated for strings. */
  get byteSize(): number {
    return this.#columns.byteSize + this.#postings.byteSize + (this.#vectors?.byteSize ?? 0);
  }

  get terms(): TermTable {
    return this.#postings.terms;
  }

  /** The document frequency of each term; terms that no document holds are left out. */
  countDocuments(terms: readonly string[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const term of terms) {
      const count = this.#countTerm(this.#postings.terms.find(term));
      if (count > 0) counts.set(term, count);
    }
    return counts;
  }

  /** The number of visible documents that hold a term, or a term with that prefix (`term*`). */
  countHolders(term: string): number {
    return term.endsWith('*')
      ? this.#postings.countPrefix(term.slice(0, -1), this.#hidden?.marks ?? null)
      : this.#countTerm(this.#postings.terms.find(term));
  }

  /** Terms with that prefix and a length in the range: most frequent first, ties in byte order. */
  findTerms(query: {
    prefix: string;
    lengthMin: number;
    lengthMax: number;
    limit: number;
  }): { term: string; count: number }[] {
    const { terms } = this.#postings;
    const { from, to } =
      query.prefix === '' ? { from: 0, to: terms.size } : terms.range(query.prefix);
    const found: number[] = [];
    for (let number = from; number < to; number++) {
      const length = terms.length(number);
      if (length < query.lengthMin || length > query.lengthMax) continue;
      if (this.#countTerm(number) > 0) found.push(number);
    }
    // One sort key, an exact integer: counts and term numbers are both far below 32 bits.
    const keys = Float64Array.from(
      found,
      (number) => (this.size - this.#countTerm(number)) * terms.size + number,
    );
    return [...keys.sort().subarray(0, query.limit)].map((key) => {
      const number = key % terms.size;
      return { term: terms.term(number), count: this.#countTerm(number) };
    });
  }

  /** The cosines of the given documents; documents without a vector are left out. */
  measureCosines(documentKeys: readonly number[], vector: Float32Array): Map<number, number> {
    const documents = [...new Set(documentKeys)]
      .map((key) => this.#columns.find(key))
      .filter((document) => document >= 0);
    const found = new Map<number, number>();
    if (!this.#ask(vector)) return found;
    this.#vectors!.measure(documents);
    for (const [at, document] of documents.entries()) {
      const cosine = this.#vectors!.cosine(at);
      if (!Number.isNaN(cosine)) found.set(this.#columns.documentKey(document), cosine);
    }
    return found;
  }

  /** The vector of the document at this place; null if it has none. */
  vectorOf(document: number): Vector8 | null {
    return this.#vectors?.vectorOf(document) ?? null;
  }

  /** The cosines of the documents at these places to a vector; 0 for a document without one. */
  cosinesTo(vector: Float32Array, documents: ArrayLike<number>): Float64Array {
    const cosines = new Float64Array(documents.length);
    if (!this.#ask(vector)) return cosines;
    this.#vectors!.measure(documents);
    for (let place = 0; place < documents.length; place++)
      cosines[place] = this.#vectors!.cosine(place) || 0;
    return cosines;
  }

  /** Whether `orderVectors` makes searches faster. */
  get isDisordered(): boolean {
    return this.#vectors?.isDisordered ?? false;
  }

  /** As `VectorKernel.order`. */
  *orderVectors(): Generator<void, void> {
    if (this.#vectors !== null) yield* this.#vectors.order();
  }

  /** Keys of the first `limit` visible documents without a vector; none without a model. */
  lackingVectors(limit: number): number[] {
    const marks = this.#hidden?.marks;
    const documents = this.#vectors?.lacking(limit, (document) => marks?.[document] !== 1) ?? [];
    return documents.map((document) => this.#columns.documentKey(document));
  }

  /** Sets a document's vector. False if the document is missing or the length does not match. */
  setVector(documentKey: number, vector: Uint8Array | Float32Array): boolean {
    const document = this.#findVisible(documentKey);
    if (document < 0 || this.#vectors === null) return false;
    const isBlob = vector instanceof Uint8Array;
    if (!isBlob && vector.length !== this.#vectors.dimensions) return false;
    const quantised = isBlob
      ? readVector8(vector, this.#vectors.dimensions)
      : quantiseVector8(vector);
    if (quantised === null) return false;
    this.#vectors.replace(document, quantised);
    return true;
  }

  /**
   * The first `limit` by words, best first, then those of the first `limit` by vector that are not
   * among them, nearest first. Each comes with its cosine and groups, whichever way it was found.
   * `statistics`: those of the whole catalogue.
   */
  search(
    { groups, vector, scope, limit }: IndexSearch,
    statistics: Statistics = this,
  ): FoundDocuments {
    const filter = this.#filter(scope);
    const hasVector = vector !== null && this.#ask(vector);
    const search = this.#postings.open(phrasesOf(groups), statistics);
    const words = search.best(limit, filter?.allows ?? null);
    const wordCount = words.size;
    const near = this.#nearest(filter, hasVector ? limit : 0);
    const found = moveMatches(words, near, this.placeCount);
    if (hasVector) this.#measure(found, wordCount);
    search.addGroups(found, wordCount);
    return found;
  }

  /** Adds this index's data to documents retrieved elsewhere. Leaves out those it lacks or hides. */
  describe(retrieved: readonly RetrievedDocument[], groups: readonly TermGroup[]): FoundDocuments {
    const places = retrieved.map(({ documentKey }) => this.#findVisible(documentKey));
    const visible = retrieved.filter((_, at) => places[at]! >= 0);
    const found = new FoundDocuments(visible.length);
    found.documents.set(places.filter((place) => place >= 0));
    for (const [at, { bm25, cosine }] of visible.entries()) {
      found.bm25[at] = bm25;
      found.cosines[at] = cosine ?? Number.NaN;
    }
    this.#postings.open(phrasesOf(groups), this).addGroups(found, 0);
    return found;
  }

  /** Tells which fields of documents hold the groups. `known`: see `FieldFinder`. */
  fieldFinder(groups: readonly TermGroup[], known = new KnownFields()): FieldFinder {
    return new FieldFinder(this.#postings, groups, known);
  }

  /** As `textScores`. */
  textScores(documents: ArrayLike<number>, query: TextQuery): Float64Array {
    return textScores(this.#postings, documents, query);
  }

  /** The number of tokens of the document at this place. */
  lengthOf(document: number): number {
    return this.#postings.lengthOf(document);
  }

  /** The index in document order, for a build that copies from it. Yields every few ms. */
  *unfold(): Generator<void, UnfoldedIndex> {
    const postings = yield* this.#postings.byDocument();
    return { columns: this.#columns, postings, vectors: this.#vectors };
  }

  /** Replaces the price and availability of the document at this place. */
  setOffer(document: number, offer: Parameters<DocumentColumns['setOffer']>[1]): void {
    this.#columns.setOffer(document, offer);
  }

  /** The place of the document with this key and generation, hidden or not; -1 if there is none. */
  find(documentKey: number, generation: number): number {
    const document = this.#columns.find(documentKey);
    return document >= 0 && this.#columns.generation(document) === generation ? document : -1;
  }

  /** The document at this place; null if it is hidden. */
  visibleAt(document: number): { documentKey: number; generation: number } | null {
    return this.#hidden?.marks[document] === 1 ? null : this.#columns.versionOf(document);
  }

  /** The places of hidden documents, ascending. */
  hiddenPlaces(): Uint32Array {
    return placesOf(this.#hidden);
  }

  /** What is stored of documents besides their words, by their places. */
  get stored(): StoredDocuments {
    return this.#columns;
  }

  /** Counts over the documents at these places, for `facetsOf`. Negative places are ignored. */
  countFacets(documents: ArrayLike<number>): FacetCounts {
    return this.#columns.countFacets(documents);
  }

  #findVisible(documentKey: number): number {
    const document = this.#columns.find(documentKey);
    return this.#hidden?.marks[document] === 1 ? -1 : document;
  }

  #countTerm(term: number): number {
    if (term < 0) return 0;
    return this.#hidden === null ? this.#postings.count(term) : this.#hidden.visibleCounts[term]!;
  }

  /** Null if every document is visible and in scope. */
  #filter(scope: IndexScope): DocumentFilter | null {
    const filter = this.#columns.filter(scope);
    if (this.#hidden === null) return filter;
    const { marks } = this.#hidden;
    return {
      key: filter?.key ?? '',
      hides: marks,
      allows: (document) => marks[document] === 0 && (filter?.allows(document) ?? true),
    };
  }

  #ask(vector: Float32Array): boolean {
    return (
      this.#vectors !== null &&
      vector.length === this.#vectors.dimensions &&
      this.#vectors.ask(quantiseVector8(vector))
    );
  }

  #nearest(filter: DocumentFilter | null, limit: number): TopDocuments {
    const best = new TopDocuments(limit);
    const vectors = this.#vectors;
    if (vectors === null || limit === 0) return best;
    vectors.narrow(filter ?? EVERYTHING);
    const count = vectors.search(limit);
    for (let place = 0; place < count; place++)
      best.offer(vectors.list[place]!, vectors.cosine(place));
    return best;
  }

  /** Fills in the cosines of the first `count` documents. */
  #measure({ documents, cosines }: FoundDocuments, count: number): void {
    this.#vectors!.measure(documents.slice(0, count));
    for (let at = 0; at < count; at++) cosines[at] = this.#vectors!.cosine(at);
  }
}

const EVERYTHING: DocumentFilter = { key: '', hides: null, allows: () => true };
