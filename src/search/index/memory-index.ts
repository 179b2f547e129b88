import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import type { DocumentColumns, IndexScope } from './document-columns.ts';
import type { Facets } from './facets.ts';
import { type DocumentPostings, fieldsOfBits, type Phrase, type Postings } from './postings.ts';
import type { TermTable } from './term-table.ts';
import { TopDocuments } from './top-documents.ts';
import type { VectorKernel } from './vector-kernel.ts';
import { quantiseVector8, readVector8 } from './vector8.ts';

/** Groups that the bits of a number can tell apart; a question has no more terms. */
const GROUPS_MAX = 32;

export interface IndexedWordMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  readonly bm25: number;
}

export interface IndexedMeaningMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  readonly cosine: number;
}

/** A document that a question brought up, with everything that ranks it. */
export interface IndexCandidate {
  /** Its place in this index, for `fieldsOfGroups` and `facets`. */
  readonly document: number;
  readonly documentKey: number;
  readonly itemKey: number;
  /** The item's UUID. */
  readonly id: string;
  readonly isContext: boolean;
  readonly available: boolean;
  /** 0 where it holds no word of the question. */
  readonly bm25: number;
  /** Null without a question vector, or without one of the document. */
  readonly cosine: number | null;
  /** Bit i: it holds group i of the question. */
  readonly groups: number;
  /** The same of its type and tags. */
  readonly typedGroups: number;
  /** Whether it is among the first `limit` by words, and by meaning. */
  readonly isWordMatch: boolean;
  readonly isMeaningMatch: boolean;
}

export interface IndexSearch {
  readonly groups: readonly TermGroup[];
  /** The question's meaning; null: words alone. */
  readonly vector: Float32Array | null;
  readonly scope: IndexScope;
  /** Candidates by words, and by meaning, at most. */
  readonly limit: number;
}

/** An index as a build takes it apart. */
export interface UnfoldedIndex {
  readonly columns: DocumentColumns;
  readonly postings: DocumentPostings;
  readonly vectors: VectorKernel | null;
}

/**
 * Everything that is searched of one organization, in memory: words with the scores of SQLite's
 * FTS5, meaning with the cosines of libSQL's `vector8`, and what ranking and facets need. Made by
 * MemoryIndexBuilder. One search at a time: its working memory is its own and used again.
 */
export class MemoryIndex {
  readonly #columns: DocumentColumns;
  readonly #postings: Postings;
  readonly #vectors: VectorKernel | null;

  constructor(columns: DocumentColumns, postings: Postings, vectors: VectorKernel | null) {
    this.#columns = columns;
    this.#postings = postings;
    this.#vectors = vectors;
  }

  /** Number of documents. */
  get size(): number {
    return this.#columns.size;
  }

  /** Bytes that are free once the index is dropped: arrays and vectors exactly, strings about. */
  get byteSize(): number {
    return this.#columns.byteSize + this.#postings.byteSize + (this.#vectors?.byteSize ?? 0);
  }

  get terms(): TermTable {
    return this.#postings.terms;
  }

