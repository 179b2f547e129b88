import { resized } from '../../collections/resized.ts';
import { FIELDS, type Field } from '../../domain/field.ts';
import { FIELD_WEIGHTS } from '../tuning/ranking-weights.ts';
import { VectorKernel } from '../vectors/vector-kernel.ts';
import { quantiseVector8, readVector8, type Vector8 } from '../vectors/vector8.ts';
import { DocumentColumns, type DocumentFacts } from './document-columns.ts';
import type { NumberedTerms } from './documents.ts';
import { MemoryIndex, type UnfoldedIndex } from './memory-index.ts';
import { NumberList } from './packing.ts';
import { Postings } from './postings.ts';
import { TermNumbers } from './term-table.ts';

/** Postings written between two pauses of `finish`: about 1 ms. */
const PLACED_AT_ONCE = 32_768;

/**
 * Postings in the first and in the longest block while they are collected. A block is released as
 * soon as its postings are written. Each block is twice as long as the previous one, so that a
 * small index takes little memory.
 */
const BLOCK_LENGTH_MIN = 4096;
const BLOCK_LENGTH_MAX = 262_144;

/** Offsets of a term's uses: its last posting so far, counted from 1, and the number of its documents. */
const LAST = 0;
const COUNT = 1;
const USES_LENGTH = 2;

/** The distinct pairs of frequency and fields that a 16-bit code can represent. */
const CODES_MAX = 65_536;

/** A document as storage returns it, with its terms as `documentTerms` returns them. */
export interface IndexableDocument extends DocumentFacts, NumberedTerms {
  /** A `vector8` BLOB of libSQL, or the values; null if there is none yet. */
  readonly vector: Uint8Array | Float32Array | null;
}

/** A former index, with the numbers in this index of its terms and codes; -1 for those not met yet. */
interface Former {
  readonly index: UnfoldedIndex;
  readonly numbers: Int32Array;
  readonly codes: Int32Array;
}

/** A document of one of the former indexes. */
export interface FormerPlace {
  /** Which of the indexes. */
  readonly former: number;
  readonly place: number;
}

interface Block {
  readonly terms: Uint32Array;
  readonly codes: Uint16Array;
}

/** Numbers the pairs of a weighted frequency and its fields, in the order of their first appearance. */
export class FrequencyCodes {
  /** For each set of fields, the codes by frequency. */
  readonly #codes = Array.from({ length: 1 << FIELDS.length }, () => new Map<number, number>());
  readonly #frequencies = new NumberList((length) => new Float64Array(length));
  readonly #fields = new NumberList((length) => new Uint8Array(length));

  /**
   * Beyond 65,536 pairs, which no real catalogue reaches, a frequency is rounded to one that has a
   * code.
   */
  code(frequency: number, fields: number): number {
    const known = this.#codes[fields]!.get(frequency);
    if (known !== undefined) return known;
    const code = this.#frequencies.length;
    if (code >= CODES_MAX) return this.#nearestCode(frequency, fields);
    this.#codes[fields]!.set(frequency, code);
    this.#frequencies.push(frequency);
    this.#fields.push(fields);
    return code;
  }

