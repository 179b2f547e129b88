import { FIELDS, type Field } from '../../domain/field.ts';
import type { TermTable } from './term-table.ts';

/** BM25's k1 (term frequency saturation) and b (length normalization), as in SQLite's FTS5. */
const K1 = 1.2;
const B = 0.75;
/** FTS5's idf of a term that more than half of the documents hold. */
const IDF_MIN = 1e-6;

const TYPE_BIT = 1 << FIELDS.indexOf('type');

/** A term or prefix (`term*`) to search for, and the groups it belongs to, one bit each. */
export interface Phrase {
  readonly term: string;
  readonly groups: number;
}

export interface PostingColumns {
  readonly terms: TermTable;
  /** Where the postings of each term begin, and where the last term's end. */
  readonly starts: Uint32Array;
  /** The documents that hold each term, ascending. */
  readonly documents: Uint32Array;
  /** For each posting, the code of its pair of frequency and fields. */
  readonly codes: Uint16Array;
  /** By code: the weighted frequency, and the fields (one bit each). */
  readonly frequencies: Float64Array;
  readonly fields: Uint8Array;
  /** The number of tokens in each document, over all fields. */
  readonly lengths: Uint32Array;
}

/** The statistics of the whole catalogue that BM25 needs. */
export interface Statistics {
  /** Number of documents. */
  readonly size: number;
  /** The number of tokens in all documents, over all fields. */
  readonly tokenCount: number;
  /**
   * The number of documents that hold a term or, for a prefix (`term*`), any term that begins with
   * it.
   */
  countHolders(term: string): number;
}

/** The postings in document order. */
export interface DocumentPostings
  extends Pick<PostingColumns, 'terms' | 'frequencies' | 'fields' | 'lengths'> {
  /** Where the terms of each document begin, and where the last document's end. */
  readonly starts: Uint32Array;
  /** The term numbers of each document, ascending. */
  readonly numbers: Uint32Array;
  readonly codes: Uint16Array;
}

/** Postings reordered between two pauses: about 1 ms. */
const TURNED_AT_ONCE = 32_768;

/**
 * The inverted index: which documents hold which terms. Its BM25 equals FTS5's `bm25()` with a
 * weight for each column.
 */
export class Postings {
  readonly size: number;
  readonly #columns: PostingColumns;
  /** Each document's length term in the denominator of BM25, for the average length below. */
  readonly #norms: Float64Array;
  #averageLength = Number.NaN;
  /** The score of each document in the current search; all zero between searches. */
  readonly #scores: Float64Array;
  readonly #groups: Uint32Array;
  readonly #typedGroups: Uint32Array;
  readonly #frequencies: Float64Array;
  /** The documents that the current search scored. */
  readonly touched: Uint32Array;
  touchedCount = 0;

  constructor(columns: PostingColumns) {
    this.#columns = columns;
    this.size = columns.lengths.length;
    this.#norms = new Float64Array(this.size);
    this.#scores = new Float64Array(this.size);
    this.#groups = new Uint32Array(this.size);
    this.#typedGroups = new Uint32Array(this.size);
    this.#frequencies = new Float64Array(this.size);
    this.touched = new Uint32Array(this.size);
  }

