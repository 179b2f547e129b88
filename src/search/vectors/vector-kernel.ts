import { setCentres } from './block-centres.ts';
import { CLASSES, nameComparedRows } from './dimension-classes.ts';
import { distanceLimit } from './distance-limit.ts';
import type { ArrayPacking, ArrayUnpacking } from './packed-arrays.ts';
import { VectorBlocks } from './vector-blocks.ts';
import {
  BLOCK,
  BLOCK_SHIFT,
  MASKED,
  type Mask,
  type PlacedRows,
  type RowFilter,
  VectorMasks,
} from './vector-masks.ts';
import { orderByNearness } from './vector-order.ts';
import { QUERY_AT, roundUp, VECTORS_AT, VectorRows } from './vector-rows.ts';
import type { Vector8 } from './vector8.ts';

/** In the first page, behind the query. */
const OFFSETS_AT = 8192;
const SIGNS_AT = 16_384;
const HISTOGRAM_AT = 40_960;

/** Bytes copied between two pauses: about 1 ms. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

/** Rows of bits that the first pass adds at a time. */
const GROUP = 16;
/** The most groups of one class that the kernel's bit planes can count. */
const GROUPS_MAX = 31;
const SELECTED_DISTANCE_MAX = MASKED - 1;

/** So few vectors in scope are compared exactly: there the first pass saves nothing. */
const EXACT_MAX = 1000;
/** So are those of a scope that covers at most one vector in so many: a first pass compares whole blocks. */
const SPARSE = 32;

/** From this many vectors on, they are ordered by nearness, so that questions pass over most. */
const ORDERED_FROM = 100_000;
/** They are ordered again when this share of them has been set since. */
const LOOSE_SHARE_MAX = 1 / 4;

/**
 * The search of vectors in two passes: by 1 bit a dimension, then exactly for the nearest of those.
 * Call `append` for each row, then `seal`, then search.
 *
 * The bits stand in blocks of 128 slots. Many vectors are ordered by nearness once `order` was
 * called, and the first pass then leaves out the blocks that are far from the question.
 */
export class VectorKernel extends VectorRows {
  /** Bytes of a block's bits: a row of 16 for each dimension, and an empty row. */
  readonly #blockBytes: number;
  /** Groups of rows compared for each class of dimensions, in the order of `CLASSES`. */
  readonly #groups: readonly number[];
  /** The greatest distance, and the standard deviation of that between unrelated vectors. */
  readonly #distanceMax: number;
  readonly #deviation: number;
  /** The mean direction of the vectors. A vector's bits say on which side of it each value lies. */
  #mean: Float64Array;
  /** Bits, then the centres of blocks. */
  #bitsAt = 0;
  /** Room for another order while the present one is in use; 0 before there is any. */
  #spareBitsAt = 0;
  #masksAt = 0;
  #distancesAt = 0;
  /** Null: each row stands in the slot of its number. */
  #blocks: VectorBlocks | null = null;
  /** Null where there are few rows, which need no bits either. */
  #masks: VectorMasks | null = null;
  /** The rows in scope, where there are few. */
  #scope: number[] = [];
  #chosen = new Uint8Array(0);
  /** Vectors that stand where the order says nothing about them. */
  #looseCount = 0;
  /** Rows set while they are being ordered; null at other times. */
  #setMeanwhile: Set<number> | null = null;

  /** At most 3,968 dimensions. */
  constructor(dimensions: number) {
    super(dimensions);
    this.#blockBytes = (dimensions + 1) * 16;
    this.#groups = CLASSES.map(({ share }) =>
      Math.min(GROUPS_MAX, Math.ceil((dimensions * share) / GROUP)),
    );
    const weights = CLASSES.flatMap(({ weight }, at) =>
      new Array<number>(GROUP * this.#groups[at]!).fill(weight),
    );
    this.#distanceMax = weights.reduce((sum, weight) => sum + weight, 0);
    this.#deviation = Math.hypot(...weights) / 2;
    this.#mean = this.directions;
  }