  /** The pairs by their codes. */
  columns(): { frequencies: Float64Array; fields: Uint8Array } {
    for (const list of [this.#frequencies, this.#fields]) list.trim();
    return { frequencies: this.#frequencies.values, fields: this.#fields.values };
  }

  #nearestCode(frequency: number, fields: number): number {
    let best = 0;
    let distance = Number.POSITIVE_INFINITY;
    for (let code = 0; code < CODES_MAX; code++) {
      const difference =
        Math.abs(this.#frequencies.values[code]! - frequency) +
        (this.#fields.values[code] === fields ? 0 : 1e6);
      if (difference < distance) [best, distance] = [code, difference];
    }
    return best;
  }
}

/**
 * Builds a MemoryIndex in small steps: call `add` for each document in ascending order of keys
 * (some tens of microseconds each), then `finish` once.
 */
export class MemoryIndexBuilder {
  readonly #columns = new DocumentColumns();
  readonly #vectors: VectorKernel | null;
  readonly #terms: TermNumbers;
  readonly #window: number | undefined;
  /** Two numbers for each term, side by side because both are needed at once: as of `LAST` and `COUNT`. */
  readonly #uses = new NumberList((length) => new Uint32Array(length));
  /** The number of tokens and of distinct terms of each document. */
  readonly #lengths = new NumberList((length) => new Uint32Array(length));
  readonly #distinct = new NumberList((length) => new Uint32Array(length));
  readonly #codes = new FrequencyCodes();
  #blocks: Block[] = [];
  #blockUsed = 0;
  readonly #formers: readonly Former[];
  /** The postings of the documents before the current one. */
  #posted = 0;
  /** The current document's terms, each with its weighted frequency and its fields. */
  readonly #present = new NumberList((length) => new Uint32Array(length));
  readonly #presentFrequencies = new NumberList((length) => new Float64Array(length));
  readonly #presentFields = new NumberList((length) => new Uint8Array(length));

  /**
   * `dimensions`: length of the vectors; null without an embedding model. `formers`: indexes
   * with vectors of the same model, or none, whose documents can be reused. `terms`: shared with what else is
   * built from the same documents. `window`: as of `Postings`.
   */
  constructor({
    dimensions,
    formers = [],
    terms = new TermNumbers(),
    window,
  }: {
    dimensions: number | null;
    formers?: readonly UnfoldedIndex[];
    terms?: TermNumbers;
    window?: number;
  }) {
    this.#window = window;
    this.#terms = terms;
    this.#vectors = dimensions === null ? null : new VectorKernel(dimensions);
    this.#formers = formers.map((index) => ({
      index,
      numbers: new Int32Array(index.postings.terms.size).fill(-1),
      codes: new Int32Array(index.postings.frequencies.length).fill(-1),
    }));
  }

  get size(): number {
    return this.#columns.size;
  }

  /**
   * Throws a RangeError if the key is not greater than the last one. A vector of another length
   * counts as missing.
   */
  add(document: IndexableDocument): void {
    this.#columns.add(document);
    this.#vectors?.append(readVector(document.vector, this.#vectors.dimensions));
    let length = 0;
    for (let index = 0; index < FIELDS.length; index++) {
      const field = FIELDS[index]!;
      length += document.terms[field].length;
      this.#addField(document, field, 1 << index);
    }
    this.#lengths.push(length);
    const [terms, frequencies, fields] = [
      this.#present.values,
      this.#presentFrequencies.values,
      this.#presentFields.values,
    ];
    const count = this.#present.length;
    for (let at = 0; at < count; at++)
      this.#push(terms[at]!, this.#codes.code(frequencies[at]!, fields[at]!));
    this.#endDocument(count);
    for (const list of [this.#present, this.#presentFrequencies, this.#presentFields])
      list.length = 0;
  }

  /** Copies the document at this place of a former index, without tokenizing its text again. */
  take({ former, place }: FormerPlace): void {
    const { columns, postings, vectors } = this.#formers[former]!.index;
    this.#columns.add(columns.factsOf(place));
    if (vectors === null) this.#vectors?.append(null);
    else this.#vectors?.appendFrom(vectors, place);
    const end = postings.starts[place + 1]!;
    this.#lengths.push(postings.lengths[place]!);
    for (let at = postings.starts[place]!; at < end; at++) {
      const term = this.formerNumber(former, postings.numbers[at]!);
      this.#uses.values[term * USES_LENGTH + COUNT]! += 1;
      this.#push(term, this.#formerCode(former, postings.codes[at]!));
    }
    this.#endDocument(end - postings.starts[place]!);
  }

  /** The number in this build of a term of a former index. */
  formerNumber(former: number, number: number): number {
    const { index, numbers } = this.#formers[former]!;
    const known = numbers[number]!;
    if (known >= 0) return known;
    const made = this.#counted(this.#terms.number(index.postings.terms.term(number)));
    numbers[number] = made;
    return made;
  }

  /** Returns the index. Yields every few milliseconds. */
  *finish(): Generator<void, MemoryIndex> {
    yield* this.#columns.seal();
    const { table, numbers } = yield* this.#terms.sort();
    const starts = new Uint32Array(table.size + 1);
    const uses = this.#uses.values;
    const termCount = this.#uses.length / USES_LENGTH;
    for (let term = 0; term < termCount; term++) {
      starts[numbers[term]! + 1] = uses[term * USES_LENGTH + COUNT]!;
      if (term % PLACED_AT_ONCE === 0) yield;
    }
    this.#uses.release();
    for (let number = 0; number < table.size; number++) starts[number + 1]! += starts[number]!;
    yield;
    const { documents, codes } = yield* this.#place(starts, numbers);
    this.#lengths.trim();
    const columns = {
      terms: table,
      ...{ starts, documents, codes },
      ...this.#codes.columns(),
      lengths: this.#lengths.values,
    };
    const postings = new Postings(columns, this.#window);
    yield;
    if (this.#vectors !== null) yield* this.#vectors.seal();
    return new MemoryIndex(this.#columns, postings, this.#vectors);
  }

  /** Adds the terms of a field to the current document's frequencies. */
  #addField({ lexicon, terms }: NumberedTerms, field: Field, bit: number): void {
    const weight = FIELD_WEIGHTS[field];
    for (const term of terms[field]) {
      const at = this.#presentAt(this.#counted(this.#terms.numberOf(lexicon, term)));
      this.#presentFrequencies.values[at]! += weight;
      this.#presentFields.values[at]! |= bit;
    }
  }

  /** The place of a term among those of the current document, which it joins if it is new there. */
  #presentAt(number: number): number {
    const uses = this.#uses.values;
    const use = number * USES_LENGTH;
    const known = uses[use + LAST]! - this.#posted;
    if (known > 0) return known - 1;
    this.#present.push(number);
    this.#presentFrequencies.push(0);
    this.#presentFields.push(0);
    uses[use + LAST] = this.#posted + this.#present.length;
    uses[use + COUNT]! += 1;
    return this.#present.length - 1;
  }

  #endDocument(termCount: number): void {
    this.#distinct.push(termCount);
    this.#posted += termCount;
  }

  /** Makes room for the uses of a term and of those that others have numbered. */
  #counted(number: number): number {
    while (this.#uses.length <= number * USES_LENGTH)
      for (let use = 0; use < USES_LENGTH; use++) this.#uses.push(0);
    return number;
  }

  #formerCode(former: number, code: number): number {
    const { index, codes } = this.#formers[former]!;
    const known = codes[code]!;
    if (known >= 0) return known;
    const { frequencies, fields } = index.postings;
    const made = this.#codes.code(frequencies[code]!, fields[code]!);
    codes[code] = made;
    return made;
  }

  #push(term: number, code: number): void {
    let block = this.#blocks.at(-1);
    if (block === undefined || this.#blockUsed === block.terms.length) {
      const length = Math.min(BLOCK_LENGTH_MAX, (block?.terms.length ?? BLOCK_LENGTH_MIN / 2) * 2);
      block = { terms: new Uint32Array(length), codes: new Uint16Array(length) };
      this.#blocks.push(block);
      this.#blockUsed = 0;
    }
    block.terms[this.#blockUsed] = term;
    block.codes[this.#blockUsed] = code;
    this.#blockUsed += 1;
  }

  /**
   * Reorders postings from document order to term order: first the documents, then the codes, which releases each
   * block. In one pass, all postings would be in memory twice.
   */
  *#place(
    starts: Uint32Array,
    numbers: Uint32Array,
  ): Generator<void, { documents: Uint32Array; codes: Uint16Array }> {
    const documents = yield* this.#placeDocuments(starts, numbers);
    const codes = new Uint16Array(documents.length);
    let placed = 0;
    for (const { terms: places, codes: blockCodes } of this.#blocks) {
      const length = Math.min(places.length, codes.length - placed);
      for (let at = 0; at < length; at++) {
        codes[places[at]!] = blockCodes[at]!;
        if (++placed % PLACED_AT_ONCE === 0) yield;
      }
      for (const block of [places, blockCodes]) resized(block, 0);
    }
    this.#blocks = [];
    return { documents, codes };
  }

  /** Leaves in the blocks, instead of each term, the place of its posting. */
  *#placeDocuments(starts: Uint32Array, numbers: Uint32Array): Generator<void, Uint32Array> {
    const documents = new Uint32Array(starts.at(-1)!);
    const next = numbers.map((number) => starts[number]!);
    const distinct = this.#distinct.values;
    let document = 0;
    let left = distinct[0] ?? 0;
    let placed = 0;
    for (const { terms } of this.#blocks) {
      const length = Math.min(terms.length, documents.length - placed);
      for (let at = 0; at < length; at++) {
        while (left === 0) left = distinct[++document]!;
        left -= 1;
        const place = next[terms[at]!]!++;
        documents[place] = document;
        terms[at] = place;
        if (++placed % PLACED_AT_ONCE === 0) yield;
      }
    }
    this.#distinct.release();
    return documents;
  }
}

function readVector(vector: Uint8Array | Float32Array | null, dimensions: number): Vector8 | null {
  if (vector === null) return null;
  if (vector instanceof Uint8Array) return readVector8(vector, dimensions);
  return vector.length === dimensions ? quantiseVector8(vector) : null;
}
