import type { Packing, Unpacking } from './packing.ts';

/** The greatest length stored, in code points; a term has at most 64 UTF-16 units. */
const LENGTH_MAX = 255;
/** Terms sorted or merged between two pauses of a build: about 2 ms. */
const SORTED_AT_ONCE = 4096;

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

  /** Returns the table and the number of each given term. Yields every few milliseconds. */
  static *build(
    terms: readonly string[],
  ): Generator<void, { table: TermTable; numbers: Uint32Array }> {
    const order = yield* sorted(terms);
    let bytes = new Uint8Array(terms.length * 8 + 256);
    const starts = new Uint32Array(terms.length + 1);
    const lengths = new Uint8Array(terms.length);
    const numbers = new Uint32Array(terms.length);
    let at = 0;
    for (const [number, index] of order.entries()) {
      const term = terms[index]!;
      if (at + term.length * 3 > bytes.length) bytes = grown(bytes);
      const { read, written } = encoder.encodeInto(term, bytes.subarray(at));
      at += written;
      starts[number + 1] = at;
      lengths[number] = Math.min(LENGTH_MAX, written === read ? read : [...term].length);
      numbers[index] = number;
      if (number % SORTED_AT_ONCE === SORTED_AT_ONCE - 1) yield;
    }
    return { table: new TermTable(bytes.slice(0, at), starts, lengths), numbers };
  }

  pack(to: Packing): void {
    to.add(this.#bytes, this.#starts, this.#lengths);
  }

  static unpack(from: Unpacking): TermTable {
    return new TermTable(from.take(Uint8Array), from.take(Uint32Array), from.take(Uint8Array));
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

/** Numbers terms in the order of their first appearance while an index is built. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  /** The terms by number: iterating over the whole map in one step would take too long. */
  readonly #terms: string[] = [];
  #sorted: SortedTerms | null = null;

  get size(): number {
    return this.#terms.length;
  }

  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    this.#numbers.set(term, this.#terms.length);
    return this.#terms.push(term) - 1;
  }

  /** Call it after the last term. Yields every few milliseconds. */
  *sort(): Generator<void, SortedTerms> {
    this.#sorted ??= yield* TermTable.build(this.#terms);
    this.#numbers.clear();
    return this.#sorted;
  }
}

export interface SortedTerms {
  readonly table: TermTable;
  /** By the number while building: the term's number in the table. */
  readonly numbers: Uint32Array;
}

/**
 * The indexes of the terms in sorted order. Sorts runs and merges them in pairs, so that no step
 * takes long.
 */
function* sorted(terms: readonly string[]): Generator<void, Uint32Array> {
  let from = new Uint32Array(terms.length);
  for (let start = 0; start < terms.length; start += SORTED_AT_ONCE) {
    const run = Array.from(
      { length: Math.min(SORTED_AT_ONCE, terms.length - start) },
      (_, index) => start + index,
    );
    from.set(
      run.sort((left, right) => compareTerms(terms[left]!, terms[right]!)),
      start,
    );
    yield;
  }
  let to = new Uint32Array(terms.length);
  for (let width = SORTED_AT_ONCE; width < terms.length; width *= 2) {
    for (let start = 0; start < terms.length; start += width * 2) {
      let left = start;
      const middle = Math.min(start + width, terms.length);
      let right = middle;
      const end = Math.min(start + width * 2, terms.length);
      for (let at = start; at < end; at++) {
        const takesLeft =
          left < middle &&
          (right >= end || compareTerms(terms[from[left]!]!, terms[from[right]!]!) <= 0);
        to[at] = from[takesLeft ? left++ : right++]!;
        if (at % SORTED_AT_ONCE === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/**
 * Orders by UTF-8 bytes, which is the order of code points. UTF-16 order differs: it puts
 * surrogates before U+E000 to U+FFFF.
 */
export function compareTerms(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return left.length - right.length;
}

function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length * 2);
  copy.set(bytes);
  return copy;
}
