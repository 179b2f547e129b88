import { classesBySize } from './dimension-classes.ts';
import type { DocumentFilter } from './document-columns.ts';
import { instantiateKernel, type Kernel } from './vector-kernel-instance.ts';
import { directionOf, type Vector8 } from './vector8.ts';

/** WebAssembly allocates by pages. */
const PAGE_BYTES = 65_536;
/** Memory grows by at least this many pages (4 MiB) or by an eighth, whichever is more. */
const GROWTH_PAGES_MIN = 64;
/** The most that 32-bit WebAssembly can address. Reserved, not used: memory then grows in place. */
const PAGES_MAX = 65_536;

/** The first page holds the query and the histogram; the vectors begin at the second. */
const QUERY_AT = 0;
const OFFSETS_AT = 8192;
const SIGNS_AT = 16_384;
const HISTOGRAM_AT = 40_960;
const VECTORS_AT = PAGE_BYTES;

/** There is room for twice this many bytes before the offsets. */
const DIMENSIONS_MAX = 3968;

/** Vectors that the binary pass compares together, and rows that it adds at a time. */
const BLOCK = 128;
const GROUP = 16;
/** The most groups of one class that the kernel's bit planes can count. */
const GROUPS_MAX = 31;
/**
 * Of a question's dimensions, those with the greatest values count four times, the next twice, the
 * next once, the rest not at all. On icecat these classes need a third of the vectors that equal
 * weights need for the same recall, and skipping the smallest values loses nothing.
 */
const CLASSES = [
  { weight: 4, share: 1 / 6 },
  { weight: 2, share: 1 / 3 },
  { weight: 1, share: 1 / 4 },
] as const;
/** A distance that is never selected: that of a row out of scope or without a vector. */
const MASKED = 0xffff;
const SELECTED_DISTANCE_MAX = MASKED - 1;

/**
 * This many times the square root of the number of vectors, the nearest by bits, are rescored with
 * their exact cosine. The root, because the 150 wanted are a smaller share of a larger catalogue.
 * Recall@150 against all cosines, icecat (MiniLM, 500 questions): .996.
 */
const RESCORED_PER_ROOT = 14;
/**
 * A catalogue of up to this many documents is compared exactly: there the first pass saves nothing.
 */
const RESCORED_MIN = 1000;
/** From this many vectors on, a sample of every fourth distance determines the threshold. */
const SAMPLED_FROM = 16_384;
const SAMPLE_STEP = 4;

/**
 * Quantised vectors (8 bits a dimension) in the memory of a WebAssembly instance. A search compares
 * them in two passes: by 1 bit a dimension, then exactly for the nearest of those. There is one row
 * for each document, in order, and an empty one for a document without a vector. Call `append`,
 * then `seal`, then search.
 */
export class VectorKernel {
  readonly dimensions: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  /** Bytes of a vector, rounded up to whole 16-byte registers. */
  readonly #stride: number;
  /** Bytes of a block's bits: a row of 16 for each dimension, and an empty row. */
  readonly #blockBytes: number;
  /** Groups of rows compared for each class of dimensions, in the order of `CLASSES`. */
  readonly #groups: readonly number[];
  #size = 0;
  #bytes: Uint8Array;
  /** The mean direction of the vectors. A vector's bits say on which side of it each value lies. */
  readonly #mean: Float64Array;
  #meanCount = 0;
  /** A row's cosine is linear in its dot product with the query's bytes; these are its terms. */
  #slopes = new Float32Array(0);
  #shifts = new Float32Array(0);
  #sums = new Float32Array(0);
  #bitsAt = 0;
  #maskAt = 0;
  #distancesAt = 0;
  #listAt = 0;
  #dotsAt = 0;
  #mask = new Uint16Array(0);
  #maskKey: string | null = null;
  #maskHides: Uint8Array | null = null;
  #inScope = 0;
  #query = { slope: 0, shift: 0, constant: 0 };
  #asked: Vector8 | null = null;
  /** Numbers of the rows that the last `search` or `measure` compared, valid until the next. */
  list = new Uint32Array(0);
  #dots = new Int32Array(0);

