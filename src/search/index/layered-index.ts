import type { TermGroup } from '../query/expand-terms.ts';
import { meanDirection } from '../vectors/vector8.ts';
import type { DocumentFacts, StoredDocuments } from './document-columns.ts';
import { type Facets, facetsOf, joinFacetCounts } from './facets.ts';
import type { FieldFinder } from './field-finder.ts';
import { FoundDocuments, type IndexSearch, joinFound } from './index-search.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Statistics } from './postings.ts';
import { compareTerms, type TermTable } from './term-table.ts';
import type { TextQuery } from './text-scores.ts';

interface TermCount {
  readonly term: string;
  readonly count: number;
}

/**
 * A catalogue as two indexes. The base holds an earlier state, with the documents that have since
 * been removed hidden; the overlay holds those that have since been added. The answers equal those
 * of one index over the visible documents, because BM25 uses the statistics of both. There is one
 * exception: in a base of more than a thousand documents, the base's mean vector decides which
 * vectors are compared exactly.
 *
 * Documents are identified by their place: first those of the base, then those of the overlay.
 */
export class LayeredIndex implements Statistics {
  /** Stands for its terms and their counts, which never change. */
  readonly vocabulary = Symbol('vocabulary');
  readonly #base: MemoryIndex;
  readonly #overlay: MemoryIndex | null;
  /** Where the places of the overlay begin. Kept, because it is read for every candidate. */
  readonly #offset: number;

  constructor(base: MemoryIndex, overlay: MemoryIndex | null = null) {
    this.#base = base;
    this.#overlay = overlay;
    this.#offset = base.placeCount;
  }

  /** Number of documents. */
  get size(): number {
    return this.#base.size + (this.#overlay?.size ?? 0);
  }

  get tokenCount(): number {
    return this.#base.tokenCount + (this.#overlay?.tokenCount ?? 0);
  }

  get byteSize(): number {
    return this.#base.byteSize + (this.#overlay?.byteSize ?? 0);
  }

  /** The base's terms: those of texts that have not changed. */
  get terms(): TermTable {
    return this.#base.terms;
  }

  countHolders(term: string): number {
    return this.#base.countHolders(term) + (this.#overlay?.countHolders(term) ?? 0);
  }

