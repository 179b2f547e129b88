import { resized } from '../../collections/resized.ts';
import { holdsAsSmall, smallVectors, writeQuery } from './small-vectors.ts';
import { instantiateKernel, type Kernel } from './vector-kernel-instance.ts';
import { directionOf, quantiseVector8, type Vector8 } from './vector8.ts';

/** WebAssembly allocates by pages. */
const PAGE_BYTES = 65_536;
/** Memory grows by at least this many pages (4 MiB) or by an eighth, whichever is more. */
const GROWTH_PAGES_MIN = 64;
/** The most that 32-bit WebAssembly can address. Reserved, not used: memory then grows in place. */
const PAGES_MAX = 65_536;

/** The first page holds the query and the histogram; the vectors begin at the second. */
export const QUERY_AT = 0;
export const VECTORS_AT = PAGE_BYTES;

/** There is room for twice this many bytes before the offsets. */
const DIMENSIONS_MAX = 3968;

/** Memory of vectors that share it with no others. */
interface OwnMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernel: Kernel;
}

/**
 * Quantised vectors (8 bits a dimension), one row for each document, in order, and an empty one for
 * a document without a vector. Few of them are copied into shared memory when they are compared;
 * more have a WebAssembly memory of their own.
 */
export class VectorRows {
  readonly dimensions: number;
  /** Null as long as there are few rows. */
  #own: OwnMemory | null = null;
  /** Where the vectors begin in `bytes`. */
  #vectorsAt = 0;
  /** Differs after each change of a vector. */
  #version = smallVectors.newVersion();
  /** Bytes of a vector, rounded up to whole 16-byte registers. */
  protected readonly stride: number;
  protected size = 0;
  /** Rows with a vector. */
  protected vectorCount = 0;
  /** The memory of their own, or the vectors alone. */
  protected bytes = new Uint8Array(0);
  /** A row's cosine is linear in its dot product with the query's bytes; these are its terms. */
  protected slopes = new Float32Array(0);
  protected shifts = new Float32Array(0);
  protected sums = new Float32Array(0);
  /** The sum of the directions of the appended rows. */
  protected readonly directions: Float64Array;
  protected query = { slope: 0, shift: 0, constant: 0 };
  protected asked: Vector8 | null = null;
  protected listAt = 0;
  protected dotsAt = 0;
  #listLength = 0;
  protected dots = new Int32Array(0);
  /** Numbers of the rows that were compared last, valid until the next comparison. */
  list = new Uint32Array(0);

  /** At most 3,968 dimensions. */
  constructor(dimensions: number) {
    if (!(dimensions >= 1 && dimensions <= DIMENSIONS_MAX))
      throw new RangeError('1 to 3,968 dimensions');
    this.dimensions = dimensions;
    this.stride = roundUp(dimensions, 16);
    this.directions = new Float64Array(dimensions);
  }

  /** Total bytes of memory, without what is shared. */
  get byteSize(): number {
    return this.bytes.byteLength + this.slopes.byteLength * 3;
  }

  /** Whether they have no memory of their own. */
  protected get isSmall(): boolean {
    return this.#own === null;
  }

  protected get memory(): WebAssembly.Memory {
    return this.#own!.memory;
  }

  protected get kernel(): Kernel {
    return this.#own!.kernel;
  }

  /** Adds the next row. A vector without a direction (zero or not finite) counts as missing. */
  append(vector: Vector8 | null): void {
    const index = this.#addRow();
    if (vector === null) return;
    this.write(index, vector);
    this.#addDirection(index);
  }

  /** Copies a row of another kernel of the same dimensions as the next row. */
  appendFrom(other: VectorRows, row: number): void {
    const index = this.#addRow();
    const start = other.startOf(row);
    this.bytes.set(other.bytes.subarray(start, start + this.stride), this.startOf(index));
    this.slopes[index] = other.slopes[row]!;
    this.shifts[index] = other.shifts[row]!;
    this.sums[index] = other.sums[row]!;
    this.#addDirection(index);
  }