  /** How many documents hold each of the terms; those that none holds are missing. */
  countDocuments(terms: readonly string[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const term of terms) {
      const number = this.#postings.terms.find(term);
      if (number >= 0) counts.set(term, this.#postings.count(number));
    }
    return counts;
  }

  /** Terms that begin with `prefix` and have a length in the range, the most frequent first, ties in the order of their bytes. */
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
      if (length >= query.lengthMin && length <= query.lengthMax) found.push(number);
    }
    // One number to sort by: whole and exact, since counts and numbers have 32 bits at most and stay far below.
    const keys = Float64Array.from(
      found,
      (number) => (this.size - this.#postings.count(number)) * terms.size + number,
    );
    return [...keys.sort().subarray(0, query.limit)].map((key) => {
      const number = key % terms.size;
      return { term: terms.term(number), count: this.#postings.count(number) };
    });
  }

  /** The documents in scope that hold any word of the groups, best BM25 first, ties by key. */
  matchWords({ groups, scope, limit }: Omit<IndexSearch, 'vector'>): IndexedWordMatch[] {
    const filter = this.#columns.filter(scope);
    this.#postings.score(phrasesOf(groups));
    const matches = this.#bestByWords(filter?.allows ?? null, limit).map(({ index, score }) => ({
      ...this.#keys(index),
      bm25: score,
    }));
    this.#postings.release();
    return matches;
  }

  /** The documents in scope that are nearest in meaning, nearest first, ties by key. */
  matchMeaning({
    vector,
    scope,
    limit,
  }: {
    vector: Float32Array;
    scope: IndexScope;
    limit: number;
  }): IndexedMeaningMatch[] {
    if (!this.#ask(vector)) return [];
    return this.#bestByMeaning(this.#columns.filter(scope), limit).map(({ index, score }) => ({
      ...this.#keys(index),
      cosine: score,
    }));
  }

  /** How near the given documents are; one without a vector is missing from the map. */
  measureMeaning(documentKeys: readonly number[], vector: Float32Array): Map<number, number> {
    const documents = [...new Set(documentKeys)]
      .map((key) => this.#columns.find(key))
      .filter((document) => document >= 0);
    if (!this.#ask(vector)) return new Map();
    const cosines = this.#measure(documents);
    return new Map(
      documents.flatMap((document, place) => {
        const cosine = cosines[place] ?? null;
        return cosine === null ? [] : [[this.#columns.documentKey(document), cosine] as const];
      }),
    );
  }

  /** How near documents are to what others have in common, both by their places; 0 where there is no vector. */
  measureCommon(documents: readonly number[], others: readonly number[]): Float64Array {
    const cosines = new Float64Array(documents.length);
    const common = this.#vectors?.common(others) ?? null;
    if (common === null || !this.#ask(common)) return cosines;
    this.#vectors!.measure(documents);
    for (let place = 0; place < documents.length; place++)
      cosines[place] = this.#vectors!.cosine(place) || 0;
    return cosines;
  }

  /** Keys of documents without a vector, the first `limit`; none where there is no embedding model. */
  lackingVectors(limit: number): number[] {
    const documents = this.#vectors?.lacking(limit) ?? [];
    return documents.map((document) => this.#columns.documentKey(document));
  }

  /** Gives a document the vector that it lacked. False for a document or a length of vector that is not known here. */
  setVector(documentKey: number, vector: Uint8Array | Float32Array): boolean {
    const document = this.#columns.find(documentKey);
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
   * The first `limit` by words, best first, then those of the first `limit` by meaning that are not
   * among them, nearest first. Each with its BM25, its cosine and its groups, whichever way it was
   * found. `wordMatchCount`: documents in scope that hold any word.
   */
  search({ groups, vector, scope, limit }: IndexSearch): {
    candidates: IndexCandidate[];
    wordMatchCount: number;
  } {
    const filter = this.#columns.filter(scope);
    const hasMeaning = vector !== null && this.#ask(vector);
    this.#postings.score(phrasesOf(groups));
    const words = this.#bestByWords(filter?.allows ?? null, limit);
    const wordMatchCount = this.#countTouched(filter?.allows ?? null);
    const near = new Map<number, number>();
    if (hasMeaning)
      for (const { index, score } of this.#bestByMeaning(filter, limit)) near.set(index, score);
    const missing = words.filter(({ index }) => !near.has(index)).map(({ index }) => index);
    const cosines = hasMeaning ? this.#measure(missing) : [];
    const measured = new Map(missing.map((document, place) => [document, cosines[place] ?? null]));
    const candidates = words.map(({ index }) => {
      const cosine = near.get(index);
      const isMeaningMatch = cosine !== undefined;
      return this.#candidate(index, {
        cosine: cosine ?? measured.get(index) ?? null,
        isWordMatch: true,
        isMeaningMatch,
      });
    });
    for (const { index } of words) near.delete(index);
    for (const [index, cosine] of near)
      candidates.push(this.#candidate(index, { cosine, isWordMatch: false, isMeaningMatch: true }));
    this.#postings.release();
    return { candidates, wordMatchCount };
  }

  /**
   * For each group the fields of the document that hold it: `matchFields` of match.ts over the
   * document's texts.
   */
  fieldsOfGroups(document: number, groups: readonly TermGroup[]): (readonly Field[])[] {
    return groups.map(({ alternatives }) => {
      let fields = 0;
      for (const alternative of alternatives)
        fields |= this.#postings.fieldsOf(document, alternative);
      return fieldsOfBits(fields);
    });
  }

  /** What a build takes over from here. Yields every few milliseconds. */
  *unfold(): Generator<void, UnfoldedIndex> {
    const postings = yield* this.#postings.byDocument();
    return { columns: this.#columns, postings, vectors: this.#vectors };
  }

  /** The place of a document that came to be at this generation of its shop, -1 if it is not here. */
  find(documentKey: number, generation: number): number {
    const document = this.#columns.find(documentKey);
    return document >= 0 && this.#columns.generation(document) === generation ? document : -1;
  }

  /** Counts over these documents, which are places in this index: `countFacets` over their items. */
  facets(documents: readonly number[]): Facets {
    return this.#columns.facets(documents);
  }

  #bestByWords(
    allows: ((document: number) => boolean) | null,
    limit: number,
  ): { index: number; score: number }[] {
    const postings = this.#postings;
    const { touched, touchedCount } = postings;
    const best = new TopDocuments(Math.min(limit, touchedCount));
    if (best.capacity === 0) return [];
    for (let at = 0; at < touchedCount; at++) {
      const document = touched[at]!;
      if (allows === null || allows(document)) best.offer(document, postings.scoreOf(document));
    }
    return best.take();
  }

  #countTouched(allows: ((document: number) => boolean) | null): number {
    const { touched, touchedCount } = this.#postings;
    if (allows === null) return touchedCount;
    let count = 0;
    for (let at = 0; at < touchedCount; at++) if (allows(touched[at]!)) count += 1;
    return count;
  }

  #ask(vector: Float32Array): boolean {
    return (
      this.#vectors !== null &&
      vector.length === this.#vectors.dimensions &&
      this.#vectors.ask(quantiseVector8(vector))
    );
  }

  #bestByMeaning(
    filter: ReturnType<DocumentColumns['filter']>,
    limit: number,
  ): { index: number; score: number }[] {
    const vectors = this.#vectors;
    if (vectors === null || limit === 0) return [];
    vectors.narrow(filter?.key ?? '', filter?.allows ?? everything);
    const count = vectors.search(limit);
    const best = new TopDocuments(limit);
    for (let place = 0; place < count; place++)
      best.offer(vectors.list[place]!, vectors.cosine(place));
    return best.take();
  }

  #measure(documents: readonly number[]): (number | null)[] {
    const vectors = this.#vectors;
    if (vectors === null) return documents.map(() => null);
    vectors.measure(documents);
    return documents.map((_, place) => {
      const cosine = vectors.cosine(place);
      return Number.isNaN(cosine) ? null : cosine;
    });
  }

  #keys(document: number): { documentKey: number; itemKey: number } {
    return {
      documentKey: this.#columns.documentKey(document),
      itemKey: this.#columns.itemKey(document),
    };
  }

  #candidate(
    document: number,
    found: Pick<IndexCandidate, 'cosine' | 'isWordMatch' | 'isMeaningMatch'>,
  ): IndexCandidate {
    return {
      document,
      documentKey: this.#columns.documentKey(document),
      itemKey: this.#columns.itemKey(document),
      id: this.#columns.id(document),
      isContext: !this.#columns.isProduct(document),
      available: this.#columns.isAvailable(document),
      bm25: this.#postings.scoreOf(document),
      groups: this.#postings.groupsOf(document),
      typedGroups: this.#postings.typedGroupsOf(document),
      cosine: found.cosine,
      isWordMatch: found.isWordMatch,
      isMeaningMatch: found.isMeaningMatch,
    };
  }
}

function everything(): boolean {
  return true;
}

/** The distinct alternatives in the order of the groups, each with the groups that it stands for. */
function phrasesOf(groups: readonly TermGroup[]): Phrase[] {
  if (groups.length > GROUPS_MAX) throw new RangeError(`at most ${GROUPS_MAX} groups`);
  const bits = new Map<string, number>();
  for (const [index, { alternatives }] of groups.entries()) {
    for (const term of alternatives) bits.set(term, (bits.get(term) ?? 0) | (1 << index));
  }
  return [...bits].map(([term, matched]) => ({ term, groups: matched }));
}
