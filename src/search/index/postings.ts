import { FIELDS, type Field } from '../../domain/field.ts';
import type { TermTable } from './term-table.ts';

/** BM25's constants as SQLite's FTS5 has them: saturation of a term's frequency, share of the length's influence. */
const K1 = 1.2;
const B = 0.75;
/** FTS5's weight of a term that more than half of the documents hold. */
const IDF_MIN = 1e-6;

const TYPE_BIT = 1 << FIELDS.indexOf('type');

/** What is searched for: a term or, with `*` at its end, all that begin so; and the groups it stands for, a bit each. */
export interface Phrase {
  readonly term: string;
  readonly groups: number;
}

export interface PostingColumns {
  readonly terms: TermTable;
  /** Where each term's documents begin, and where the last one's end. */
  readonly starts: Uint32Array;
  /** Documents of each term, ascending. */
  readonly documents: Uint32Array;
  /** For each of those, which pair of frequency and fields. */
  readonly codes: Uint16Array;
  /** Weighted frequency and fields (a bit each) by code. */
  readonly frequencies: Float64Array;
  readonly fields: Uint8Array;
  /** Tokens of each document, all fields together. */
  readonly lengths: Uint32Array;
}

/** What BM25 has to know of the whole catalogue. */
export interface Statistics {
  /** Number of documents. */
  readonly size: number;
  /** Tokens of all documents, all fields together. */
  readonly tokenCount: number;
  /** Documents that hold a term or, with `*` at its end, any that begins so. */
  countHolders(term: string): number;
}

/** The same in the order of documents. */
export interface DocumentPostings
  extends Pick<PostingColumns, 'terms' | 'frequencies' | 'fields' | 'lengths'> {
  /** Where each document's terms begin, and where the last one's end. */
  readonly starts: Uint32Array;
  /** Numbers of each document's terms, ascending. */
  readonly numbers: Uint32Array;
  readonly codes: Uint16Array;
}

/** Postings turned round between two pauses: about 1 ms. */
const TURNED_AT_ONCE = 32_768;

/** Which documents hold which terms, and their BM25, equal to FTS5's `bm25()` with a weight for each column. */
export class Postings {
  readonly size: number;
  readonly #columns: PostingColumns;
  /** What a document's length adds to the frequency in BM25's denominator, by the average length below. */
  readonly #norms: Float64Array;
  #averageLength = Number.NaN;
  /** Of the present search, for each document; all zero between two. */
  readonly #scores: Float64Array;
  readonly #groups: Uint32Array;
  readonly #typedGroups: Uint32Array;
  readonly #frequencies: Float64Array;
  /** Documents that the present search touched. */
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

  /** Documents that hold the term of this number. */
  count(term: number): number {
    return this.#columns.starts[term + 1]! - this.#columns.starts[term]!;
  }

  /** Tokens of the documents that `hides` does not mark with a 1. */
  countTokens(hides: Uint8Array | null): number {
    const { lengths } = this.#columns;
    let tokens = 0;
    for (let document = 0; document < this.size; document++)
      if (hides === null || hides[document] === 0) tokens += lengths[document]!;
    return tokens;
  }

  /** For each term the documents that hold it and are not marked with a 1. Yields every few milliseconds. */
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

  /** Documents that hold any term beginning with `prefix` and are not marked with a 1. */
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

  /** Turned round, for a build that takes documents over. Yields every few milliseconds. */
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

  /** Scores every document that holds any of the phrases. `release` before the next call. */
  score(phrases: readonly Phrase[], statistics: Statistics): void {
    this.#weigh(statistics.tokenCount / statistics.size);
    for (const phrase of phrases) {
      const idf = inverseDocumentFrequency(statistics.countHolders(phrase.term), statistics.size);
      if (phrase.term.endsWith('*')) this.#scorePrefix(phrase, idf);
      else this.#scoreTerm(phrase, idf);
    }
  }

  /** BM25 of a document, 0 if it holds no phrase. */
  scoreOf(document: number): number {
    return this.#scores[document]!;
  }

  /** The groups that a document holds, a bit each. */
  groupsOf(document: number): number {
    return this.#groups[document]!;
  }

  /** Those that its type and tags hold. */
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
      // The order of operations is FTS5's, so that the last bit is too.
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

  /** FTS5 takes a prefix for one phrase: its frequency is that of all terms that begin so. */
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