  #addRow(): number {
    const index = this.size++;
    this.makeRoom();
    if (this.slopes.length < this.size) {
      const capacity = Math.max(1024, Math.ceil(this.size * 1.25));
      this.slopes = resized(this.slopes, capacity);
      this.shifts = resized(this.shifts, capacity);
      this.sums = resized(this.sums, capacity);
    }
    return index;
  }

  /** Room for the vectors of all rows; once they are many, in a memory of their own. */
  protected makeRoom(): void {
    const length = this.size * this.stride;
    if (this.#own === null && !holdsAsSmall(this.size, this.stride)) this.#moveOut();
    if (this.#own !== null) this.reserve(VECTORS_AT + length);
    else if (this.bytes.length < length) this.#resize(Math.ceil(length * 1.5));
  }

  /** Releases unused room of few rows. */
  protected trim(): void {
    if (this.#own === null) this.#resize(this.size * this.stride);
  }

  #resize(length: number): void {
    const bytes = new Uint8Array(length);
    bytes.set(this.bytes.subarray(0, length));
    this.bytes = bytes;
  }

  #moveOut(): void {
    const few = this.bytes;
    const memory = new WebAssembly.Memory({ initial: 1 + GROWTH_PAGES_MIN, maximum: PAGES_MAX });
    this.#own = { memory, kernel: instantiateKernel(memory) };
    this.#vectorsAt = VECTORS_AT;
    this.bytes = new Uint8Array(memory.buffer);
    this.reserve(VECTORS_AT + few.length);
    this.bytes.set(few, VECTORS_AT);
  }

  /** Where the vector of a row begins in `bytes`. */
  protected startOf(row: number): number {
    return this.#vectorsAt + row * this.stride;
  }

  #addDirection(index: number): void {
    const slope = this.slopes[index]!;
    if (slope === 0) return;
    this.vectorCount += 1;
    const shift = this.shifts[index]!;
    const start = this.startOf(index);
    for (let at = 0; at < this.dimensions; at++)
      this.directions[at]! += slope * this.bytes[start + at]! + shift;
  }

  /** The first `limit` rows without a vector for which `allows` is true. */
  lacking(limit: number, allows: (index: number) => boolean): number[] {
    const rows: number[] = [];
    for (let index = 0; index < this.size && rows.length < limit; index++)
      if (this.slopes[index] === 0 && allows(index)) rows.push(index);
    return rows;
  }

  /** Sets the question's vector for `search` and `measure`. False if it has no direction. */
  ask(query: Vector8): boolean {
    const { slope, shift, sum } = directionOf(query);
    if (slope === 0 || query.bytes.length !== this.dimensions) return false;
    if (this.#own !== null) writeQuery(this.memory, query, this.stride);
    this.asked = query;
    this.query = { slope, shift, constant: sum + this.dimensions * shift };
    return true;
  }

  /** The vector of a row, valid until the next row is added; null if it has none. */
  vectorOf(index: number): Vector8 | null {
    if (this.slopes[index] === 0) return null;
    const start = this.startOf(index);
    const bytes = this.bytes.subarray(start, start + this.dimensions);
    return { bytes, alpha: this.slopes[index]!, shift: this.shifts[index]! };
  }

  /** Compares these rows, whether in scope or not, and returns their number. */
  measure(indexes: ArrayLike<number>): number {
    if (this.#own === null) return this.#measureSmall(indexes);
    this.list.set(indexes);
    this.kernel.dots(this.listAt, indexes.length, VECTORS_AT, QUERY_AT, this.stride, this.dotsAt);
    return indexes.length;
  }

  #measureSmall(indexes: ArrayLike<number>): number {
    const vectors = { version: this.#version, bytes: this.bytes, stride: this.stride };
    const { list, dots } = smallVectors.compare(vectors, this.asked!, indexes);
    this.list = list;
    this.dots = dots;
    return indexes.length;
  }

  /** Cosine of the row at `place` of the list to the question; NaN for a row without a vector. */
  cosine(place: number): number {
    const index = this.list[place]!;
    const slope = this.slopes[index]!;
    if (slope === 0) return Number.NaN;
    const { slope: querySlope, shift, constant } = this.query;
    return (
      querySlope * slope * this.dots[place]! +
      constant * this.shifts[index]! +
      shift * this.sums[index]!
    );
  }

  /** Writes the cosines of the rows to a direction; 0 for a row without a vector. */
  project(direction: Float32Array, rows: Uint32Array, out: Float64Array): void {
    if (!this.ask(quantiseVector8(direction))) return;
    this.measure(rows);
    for (let place = 0; place < rows.length; place++) out[place] = this.cosine(place) || 0;
  }

  /** Places the lists of `count` rows and of their dot products in memory. */
  protected placeLists(listAt: number, count: number): void {
    this.listAt = listAt;
    this.dotsAt = listAt + count * 4;
    this.#listLength = count;
    this.reserve(this.dotsAt + count * 4, true);
    this.#viewLists();
  }

  protected write(index: number, vector: Vector8): void {
    const { slope, shift, sum } = directionOf(vector);
    this.slopes[index] = slope;
    this.shifts[index] = shift;
    this.sums[index] = sum;
    this.bytes.set(vector.bytes, this.startOf(index));
    this.#version = smallVectors.newVersion();
  }

  protected reserve(length: number, exactly = false): void {
    const present = this.memory.buffer.byteLength;
    if (length <= present) return;
    const missing = Math.ceil((length - present) / PAGE_BYTES);
    const pages = exactly
      ? missing
      : Math.max(missing, GROWTH_PAGES_MIN, Math.ceil(present / PAGE_BYTES / 8));
    this.memory.grow(pages);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.#viewLists();
  }

  #viewLists(): void {
    this.list = new Uint32Array(this.memory.buffer, this.listAt, this.#listLength);
    this.dots = new Int32Array(this.memory.buffer, this.dotsAt, this.#listLength);
  }
}

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