  override get byteSize(): number {
    return super.byteSize + (this.#blocks?.byteSize ?? 0);
  }

  /** Prepares for searching. Yields after every 256 rows, about every 0.2 ms. */
  *seal(): Generator<void, void> {
    this.#layOut();
    this.#mean = this.directions.map((sum) => sum / Math.max(1, this.vectorCount));
    this.#looseCount = this.vectorCount;
    for (let index = 0; index < this.size && !this.isSmall; index++) {
      if (this.slopes[index] !== 0) this.#writeBits(index, index, this.#bitsAt);
      if (index % 256 === 255) yield;
    }
  }

  /** Whether there are so many vectors that `order` makes searches faster. */
  get isDisordered(): boolean {
    const count = this.vectorCount;
    return count >= ORDERED_FROM && this.#looseCount > count * LOOSE_SHARE_MAX;
  }

  /**
   * Orders the vectors by nearness. Searches may come meanwhile, packing may not. Takes about 8 µs
   * for each vector; yields every few milliseconds.
   */
  *order(): Generator<void, void> {
    if (this.isSmall) return;
    this.#setMeanwhile = new Set();
    const rows = new Uint32Array(this.size);
    let found = 0;
    for (let row = 0; row < this.size; row++) if (this.slopes[row] !== 0) rows[found++] = row;
    yield;
    const own = {
      dimensions: this.dimensions,
      vectorOf: (row: number) => this.#directionOf(row),
      project: this.project.bind(this),
    };
    yield* orderByNearness(own, rows.subarray(0, found), BLOCK);
    const isFound = new Uint8Array(this.size);
    for (let slot = 0; slot < found; slot++) isFound[rows[slot]!] = 1;
    for (let row = 0, slot = found; row < this.size; row++)
      if (isFound[row] === 0) rows[slot++] = row;
    yield;
    const blocks = new VectorBlocks(rows, Math.floor(found / BLOCK));
    const bitsAt = this.#roomForOrder();
    const centresAt = this.#centresAt(bitsAt);
    this.#mean = yield* setCentres(blocks, own, (block, { bytes }) =>
      this.bytes.set(bytes, centresAt + block * this.stride),
    );
    for (let slot = 0; slot < found; slot++) {
      this.#writeBits(rows[slot]!, slot, bitsAt);
      if (slot % 256 === 255) yield;
    }
    // From here to the end in one step.
    [this.#bitsAt, this.#spareBitsAt] = [bitsAt, this.#bitsAt];
    this.#blocks = blocks;
    this.#masks = new VectorMasks(this.memory, this.#masksAt, this.#blockCount);
    const late = this.#setMeanwhile;
    this.#setMeanwhile = null;
    this.#looseCount = found - blocks.count * BLOCK;
    for (const row of late) this.#put(row, isFound[row] === 1);
  }

  /** A row may lose its vector while it is being ordered. */
  #directionOf(row: number): Vector8 {
    return this.vectorOf(row) ?? { bytes: new Uint8Array(this.dimensions), alpha: 0, shift: 0 };
  }