  /** At most 3,968 dimensions. */
  constructor(dimensions: number) {
    if (!(dimensions >= 1 && dimensions <= DIMENSIONS_MAX))
      throw new RangeError('1 to 3,968 dimensions');
    this.dimensions = dimensions;
    this.#stride = roundUp(dimensions, 16);
    this.#blockBytes = (dimensions + 1) * 16;
    this.#groups = CLASSES.map(({ share }) =>
      Math.min(GROUPS_MAX, Math.ceil((dimensions * share) / GROUP)),
    );
    this.#memory = new WebAssembly.Memory({ initial: 1 + GROWTH_PAGES_MIN, maximum: PAGES_MAX });
    this.#kernel = instantiateKernel(this.#memory);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#mean = new Float64Array(dimensions);
  }

  /** Total bytes of memory. */
  get byteSize(): number {
    return this.#memory.buffer.byteLength + this.#slopes.byteLength * 3;
  }

  /** Adds the next row. A vector without a direction (zero or not finite) counts as missing. */
  append(vector: Vector8 | null): void {
    const index = this.#addRow();
    if (vector === null) return;
    this.#write(index, vector);
    this.#addToMean(index);
  }

  /** Copies a row of another kernel of the same dimensions as the next row. */
  appendFrom(other: VectorKernel, row: number): void {
    const index = this.#addRow();
    const start = VECTORS_AT + row * this.#stride;
    this.#bytes.set(
      other.#bytes.subarray(start, start + this.#stride),
      VECTORS_AT + index * this.#stride,
    );
    this.#slopes[index] = other.#slopes[row]!;
    this.#shifts[index] = other.#shifts[row]!;
    this.#sums[index] = other.#sums[row]!;
    this.#addToMean(index);
  }

  #addRow(): number {
    const index = this.#size++;
    this.#reserve(VECTORS_AT + this.#size * this.#stride);
    if (this.#slopes.length < this.#size) {
      const capacity = Math.max(1024, Math.ceil(this.#size * 1.25));
      this.#slopes = grown(this.#slopes, capacity);
      this.#shifts = grown(this.#shifts, capacity);
      this.#sums = grown(this.#sums, capacity);
    }
    return index;
  }

  #addToMean(index: number): void {
    const slope = this.#slopes[index]!;
    if (slope === 0) return;
    this.#meanCount += 1;
    const shift = this.#shifts[index]!;
    const start = VECTORS_AT + index * this.#stride;
    for (let at = 0; at < this.dimensions; at++)
      this.#mean[at]! += slope * this.#bytes[start + at]! + shift;
  }

  /** Prepares for searching. Yields after every 256 rows, about every 0.2 ms. */
  *seal(): Generator<void, void> {
    const blocks = Math.ceil(this.#size / BLOCK);
    const padded = blocks * BLOCK;
    this.#bitsAt = roundUp(VECTORS_AT + this.#size * this.#stride, 16);
    this.#maskAt = this.#bitsAt + blocks * this.#blockBytes;
    this.#distancesAt = this.#maskAt + padded * 2;
    this.#listAt = this.#distancesAt + padded * 2;
    this.#dotsAt = this.#listAt + padded * 4;
    this.#reserve(this.#dotsAt + padded * 4, true);
    const { buffer } = this.#memory;
    this.#mask = new Uint16Array(buffer, this.#maskAt, padded).fill(MASKED);
    this.list = new Uint32Array(buffer, this.#listAt, padded);
    this.#dots = new Int32Array(buffer, this.#dotsAt, padded);
    if (this.#meanCount > 0)
      for (const [at, sum] of this.#mean.entries()) this.#mean[at] = sum / this.#meanCount;
    for (let index = 0; index < this.#size; index++) {
      if (this.#slopes[index] !== 0) this.#writeBits(index);
      if (index % 256 === 255) yield;
    }
  }

  /** Sets or replaces the vector of a row. Call after `seal`. */
  replace(index: number, vector: Vector8): void {
    this.#write(index, vector);
    this.#writeBits(index);
    this.#maskKey = null;
  }

  /** The first `limit` rows without a vector for which `allows` is true. */
  lacking(limit: number, allows: (index: number) => boolean): number[] {
    const rows: number[] = [];
    for (let index = 0; index < this.#size && rows.length < limit; index++)
      if (this.#slopes[index] === 0 && allows(index)) rows.push(index);
    return rows;
  }

  /**
   * Limits `search` to the rows of the filter until the next call. Returns the number of vectors
   * among them.
   */
  narrow({ key, hides, allows }: DocumentFilter): number {
    if (key === this.#maskKey && hides === this.#maskHides) return this.#inScope;
    this.#maskKey = key;
    this.#maskHides = hides;
    this.#inScope = 0;
    for (let index = 0; index < this.#size; index++) {
      const isIn = this.#slopes[index] !== 0 && allows(index);
      this.#mask[index] = isIn ? 0 : MASKED;
      if (isIn) this.#inScope += 1;
    }
    return this.#inScope;
  }

  /** Sets the question's vector for `search` and `measure`. False if it has no direction. */
  ask(query: Vector8): boolean {
    const { slope, shift, sum } = directionOf(query);
    if (slope === 0 || query.bytes.length !== this.dimensions) return false;
    const wide = new Uint16Array(this.#memory.buffer, QUERY_AT, this.#stride);
    wide.fill(0);
    wide.set(query.bytes);
    this.#asked = query;
    this.#query = { slope, shift, constant: sum + this.dimensions * shift };
    return true;
  }

  /**
   * Compares the rows in scope that are likely to be nearest and returns how many it compared: 14
   * times the square root of the rows in scope, at least a thousand and at least `wanted`. `list`
   * then holds their numbers, `cosine` their cosines.
   */
  search(wanted: number): number {
    const likely = Math.ceil(Math.sqrt(this.#inScope) * RESCORED_PER_ROOT);
    const count = this.#select(Math.max(wanted, likely, RESCORED_MIN));
    this.#kernel.dots(this.#listAt, count, VECTORS_AT, QUERY_AT, this.#stride, this.#dotsAt);
    return count;
  }

  /** The vector of a row, valid until the next row is added; null if it has none. */
  vectorOf(index: number): Vector8 | null {
    if (this.#slopes[index] === 0) return null;
    const start = VECTORS_AT + index * this.#stride;
    const bytes = this.#bytes.subarray(start, start + this.dimensions);
    return { bytes, alpha: this.#slopes[index]!, shift: this.#shifts[index]! };
  }

  /** Compares these rows, whether in scope or not, and returns their number. */
  measure(indexes: ArrayLike<number>): number {
    this.list.set(indexes);
    this.#kernel.dots(
      this.#listAt,
      indexes.length,
      VECTORS_AT,
      QUERY_AT,
      this.#stride,
      this.#dotsAt,
    );
    return indexes.length;
  }

  /** Cosine of the row at `place` of the list to the question; NaN for a row without a vector. */
  cosine(place: number): number {
    const index = this.list[place]!;
    const slope = this.#slopes[index]!;
    if (slope === 0) return Number.NaN;
    const { slope: querySlope, shift, constant } = this.#query;
    return (
      querySlope * slope * this.#dots[place]! +
      constant * this.#shifts[index]! +
      shift * this.#sums[index]!
    );
  }

  #select(wanted: number): number {
    if (this.#inScope <= wanted) {
      let count = 0;
      for (let index = 0; index < this.#size; index++)
        if (this.#mask[index] === 0) this.list[count++] = index;
      return count;
    }
    if (this.#asked !== null) this.#nameRows(this.#asked);
    const { distances, threshold, select } = this.#kernel;
    const blocks = Math.ceil(this.#size / BLOCK);
    const [groups4, groups2, groups1] = this.#groups as [number, number, number];
    distances(
      this.#bitsAt,
      this.#blockBytes,
      OFFSETS_AT,
      SIGNS_AT,
      groups1,
      groups2,
      groups4,
      this.#maskAt,
      this.#distancesAt,
      blocks,
    );
    const bins = 1 + GROUP * (groups1 + 2 * groups2 + 4 * groups4);
    this.#bytes.fill(0, HISTOGRAM_AT, HISTOGRAM_AT + bins * 4);
    const step = this.#inScope >= SAMPLED_FROM ? SAMPLE_STEP : 1;
    const limit = threshold(this.#distancesAt, this.#size, step, wanted, HISTOGRAM_AT, bins);
    return select(
      this.#distancesAt,
      (blocks * BLOCK) / 16,
      Math.min(limit, SELECTED_DISTANCE_MAX),
      this.#listAt,
    );
  }

  /**
   * Writes for the kernel which rows to compare with which sign, the classes of lowest weight
   * first. Within a class, rows are in memory order.
   */
  #nameRows({ bytes, alpha, shift }: Vector8): void {
    const { buffer } = this.#memory;
    const lengths = this.#groups.map((groups) => groups * GROUP);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const offsets = new Uint32Array(buffer, OFFSETS_AT, total).fill(this.dimensions * 16);
    const signs = new Int32Array(buffer, SIGNS_AT, total).fill(0);
    const classes = classesBySize({ bytes, alpha, shift }, lengths);
    // Where each class begins, the last class first.
    const places = lengths.map((_, index) =>
      lengths.slice(index + 1).reduce((sum, length) => sum + length, 0),
    );
    for (let at = 0; at < bytes.length; at++) {
      const index = classes[at]!;
      if (index === lengths.length) continue;
      const place = places[index]!++;
      offsets[place] = at * 16;
      signs[place] = alpha * bytes[at]! + shift > 0 ? -1 : 0;
    }
  }

  #write(index: number, vector: Vector8): void {
    const { slope, shift, sum } = directionOf(vector);
    this.#slopes[index] = slope;
    this.#shifts[index] = shift;
    this.#sums[index] = sum;
    this.#bytes.set(vector.bytes, VECTORS_AT + index * this.#stride);
  }

  #writeBits(index: number): void {
    const start = VECTORS_AT + index * this.#stride;
    const bytes = this.#bytes;
    const slope = this.#slopes[index]!;
    const shift = this.#shifts[index]!;
    const bit = 1 << (index & 7);
    let at = this.#bitsAt + Math.floor(index / BLOCK) * this.#blockBytes + ((index % BLOCK) >> 3);
    for (let dimension = 0; dimension < this.dimensions; dimension++, at += 16) {
      const isAbove = slope * bytes[start + dimension]! + shift > this.#mean[dimension]!;
      bytes[at] = isAbove ? bytes[at]! | bit : bytes[at]! & ~bit;
    }
  }

  #reserve(length: number, exactly = false): void {
    const present = this.#memory.buffer.byteLength;
    if (length <= present) return;
    const missing = Math.ceil((length - present) / PAGE_BYTES);
    const pages = exactly
      ? missing
      : Math.max(missing, GROWTH_PAGES_MIN, Math.ceil(present / PAGE_BYTES / 8));
    this.#memory.grow(pages);
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }
}

function grown(array: Float32Array<ArrayBuffer>, capacity: number): Float32Array<ArrayBuffer> {
  const copy = new Float32Array(capacity);
  copy.set(array);
  return copy;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
