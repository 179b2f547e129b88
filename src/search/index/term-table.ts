import { resized } from '../../collections/resized.ts';
import type { IndexTerm } from '../text/index-terms.ts';
import { Lexicon } from '../text/lexicon.ts';
import { byteOrderOf, sortByText } from '../text/lexicon-order.ts';
import type { Packing, Unpacking } from './packing.ts';

/** The greatest length stored, in code points; a term has at most 64 UTF-16 units. */
const LENGTH_MAX = 255;
/** Terms written between two pauses of a build: about 2 ms. */
const WRITTEN_AT_ONCE = 16_384;

/** Terms whose numbers are cached, because questions repeat them. About 100 bytes each. */
const REMEMBERED_MAX = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The distinct terms in the order of their UTF-8 bytes, as SQLite compares them. A term's number is
 * its position.
 */
export class TermTable {
  readonly size: number;
  readonly #bytes: Uint8Array;
  /** Where each term begins, and where the last term ends. */
  readonly #starts: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #remembered = new Map<string, number>();

  private constructor(bytes: Uint8Array, starts: Uint32Array, lengths: Uint8Array) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#lengths = lengths;
    this.size = lengths.length;
  }

  /**
   * Makes the table of a lexicon's texts. `numbers`: by a text's number in the lexicon, its number in the
   * table. Yields every few milliseconds.
   */
  static *build(lexicon: Lexicon): Generator<void, { table: TermTable; numbers: Uint32Array }> {
    const { size } = lexicon;
    const order = Uint32Array.from({ length: size }, (_, number) => number);
    yield* sortByText(lexicon, order);
    let bytes = new Uint8Array(size * 8 + 256);
    const starts = new Uint32Array(size + 1);
    const lengths = new Uint8Array(size);
    const numbers = new Uint32Array(size);
    let at = 0;
    for (let number = 0; number < size; number++) {
      const term = order[number]!;
      const length = lexicon.length(term);
      if (at + length * 3 > bytes.length) bytes = resized(bytes, bytes.length * 2);
      const end = lexicon.encode(term, bytes, at);
      lengths[number] = Math.min(LENGTH_MAX, countPoints(bytes, at, end));
      at = end;
      starts[number + 1] = at;
      numbers[term] = number;
      if (number % WRITTEN_AT_ONCE === WRITTEN_AT_ONCE - 1) yield;
    }
    resized(order, 0);
    return { table: new TermTable(resized(bytes, at), starts, lengths), numbers };
  }

  pack(to: Packing): void {
    to.add(this.#bytes, this.#starts, this.#lengths);
  }

  static unpack(from: Unpacking): TermTable {
    return new TermTable(from.take(Uint8Array), from.take(Uint32Array), from.take(Uint8Array));
  }

  /**
   * Packs the terms of packed tables, each once. Returns how many there are and, for each table, the numbers that
   * its terms have here.
   */
  static joinPacked(
    parts: readonly Unpacking[],
    to: Packing,
  ): { size: number; numbers: Uint32Array[] } {
    const tables = parts.map((part) => TermTable.unpack(part));
    const cursors = tables.map((table) => new TermCursor(table.#bytes, table.#starts));
    const numbers = tables.map((table) => new Uint32Array(table.size));
    const countMax = tables.reduce((sum, table) => sum + table.size, 0);
    const bytes = new Uint8Array(tables.reduce((sum, table) => sum + table.#bytes.length, 0));
    const starts = new Uint32Array(countMax + 1);
    const lengths = new Uint8Array(countMax);
    let size = 0;
    const ordered = new CursorHeap(cursors);
    for (let first = ordered.first; first !== null; first = ordered.first) {
      const at = cursors.indexOf(first);
      const isNew = size === 0 || !first.equals(bytes, starts[size - 1]!, starts[size]!);
      if (isNew) {
        lengths[size] = tables[at]!.#lengths[first.number]!;
        starts[size + 1] = first.copy(bytes, starts[size]!);
        size += 1;
      }
      numbers[at]![first.number] = size - 1;
      ordered.advance();
    }
    for (const { bytes: read, starts: places } of cursors)
      for (const used of [read, places]) resized(used, 0);
    to.add(resized(bytes, starts[size]!), resized(starts, size + 1), resized(lengths, size));
    return { size, numbers };
  }

  get byteSize(): number {
    return this.#bytes.byteLength + this.#starts.byteLength + this.#lengths.byteLength;
  }

  term(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#starts[number]!, this.#starts[number + 1]!));
  }

  /** In code points, as SQL's `length` counts. */
  length(number: number): number {
    return this.#lengths[number]!;
  }

  /** The number of a term, -1 for one that is not in the table. */
  find(term: string): number {
    const remembered = this.#remembered.get(term);
    if (remembered !== undefined) return remembered;
    const wanted = encoder.encode(term);
    const first = this.#firstFrom(wanted);
    const number = first < this.size && this.#compare(first, wanted) === 0 ? first : -1;
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(term, number);
    return number;
  }

  /** The numbers of the terms that begin with `prefix`, the last one excluded; none for an empty prefix. */
  range(prefix: string): { from: number; to: number } {
    if (prefix === '') return { from: 0, to: 0 };
    const wanted = encoder.encode(prefix);
    // UTF-8 never uses byte 255, so it sorts after everything that begins with the prefix.
    return { from: this.#firstFrom(wanted), to: this.#firstFrom(Uint8Array.of(...wanted, 255)) };
  }

  #firstFrom(wanted: Uint8Array): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(middle, wanted) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #compare(number: number, wanted: Uint8Array): number {
    const start = this.#starts[number]!;
    const length = this.#starts[number + 1]! - start;
    const common = Math.min(length, wanted.length);
    for (let at = 0; at < common; at++) {
      const difference = this.#bytes[start + at]! - wanted[at]!;
      if (difference !== 0) return difference;
    }
    return length - wanted.length;
  }
}

/** Bytes of a term that are compared as one number, which holds 53 bits. */
const KEY_BYTES = 6;

/** A place in a table that is read in its order. */
class TermCursor {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  number = -1;
  /** The first bytes of the term; 0 beyond its end. */
  #key = 0;
  #start = 0;
  #end = 0;

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.bytes = bytes;
    this.starts = starts;
  }

  /** False behind the last term. */
  advance(): boolean {
    this.number += 1;
    if (this.number + 1 >= this.starts.length) return false;
    this.#start = this.starts[this.number]!;
    this.#end = this.starts[this.number + 1]!;
    this.#key = 0;
    for (let at = this.#start; at < this.#start + KEY_BYTES; at++)
      this.#key = this.#key * 256 + (at < this.#end ? this.bytes[at]! : 0);
    return true;
  }

  isBefore(other: TermCursor): boolean {
    if (this.#key !== other.#key) return this.#key < other.#key;
    const end = Math.min(this.#end - this.#start, other.#end - other.#start);
    for (let at = KEY_BYTES; at < end; at++) {
      const difference = this.bytes[this.#start + at]! - other.bytes[other.#start + at]!;
      if (difference !== 0) return difference < 0;
    }
    return this.#end - this.#start < other.#end - other.#start;
  }

  equals(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length !== this.#end - this.#start) return false;
    for (let at = 0; at < length; at++)
      if (this.bytes[this.#start + at] !== bytes[start + at]) return false;
    return true;
  }

  /** Returns the place behind the term. */
  copy(to: Uint8Array, start: number): number {
    let end = start;
    for (let at = this.#start; at < this.#end; at++) to[end++] = this.bytes[at]!;
    return end;
  }
}

/** Cursors of several tables; `first` is at the term that comes before those of the others. */
class CursorHeap {
  readonly #cursors: TermCursor[];

  constructor(cursors: readonly TermCursor[]) {
    this.#cursors = cursors.filter((cursor) => cursor.advance());
    for (let at = this.#cursors.length >> 1; at >= 0; at--) this.#sink(at);
  }

  /** Null once all terms were read. */
  get first(): TermCursor | null {
    return this.#cursors[0] ?? null;
  }

  /** Moves the first cursor on. */
  advance(): void {
    if (!this.#cursors[0]!.advance()) {
      const last = this.#cursors.pop()!;
      if (this.#cursors.length === 0) return;
      this.#cursors[0] = last;
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    const cursors = this.#cursors;
    const sinking = cursors[from]!;
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= cursors.length) break;
      if (child + 1 < cursors.length && cursors[child + 1]!.isBefore(cursors[child]!)) child += 1;
      if (!cursors[child]!.isBefore(sinking)) break;
      cursors[at] = cursors[child]!;
      at = child;
    }
    cursors[at] = sinking;
  }
}

/** Numbers the terms of an index while it is built, in the order of their first appearance. */
export class TermNumbers {
  readonly #lexicon = new Lexicon();
  /** By the number of a term in another lexicon: its number here, plus one; 0: not met yet. */
  readonly #numbers = new WeakMap<Lexicon, Int32Array<ArrayBuffer>>();
  /** The lexicon that was asked for last, and its numbers. */
  #source: Lexicon | null = null;
  #present = new Int32Array(0);
  #sorted: SortedTerms | null = null;

  get size(): number {
    return this.#lexicon.size;
  }

  number(term: string): number {
    return this.#lexicon.number(term);
  }

  /** The number of a term, which may be that of a word of another lexicon. */
  numberOf(source: Lexicon, term: IndexTerm): number {
    if (typeof term === 'string') return this.#lexicon.number(term);
    if (source !== this.#source || term >= this.#present.length) this.#turnTo(source, term);
    const known = this.#present[term]!;
    if (known > 0) return known - 1;
    const number = this.#lexicon.number(source.text(term));
    this.#present[term] = number + 1;
    return number;
  }

  /** Call it after the last term. Yields every few milliseconds. */
  *sort(): Generator<void, SortedTerms> {
    this.#sorted ??= yield* TermTable.build(this.#lexicon);
    this.#lexicon.release();
    return this.#sorted;
  }

  #turnTo(source: Lexicon, term: number): void {
    const known = this.#numbers.get(source) ?? new Int32Array(source.size);
    this.#source = source;
    this.#present =
      term < known.length ? known : resized(known, Math.max(term + 1, source.size * 2));
    this.#numbers.set(source, this.#present);
  }
}

export interface SortedTerms {
  readonly table: TermTable;
  /** By the number while building: the term's number in the table. */
  readonly numbers: Uint32Array;
}

/** Code points in part of a text in UTF-8: bytes that continue none. */
function countPoints(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if ((bytes[at]! & 0xc0) !== 0x80) count += 1;
  return count;
}

/** Orders by UTF-8 bytes. */
export function compareTerms(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return byteOrderOf(one) - byteOrderOf(other);
  }
  return left.length - right.length;
}