  /** Call it after `seal`. A copy tells which rows have a vector: others may get theirs meanwhile. */
  pack(to: ArrayPacking): void {
    to.add(Float64Array.of(this.dimensions, this.size, this.#looseCount), this.#mean);
    for (const numbers of [this.slopes, this.shifts, this.sums])
      to.add(numbers.slice(0, this.size));
    to.add(this.bytes.subarray(this.startOf(0), this.startOf(this.size)));
    to.add(this.bytes.subarray(this.#bitsAt, this.#bitsAt + this.#bitsLength));
    to.add(Uint8Array.of(this.#blocks === null ? 0 : 1));
    this.#blocks?.pack(to);
  }

  /** Yields every few milliseconds. */
  static *unpack(from: ArrayUnpacking): Generator<void, VectorKernel> {
    const numbers = from.take(Float64Array);
    const [dimensions, size, looseCount] = numbers as unknown as [number, number, number];
    const vectors = new VectorKernel(dimensions);
    vectors.#mean.set(from.take(Float64Array));
    vectors.size = size;
    vectors.slopes = from.take(Float32Array);
    vectors.shifts = from.take(Float32Array);
    vectors.sums = from.take(Float32Array);
    vectors.#layOut();
    // Bits of few vectors are not used.
    for (const start of [vectors.startOf(0), vectors.isSmall ? null : vectors.#bitsAt]) {
      const bytes = from.take(Uint8Array);
      for (let at = 0; start !== null && at < bytes.length; at += COPIED_AT_ONCE) {
        vectors.bytes.set(bytes.subarray(at, at + COPIED_AT_ONCE), start + at);
        yield;
      }
    }
    if (from.take(Uint8Array)[0] === 1) vectors.#blocks = VectorBlocks.unpack(from);
    for (const slope of vectors.slopes) if (slope !== 0) vectors.vectorCount += 1;
    vectors.#looseCount = looseCount;
    return vectors;
  }

  get #blockCount(): number {
    return Math.ceil(this.size / BLOCK);
  }

  /** Bytes of the bits and the centres of one order. */
  get #bitsLength(): number {
    if (this.isSmall) return 0;
    return this.#blockCount * (this.#blockBytes + this.stride);
  }

  #centresAt(bitsAt: number): number {
    return bitsAt + this.#blockCount * this.#blockBytes;
  }

  #layOut(): void {
    this.makeRoom();
    this.trim();
    if (this.isSmall) return;
    const padded = this.#blockCount * BLOCK;
    this.#bitsAt = roundUp(VECTORS_AT + this.size * this.stride, 16);
    this.#masksAt = this.#bitsAt + this.#bitsLength;
    this.#distancesAt = this.#masksAt + VectorMasks.bytesFor(this.#blockCount);
    this.placeLists(this.#distancesAt + padded * 2, padded);
    this.#chosen = new Uint8Array(this.#blockCount);
    this.#masks = new VectorMasks(this.memory, this.#masksAt, this.#blockCount);
  }

  #roomForOrder(): number {
    if (this.#spareBitsAt === 0) {
      this.#spareBitsAt = this.dotsAt + this.#blockCount * BLOCK * 4;
      this.reserve(this.#spareBitsAt + this.#bitsLength, true);
    }
    return this.#spareBitsAt;
  }

  /** Sets or replaces the vector of a row. Call after `seal`. */
  replace(index: number, vector: Vector8): void {
    const hadVector = this.slopes[index] !== 0;
    this.write(index, vector);
    this.vectorCount += (this.slopes[index] === 0 ? 0 : 1) - (hadVector ? 1 : 0);
    this.#setMeanwhile?.add(index);
    if (!this.isSmall) this.#put(index, hadVector);
  }

  /** Puts a vector that was set into its slot and into the scopes. */
  #put(index: number, hadVector: boolean): void {
    const slot = this.#slots.slotOf(index);
    this.#writeBits(index, slot, this.#bitsAt);
    if (this.#blocks?.loosen(slot >>> BLOCK_SHIFT) === true || !hadVector) this.#looseCount += 1;
    this.#masks!.mark(index, this.#slots);
  }

  get #slots(): PlacedRows {
    const { slopes, size: count } = this;
    const slots = this.#blocks?.slots ?? null;
    return {
      count,
      slotOf: (row) => (slots === null ? row : slots[row]!),
      hasVector: (row) => slopes[row] !== 0,
    };
  }

  /**
   * Limits `search` to the rows of the filter until the next call. Returns the number of vectors
   * among them.
   */
  narrow(filter: RowFilter): number {
    if (this.#masks === null) {
      this.#scope = [];
      for (let row = 0; row < this.size; row++)
        if (this.slopes[row] !== 0 && filter.allows(row)) this.#scope.push(row);
      return this.#scope.length;
    }
    this.#masks.narrow(filter, this.#slots);
    return this.#masks.present.total;
  }

  /**
   * Compares the rows in scope that are likely to be nearest, at least `wanted` if there are so many, and
   * returns how many it compared. `list` then holds their numbers, `cosine` their cosines.
   */
  search(wanted: number): number {
    if (this.#masks === null) return this.measure(this.#scope);
    const count = this.#select(wanted, this.#masks);
    this.kernel.dots(this.listAt, count, VECTORS_AT, QUERY_AT, this.stride, this.dotsAt);
    return count;
  }

  #select(wanted: number, masks: VectorMasks): number {
    const mask = masks.present;
    const { total } = mask;
    if (total <= Math.max(wanted, EXACT_MAX, this.size / SPARSE)) {
      this.list.set(masks.list(mask));
      return this.#nameSlots(total);
    }
    this.#chooseBlocks(mask, wanted);
    const slots = this.#compareChosen(mask) * BLOCK;
    const limit = Math.min(this.#limitOf(mask, slots, wanted), SELECTED_DISTANCE_MAX);
    const found = this.kernel.select(this.#distancesAt, slots / 16, limit, this.listAt);
    return this.#nameFound(found);
  }

  #limitOf({ inBlocks }: Mask, slots: number, wanted: number): number {
    const { threshold } = this.kernel;
    const bins = this.#distanceMax + 1;
    const histogram = new Uint32Array(this.memory.buffer, HISTOGRAM_AT, bins);
    const count = (step: number) => {
      histogram.fill(0);
      return threshold(this.#distancesAt, slots, step, wanted, HISTOGRAM_AT, bins);
    };
    const inScope = inBlocks.reduce((sum, own, at) => sum + own * this.#chosen[at]!, 0);
    return distanceLimit({ slots, inScope, wanted, deviation: this.#deviation, count, histogram });
  }

  /** Replaces the first `count` slots in the list by their rows. */
  #nameSlots(count: number): number {
    const rows = this.#blocks?.rows;
    if (rows !== undefined)
      for (let place = 0; place < count; place++) this.list[place] = rows[this.list[place]!]!;
    return count;
  }

  #chooseBlocks({ inBlocks }: Mask, wanted: number): void {
    const blocks = this.#blocks;
    if (blocks === null) {
      for (let block = 0; block < inBlocks.length; block++)
        this.#chosen[block] = inBlocks[block] === 0 ? 0 : 1;
      return;
    }
    for (let block = 0; block < blocks.count; block++) this.list[block] = block;
    const centresAt = this.#centresAt(this.#bitsAt);
    this.kernel.dots(this.listAt, blocks.count, centresAt, QUERY_AT, this.stride, this.dotsAt);
    blocks.choose(this.query, this.dots, { inScope: inBlocks, wanted, chosen: this.#chosen });
  }

  /** Writes the distances of the chosen blocks, one block after the other. Returns their number. */
  #compareChosen({ at }: Mask): number {
    const { buffer } = this.memory;
    const lengths = this.#groups.map((groups) => groups * GROUP);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    nameComparedRows(this.asked!, lengths, {
      offsets: new Uint32Array(buffer, OFFSETS_AT, total),
      signs: new Int32Array(buffer, SIGNS_AT, total),
    });
    const [groups4, groups2, groups1] = this.#groups as [number, number, number];
    const chosen = this.#chosen;
    let count = 0;
    for (let from = chosen.indexOf(1); from >= 0; ) {
      const next = chosen.indexOf(0, from);
      const end = next < 0 ? chosen.length : next;
      this.kernel.distances(
        this.#bitsAt + from * this.#blockBytes,
        this.#blockBytes,
        OFFSETS_AT,
        SIGNS_AT,
        groups1,
        groups2,
        groups4,
        at + from * BLOCK * 2,
        this.#distancesAt + count * BLOCK * 2,
        end - from,
      );
      count += end - from;
      from = chosen.indexOf(1, end);
    }
    return count;
  }

  /** Replaces the first `count` places among the chosen blocks in the list by their rows. */
  #nameFound(count: number): number {
    let place = 0;
    for (let block = 0, past = 0; place < count; block++) {
      if (this.#chosen[block] === 0) continue;
      const moved = block * BLOCK - past;
      past += BLOCK;
      while (place < count && this.list[place]! < past) this.list[place++]! += moved;
    }
    return this.#nameSlots(count);
  }

  #writeBits(index: number, slot: number, bitsAt: number): void {
    const start = VECTORS_AT + index * this.stride;
    const bytes = this.bytes;
    const slope = this.slopes[index]!;
    const shift = this.shifts[index]!;
    const bit = 1 << (slot & 7);
    let at = bitsAt + (slot >>> BLOCK_SHIFT) * this.#blockBytes + ((slot % BLOCK) >> 3);
    for (let dimension = 0; dimension < this.dimensions; dimension++, at += 16) {
      const isAbove = slope * bytes[start + dimension]! + shift > this.#mean[dimension]!;
      bytes[at] = isAbove ? bytes[at]! | bit : bytes[at]! & ~bit;
    }
  }
}
