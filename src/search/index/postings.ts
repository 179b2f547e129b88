import { FIELDS, type Field } from '../../domain/field.ts';
import { BoundedSearch, WINDOW } from './bounded-search.ts';
import type { Phrase } from './index-search.ts';
import { LengthNorms } from './length-norms.ts';
import type { Packing, Unpacking } from './packing.ts';
import { findPosting, type PostingList } from './posting-list.ts';
import { TermTable } from './term-table.ts';
import type { Clause, WordSearch } from './word-search.ts';

/** FTS5's idf of a term that more than half of the documents hold. */
const IDF_MIN = 1e-6;

/** Prefixes whose postings are remembered: a search counts them before it scores them. */
const REMEMBERED_PREFIXES = 4;

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

/** The pairs of frequency and fields that a 16-bit code can represent. */
const CODES_MAX = 65_536;

/** Postings reordered between two pauses: about 1 ms. */
const TURNED_AT_ONCE = 32_768;

/**
 * The inverted index: which documents hold which terms. Its BM25 equals FTS5's `bm25()` with a
 * weight for each column.
 */
export class Postings {
  readonly size: number;
  readonly #columns: PostingColumns;
  readonly #window: number;
  readonly #lengths: LengthNorms;
  readonly #prefixes = new Map<string, PostingList>();

  /** `window`: as of `BoundedSearch`. */
  constructor(columns: PostingColumns, window = WINDOW) {
    this.#columns = columns;
    this.#window = window;
    this.size = columns.lengths.length;
    this.#lengths = new LengthNorms(columns.lengths);
  }

  pack(to: Packing): void {
    const { terms, starts, documents, codes, frequencies, fields, lengths } = this.#columns;
    terms.pack(to);
    to.add(starts, frequencies, fields, documents, codes, lengths);
  }

  static unpack(from: Unpacking): Postings {
    return new Postings({
      terms: TermTable.unpack(from),
      starts: from.take(Uint32Array),
      frequencies: from.take(Float64Array),
      fields: from.take(Uint8Array),
      documents: from.take(Uint32Array),
      codes: from.take(Uint16Array),
      lengths: from.take(Uint32Array),
    });
  }

  get byteSize(): number {
    const { terms, starts, documents, codes, frequencies, fields, lengths } = this.#columns;
    const columns = [starts, documents, codes, frequencies, fields, lengths];
    const bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, terms.byteSize);
    return bytes + this.#lengths.norms.byteLength;
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
    const { documents, start, end } = this.#prefixList(prefix);
    if (hides === null) return end - start;
    let count = 0;
    for (let at = start; at < end; at++) count += 1 - hides[documents[at]!]!;
    return count;
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

  /**
   * Prepares the search for the phrases that documents here hold. Valid until the next call, because
   * searches share working memory.
   */
  open(phrases: readonly Phrase[], statistics: Statistics): WordSearch {
    const { size, tokenCount } = statistics;
    this.#lengths.relateTo(tokenCount / size);
    const clauses: Clause[] = [];
    for (const { term, groups } of phrases) {
      const list = this.find(term);
      if (list === null) continue;
      const idf = inverseDocumentFrequency(statistics.countHolders(term), size);
      clauses.push({ list, idf, groups });
    }
    return new BoundedSearch(clauses, this.#lengths, this.#window);
  }

  /** The numbers of a term, or of all terms with a prefix (`term*`): those from `from` up to `to`. */
  numbersOf(term: string): { from: number; to: number } {
    if (term.endsWith('*')) return this.terms.range(term.slice(0, -1));
    const number = this.terms.find(term);
    return number < 0 ? { from: 0, to: 0 } : { from: number, to: number + 1 };
  }

  /** The fields in which the document holds any of the terms with these numbers, one bit each. */
  fieldsOf(document: number, { from, to }: ReturnType<Postings['numbersOf']>): number {
    let fields = 0;
    for (let number = from; number < to; number++) fields |= this.#fieldsAt(document, number);
    return fields;
  }

  /** The postings of a term or a prefix (`term*`); null for an unknown term. */
  find(term: string): PostingList | null {
    if (term.endsWith('*')) return this.#prefixList(term.slice(0, -1));
    const number = this.terms.find(term);
    return number < 0 ? null : this.#listOf(number);
  }

  /** The number of tokens in a document. */
  lengthOf(document: number): number {
    return this.#columns.lengths[document]!;
  }

  #listOf(number: number): PostingList {
    const { starts, documents, codes, frequencies, fields } = this.#columns;
    const [start, end] = [starts[number]!, starts[number + 1]!];
    return { documents, codes, start, end, frequencies, fields };
  }