  get byteSize(): number {
    const { terms, starts, documents, codes, frequencies, fields, lengths } = this.#columns;
    const own = [
      starts,
      documents,
      codes,
      frequencies,
      fields,
      lengths,
      this.#norms,
      this.#scores,
      this.#groups,
      this.#typedGroups,
    ];
    const all = [...own, this.#frequencies, this.touched];
    return terms.byteSize + all.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  get terms(): TermTable {
    return this.#columns.terms;
  }

  /** The document frequency of the term with this number. */
  count(term: number): number {
    return this.#columns.starts[term + 1]! - this.#columns.starts[term]!;
  }

  /** The number of tokens in the documents that `hides` does not mark with a 1. */
  countTokens(hides: Uint8Array | null): number {
    const { lengths } = this.#columns;
    let tokens = 0;
    for (let document = 0; document < this.size; document++)
      if (hides === null || hides[document] === 0) tokens += lengths[document]!;
    return tokens;
  }

  /**
   * For each term, the number of documents that hold it and are not marked with a 1. Yields every
   * few milliseconds.
   */
  *countVisible(hides: Uint8Array): Generator<void, Uint32Array> {
    const { terms, starts, documents } = this.#columns;
    const counts = new Uint32Array(terms.size);
    let counted = 0;
    for (let term = 0; term < terms.size; term++) {
      const end = starts[term + 1]!;
      let hidden = 0;
      for (let at = starts[term]!; at < end; at++) hidden += hides[documents[at]!]!;
      counts[term] = end - starts[term]! - hidden;
      counted += end - starts[term]!;
      if (counted < TURNED_AT_ONCE) continue;
      counted = 0;
      yield;
    }
    return counts;
  }

  /**
   * The number of documents that hold any term beginning with `prefix` and are not marked with a 1.
   */
  countPrefix(prefix: string, hides: Uint8Array | null): number {
    const { from, to } = this.terms.range(prefix);
    const { starts, documents } = this.#columns;
    const seen = this.#frequencies;
    const found: number[] = [];
    for (let at = starts[from]!; at < starts[to]!; at++) {
      const document = documents[at]!;
      if (seen[document] !== 0 || hides?.[document] === 1) continue;
      seen[document] = 1;
      found.push(document);
    }
    for (const document of found) seen[document] = 0;
    return found.length;
  }

  /**
   * The postings in document order, for a build that copies documents. Yields every few
   * milliseconds.
   */
  *byDocument(): Generator<void, DocumentPostings> {
    const { terms, starts, documents, codes, frequencies, fields, lengths } = this.#columns;
    const total = documents.length;
    const ends = new Uint32Array(this.size + 1);
    for (let at = 0; at < total; at++) {
      ends[documents[at]! + 1]! += 1;
      if (at % TURNED_AT_ONCE === 0) yield;
    }
    for (let document = 0; document < this.size; document++) ends[document + 1]! += ends[document]!;
    const next = ends.slice();
    const numbers = new Uint32Array(total);
    const turned = new Uint16Array(total);
    for (let term = 0; term < terms.size; term++) {
      for (let at = starts[term]!; at < starts[term + 1]!; at++) {
        const place = next[documents[at]!]!++;
        numbers[place] = term;
        turned[place] = codes[at]!;
        if (at % TURNED_AT_ONCE === 0) yield;
      }
    }
    return { terms, frequencies, fields, lengths, starts: ends, numbers, codes: turned };
  }

  /** Scores every document that holds any of the phrases. Call `release` before the next call. */
  score(phrases: readonly Phrase[], statistics: Statistics): void {
    this.#weigh(statistics.tokenCount / statistics.size);
    for (const phrase of phrases) {
      const idf = inverseDocumentFrequency(statistics.countHolders(phrase.term), statistics.size);
      if (phrase.term.endsWith('*')) this.#scorePrefix(phrase, idf);
      else this.#scoreTerm(phrase, idf);
    }
  }

  /** The BM25 of a document; 0 if it holds no phrase. */
  scoreOf(document: number): number {
    return this.#scores[document]!;
  }

  /** The groups that a document holds, one bit each. */
  groupsOf(document: number): number {
    return this.#groups[document]!;
  }

  /** The groups that its type and tags hold, one bit each. */
  typedGroupsOf(document: number): number {
    return this.#typedGroups[document]!;
  }

  release(): void {
    for (let at = 0; at < this.touchedCount; at++) {
      const document = this.touched[at]!;
      this.#scores[document] = 0;
      this.#groups[document] = 0;
      this.#typedGroups[document] = 0;
    }
    this.touchedCount = 0;
  }

  /** The fields in which the document holds a term or a prefix (`term*`). */
  fieldsOf(document: number, term: string): number {
    if (!term.endsWith('*')) return this.#fieldsAt(document, this.terms.find(term));
    const { from, to } = this.terms.range(term.slice(0, -1));
    let fields = 0;
    for (let number = from; number < to; number++) fields |= this.#fieldsAt(document, number);
    return fields;
  }

  #weigh(averageLength: number): void {
    if (averageLength === this.#averageLength) return;
    this.#averageLength = averageLength;
    const { lengths } = this.#columns;
    for (let document = 0; document < this.size; document++) {
      // The order of operations is FTS5's, so that the results agree to the last bit.
      this.#norms[document] = K1 * (1 - B + (B * lengths[document]!) / averageLength);
    }
  }

  #scoreTerm({ term, groups }: Phrase, idf: number): void {
    const number = this.terms.find(term);
    if (number < 0) return;
    const { starts, documents, codes, frequencies, fields } = this.#columns;
    const norms = this.#norms;
    const scores = this.#scores;
    const matched = this.#groups;
    const typed = this.#typedGroups;
    const touched = this.touched;
    let touchedCount = this.touchedCount;
    const end = starts[number + 1]!;
    for (let at = starts[number]!; at < end; at++) {
      const document = documents[at]!;
      const code = codes[at]!;
      const frequency = frequencies[code]!;
      if ((fields[code]! & TYPE_BIT) !== 0) typed[document]! |= groups;
      if (matched[document] === 0) touched[touchedCount++] = document;
      matched[document]! |= groups;
      scores[document]! += idf * ((frequency * (K1 + 1)) / (frequency + norms[document]!));
    }
    this.touchedCount = touchedCount;
  }

  /**
   * FTS5 treats a prefix as one phrase: its frequency is the sum over all terms that begin with it.
   */
  #scorePrefix({ term, groups }: Phrase, idf: number): void {
    const { from, to } = this.terms.range(term.slice(0, -1));
    const { starts, documents, codes, frequencies, fields } = this.#columns;
    const found: number[] = [];
    for (let at = starts[from]!; at < starts[to]!; at++) {
      const document = documents[at]!;
      if (this.#frequencies[document] === 0) found.push(document);
      this.#frequencies[document]! += frequencies[codes[at]!]!;
      if ((fields[codes[at]!]! & TYPE_BIT) !== 0) this.#typedGroups[document]! |= groups;
    }
    for (const document of found) {
      const frequency = this.#frequencies[document]!;
      this.#frequencies[document] = 0;
      if (this.#groups[document] === 0) this.touched[this.touchedCount++] = document;
      this.#groups[document]! |= groups;
      this.#scores[document]! +=
        idf * ((frequency * (K1 + 1)) / (frequency + this.#norms[document]!));
    }
  }

  #fieldsAt(document: number, term: number): number {
    if (term < 0) return 0;
    const { starts, documents, codes, fields } = this.#columns;
    let from = starts[term]!;
    const end = starts[term + 1]!;
    let to = end;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (documents[middle]! < document) from = middle + 1;
      else to = middle;
    }
    return from < end && documents[from] === document ? fields[codes[from]!]! : 0;
  }
}

function inverseDocumentFrequency(count: number, size: number): number {
  const idf = Math.log((size - count + 0.5) / (count + 0.5));
  return idf <= 0 ? IDF_MIN : idf;
}

/** The fields of a set of bits, in the order of `FIELDS`. */
export function fieldsOfBits(bits: number): readonly Field[] {
  return FIELD_SETS[bits]!;
}

const FIELD_SETS: readonly (readonly Field[])[] = Array.from(
  { length: 1 << FIELDS.length },
  (_, bits) => FIELDS.filter((_, index) => (bits & (1 << index)) !== 0),
);