  /** The document frequency of each term; terms that no document holds are left out. */
  countDocuments(terms: readonly string[]): Map<string, number> {
    const counts = this.#base.countDocuments(terms);
    if (this.#overlay !== null)
      for (const [term, count] of this.#overlay.countDocuments(terms))
        counts.set(term, (counts.get(term) ?? 0) + count);
    return counts;
  }

  /** As `MemoryIndex.findTerms`. */
  findTerms(query: Parameters<MemoryIndex['findTerms']>[0]): TermCount[] {
    if (this.#overlay === null) return this.#base.findTerms(query);
    const { limit } = query;
    const fresh = this.#overlay
      .findTerms({ ...query, limit: Number.POSITIVE_INFINITY })
      .map(({ term, count }) => ({ term, count: count + this.#base.countHolders(term) }))
      .sort(compareCounts);
    const isFresh = new Set(fresh.map(({ term }) => term));
    // At most this many of the base's first terms are also in the overlay.
    const others = this.#base
      .findTerms({ ...query, limit: limit + fresh.length })
      .filter(({ term }) => !isFresh.has(term));
    return firstOfBoth(fresh, others, limit);
  }

  /** As `MemoryIndex.search`. */
  search(query: IndexSearch): FoundDocuments {
    if (this.#overlay === null) return this.#base.search(query);
    const base = this.#base.search(query, this);
    const added = this.#overlay.search(query, this);
    return this.#firstOf(joinFound(base, added, this.#offset), query.limit);
  }

  /**
   * What one index over both layers would find: the first `limit` by words, then those of the first
   * `limit` by vector that are not among them. `found` holds each layer's own first ones of both kinds.
   */
  #firstOf(found: FoundDocuments, limit: number): FoundDocuments {
    const words = this.#firstByWords(found, limit);
    const near = this.#firstByVector(found, limit);
    const isWord = new Uint8Array(found.length);
    const isNear = new Uint8Array(found.length);
    for (const place of words) isWord[place] = 1;
    for (const place of near) isNear[place] = 1;
    const kept = words.concat(near.filter((place) => isWord[place] === 0));
    const both = new FoundDocuments(kept.length);
    for (let at = 0; at < kept.length; at++) {
      const place = kept[at]!;
      both.copyOne(found, place, at);
      if (isWord[place] === 1) both.markWordMatch(at);
      else both.bm25[at] = 0;
      if (isNear[place] === 1) both.markVectorMatch(at);
    }
    return both;
  }

  /** Merges what each layer found by words, which stands in its order before what it found by vector alone. */
  #firstByWords(found: FoundDocuments, limit: number): number[] {
    const { bm25, documents } = found;
    const isIn = (at: number) => at < found.length && found.isWordMatch(at);
    let overlayAt = 0;
    while (overlayAt < found.length && documents[overlayAt]! < this.#offset) overlayAt += 1;
    const baseEnd = overlayAt;
    let baseAt = 0;
    const first: number[] = [];
    while (first.length < limit) {
      const hasBase = baseAt < baseEnd && isIn(baseAt);
      const hasOverlay = isIn(overlayAt);
      if (!hasBase && !hasOverlay) break;
      const isOfBase =
        hasBase &&
        (!hasOverlay ||
          bm25[baseAt]! > bm25[overlayAt]! ||
          (bm25[baseAt] === bm25[overlayAt] &&
            this.documentKey(documents[baseAt]!) < this.documentKey(documents[overlayAt]!)));
      first.push(isOfBase ? baseAt++ : overlayAt++);
    }
    return first;
  }

  #firstByVector(found: FoundDocuments, limit: number): number[] {
    const { cosines, documents } = found;
    const near: number[] = [];
    for (let at = 0; at < found.length; at++) if (found.isVectorMatch(at)) near.push(at);
    near.sort(
      (left, right) =>
        cosines[right]! - cosines[left]! ||
        this.documentKey(documents[left]!) - this.documentKey(documents[right]!),
    );
    return near.slice(0, limit);
  }

  /**
   * The cosine of each document to the mean vector of `others`; 0 for a document without a vector.
   */
  measureCommon(documents: Uint32Array, others: readonly number[]): ArrayLike<number> {
    const vectors = others.map((document) => this.#at(document).vectorOf(this.#placeIn(document)));
    const common = meanDirection(vectors.filter((vector) => vector !== null));
    if (common === null) return new Float64Array(documents.length);
    if (this.#overlay === null) return this.#base.cosinesTo(common, documents);
    return this.inLayers(
      documents,
      (places) => this.#base.cosinesTo(common, places),
      (places) => this.#overlay!.cosinesTo(common, places),
    );
  }

  /** Tells which fields of documents hold the groups: see `FieldFinder`. */
  fieldFinder(groups: readonly TermGroup[]): Pick<FieldFinder, 'find'> {
    const base = this.#base.fieldFinder(groups);
    if (this.#overlay === null) return base;
    const overlay = this.#overlay.fieldFinder(groups, base.known);
    const offset = this.#offset;
    return {
      find: (document) =>
        document < offset ? base.find(document) : overlay.find(document - offset),
    };
  }

  /**
   * The `textScores` of the documents at these places, of which the average document is one. `weights`:
   * what each group counts.
   */
  textScores(
    documents: ArrayLike<number>,
    asked: Omit<TextQuery, 'averageLength'>,
  ): ArrayLike<number> {
    let tokenCount = 0;
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place]!;
      tokenCount += this.#at(document).lengthOf(this.#placeIn(document));
    }
    const averageLength = tokenCount / documents.length;
    if (this.#overlay === null)
      return this.#base.textScores(documents, { ...asked, averageLength });
    // `held` is in the order of all documents; a layer gets only its own.
    const query = { groups: asked.groups, weights: asked.weights, averageLength };
    return this.inLayers(
      documents,
      (places) => this.#base.textScores(places, query),
      (places) => this.#overlay!.textScores(places, query),
    );
  }

  /** What is stored of the document at this place, besides its words. */
  storedOf(document: number): DocumentFacts {
    return this.#storedIn(document).factsOf(this.#placeIn(document));
  }

  documentKey(document: number): number {
    return this.#storedIn(document).documentKey(this.#placeIn(document));
  }

  itemKey(document: number): number {
    return this.#storedIn(document).itemKey(this.#placeIn(document));
  }

  /** The item's UUID. */
  id(document: number): string {
    return this.#storedIn(document).id(this.#placeIn(document));
  }

  /** As `IdList.compare`. */
  compareIds(one: number, other: number): number {
    const stored = this.#storedIn(one);
    if (stored === this.#storedIn(other))
      return stored.compareIds(this.#placeIn(one), this.#placeIn(other));
    return this.id(one) < this.id(other) ? -1 : 1;
  }

  /** As `DocumentColumns.flagsOf`. */
  flagsOf(documents: Uint32Array): ArrayLike<number> {
    if (this.#overlay === null) return this.#base.stored.flagsOf(documents);
    return this.inLayers(
      documents,
      (places) => this.#base.stored.flagsOf(places),
      (places) => this.#overlay!.stored.flagsOf(places),
    );
  }

  /** The shop's generation when the document at this place was written. */
  generation(document: number): number {
    return this.#storedIn(document).generation(this.#placeIn(document));
  }

  /** The visible ones of these documents, as a search by vector alone would find them. */
  describe(
    documentKeys: readonly number[],
    { groups, vector }: Pick<IndexSearch, 'groups' | 'vector'>,
  ): FoundDocuments {
    const layer = (index: MemoryIndex) => {
      const cosines = vector === null ? null : index.measureCosines(documentKeys, vector);
      const retrieved = documentKeys.map((documentKey) => {
        return { documentKey, bm25: 0, cosine: cosines?.get(documentKey) ?? null };
      });
      return index.describe(retrieved, groups);
    };
    const found = layer(this.#base);
    if (this.#overlay === null) return found;
    return joinFound(found, layer(this.#overlay), this.#offset);
  }

  /** Counts over the offerings among the documents at these places. */
  facets(documents: ArrayLike<number>): Facets {
    if (this.#overlay === null) return facetsOf(this.#base.countFacets(documents));
    const ofBase = new Int32Array(documents);
    const ofOverlay = new Int32Array(documents.length);
    let overlayCount = 0;
    for (let at = 0; at < ofBase.length; at++) {
      ofOverlay[at] = ofBase[at]! - this.#offset;
      if (ofOverlay[at]! < 0) continue;
      ofBase[at] = -1;
      overlayCount += 1;
    }
    const counts = this.#base.countFacets(ofBase);
    if (overlayCount === 0) return facetsOf(counts);
    return facetsOf(joinFacetCounts(counts, this.#overlay.countFacets(ofOverlay)));
  }

  /** As `MemoryIndex.lackingVectors`. */
  lackingVectors(limit: number): number[] {
    const lacking = this.#base.lackingVectors(limit);
    if (this.#overlay === null || lacking.length === limit) return lacking;
    return [...lacking, ...this.#overlay.lackingVectors(limit - lacking.length)];
  }

  /** As `MemoryIndex.setVector`. */
  setVector(documentKey: number, vector: Uint8Array | Float32Array): boolean {
    return (
      this.#base.setVector(documentKey, vector) ||
      (this.#overlay?.setVector(documentKey, vector) ?? false)
    );
  }

  /**
   * Calls each layer for its own documents, by their places in that layer, and returns the results
   * in the order asked.
   */
  inLayers<Value>(
    documents: ArrayLike<number>,
    ofBase: (places: Uint32Array) => ArrayLike<Value>,
    ofOverlay: (places: Uint32Array) => ArrayLike<Value>,
  ): Value[] {
    const offset = this.#offset;
    let baseCount = 0;
    for (let at = 0; at < documents.length; at++) if (documents[at]! < offset) baseCount += 1;
    const basePlaces = new Uint32Array(baseCount);
    const overlayPlaces = new Uint32Array(documents.length - baseCount);
    let [baseAt, overlayAt] = [0, 0];
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!;
      if (document < offset) basePlaces[baseAt++] = document;
      else overlayPlaces[overlayAt++] = document - offset;
    }
    const base = ofBase(basePlaces);
    const overlay = ofOverlay(overlayPlaces);
    const values = new Array<Value>(documents.length);
    [baseAt, overlayAt] = [0, 0];
    for (let at = 0; at < documents.length; at++)
      values[at] = documents[at]! < offset ? base[baseAt++]! : overlay[overlayAt++]!;
    return values;
  }

  #storedIn(document: number): StoredDocuments {
    return this.#at(document).stored;
  }

  #at(document: number): MemoryIndex {
    return document < this.#offset ? this.#base : this.#overlay!;
  }

  #placeIn(document: number): number {
    return document < this.#offset ? document : document - this.#offset;
  }
}

/** The most frequent first, ties in the order of their bytes. */
function compareCounts(left: TermCount, right: TermCount): number {
  return right.count - left.count || compareTerms(left.term, right.term);
}

/** The first `limit` of two sorted lists. */
function firstOfBoth(
  one: readonly TermCount[],
  other: readonly TermCount[],
  limit: number,
): TermCount[] {
  const first: TermCount[] = [];
  let [oneAt, otherAt] = [0, 0];
  while (first.length < limit && (oneAt < one.length || otherAt < other.length)) {
    const takesOne =
      otherAt >= other.length ||
      (oneAt < one.length && compareCounts(one[oneAt]!, other[otherAt]!) <= 0);
    first.push(takesOne ? one[oneAt++]! : other[otherAt++]!);
  }
  return first;
}