  /**
   * FTS5 treats a prefix as one phrase: its frequency is the sum over all terms that begin with it.
   */
  #prefixList(prefix: string): PostingList {
    const { from, to } = this.terms.range(prefix);
    if (to - from === 1) return this.#listOf(from);
    const remembered = this.#prefixes.get(prefix);
    if (remembered !== undefined) return remembered;
    const lists = Array.from({ length: to - from }, (_, at) => this.#listOf(from + at));
    const joined = joinLists(lists, this.size);
    if (this.#prefixes.size === REMEMBERED_PREFIXES) this.#prefixes.clear();
    this.#prefixes.set(prefix, joined);
    return joined;
  }

  #fieldsAt(document: number, term: number): number {
    const { starts, codes, fields } = this.#columns;
    const at = findPosting(this.#columns, document, starts[term]!, starts[term + 1]!);
    return at < 0 ? 0 : fields[codes[at]!]!;
  }
}

function inverseDocumentFrequency(count: number, size: number): number {
  const idf = Math.log((size - count + 0.5) / (count + 0.5));
  return idf <= 0 ? IDF_MIN : idf;
}

/** One list of the documents in any of the lists, with the sums of their frequencies. */
function joinLists(lists: readonly PostingList[], size: number): PostingList {
  const frequencies = new Float64Array(size);
  const fields = new Uint8Array(size);
  let count = 0;
  for (const list of lists)
    for (let at = list.start; at < list.end; at++) {
      const document = list.documents[at]!;
      if (fields[document] === 0) count += 1;
      frequencies[document]! += list.frequencies[list.codes[at]!]!;
      fields[document]! |= list.fields[list.codes[at]!]!;
    }
  const documents = new Uint32Array(count);
  const codes = new Uint16Array(count);
  /** For each set of fields, the codes by frequency. */
  const codesOf = FIELD_SETS.map(() => new Map<number, number>());
  const joined = { frequencies: [] as number[], fields: [] as number[] };
  for (let document = 0, place = 0; place < count; document++) {
    if (fields[document] === 0) continue;
    const codeOf = codesOf[fields[document]!]!;
    let code = codeOf.get(frequencies[document]!);
    if (code === undefined) {
      // Beyond the codes that there are, which no real catalogue reaches, the last one stands in.
      code = Math.min(joined.fields.length, CODES_MAX - 1);
      codeOf.set(frequencies[document]!, code);
      joined.frequencies[code] = frequencies[document]!;
      joined.fields[code] = fields[document]!;
    }
    documents[place] = document;
    codes[place++] = code;
  }
  return {
    ...{ documents, codes, start: 0, end: count },
    frequencies: Float64Array.from(joined.frequencies),
    fields: Uint8Array.from(joined.fields),
  };
}

/** The fields of a set of bits, in the order of `FIELDS`. */
export function fieldsOfBits(bits: number): readonly Field[] {
  return FIELD_SETS[bits]!;
}

const FIELD_SETS: readonly (readonly Field[])[] = Array.from(
  { length: 1 << FIELDS.length },
  (_, bits) => FIELDS.filter((_, index) => (bits & (1 << index)) !== 0),
);
