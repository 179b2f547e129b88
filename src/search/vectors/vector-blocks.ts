import { TAIL_STEPS, TAILS, tailStep } from './normal-tail.ts';
import type { ArrayPacking, ArrayUnpacking } from './packed-arrays.ts';
import { directionOf, type Vector8 } from './vector8.ts';

/**
 * The cosines of a block's vectors to a question count as normally distributed about their mean. Their
 * spread counts as this many times what was measured, because their tails are longer than the normal ones.
 */
const SPREAD_FACTOR = 1.4;
/**
 * Added to each spread, because the limit is an estimate. Without it, a scope of many equal texts had a
 * recall@150 of .986: blocks of them lay just below a limit that was too high.
 */
const LIMIT_ERROR = 0.03;

/**
 * Blocks are passed over that hold, together, this share of the wanted vectors by expectation. It is
 * small, because an expectation says little about the blocks farthest away.
 */
const MISSED_SHARE = 1 / 2000;

/** Halvings of the range of cosines in which the limit is looked for: it is known to .002. */
const ROUNDS_MAX = 10;
/** The limit is good enough if this share more or fewer than wanted are expected above it. */
const LIMIT_TOLERANCE = 1 / 16;

/** The terms of a question's dot product, as `VectorRows` keeps them. */
interface AskedTerms {
  readonly slope: number;
  readonly shift: number;
  readonly constant: number;
}

/**
 * The order in which vectors stand in blocks. Those of the first blocks are ordered by nearness, and
 * each of these blocks has a centre, by which a question passes over it. All others are loose: their
 * blocks are compared with every question.
 */
export class VectorBlocks {
  /** The row in each slot, and the slot of each row. */
  readonly rows: Uint32Array;
  readonly slots: Uint32Array;
  /** Blocks with a centre. */
  readonly count: number;
  /** The mean cosine of a block's vectors is linear in the dot product of centre and question. */
  readonly #slopes: Float32Array;
  readonly #shifts: Float32Array;
  readonly #sums: Float32Array;
  /** The variance of a block's vectors in all dimensions together. */
  readonly #scatters: Float32Array;
  /** The share of that variance along one question. */
  #alongQuestion = 0;
  /** One by the assumed standard deviation of each block's cosines. */
  readonly #inverseSpreads: Float32Array;
  /** Ordered blocks that hold a vector set since. */
  readonly #loose = new Set<number>();
  /** The mean cosine of each block to the question. */
  readonly #means: Float64Array;

  constructor(rows: Uint32Array, count: number) {
    this.rows = rows;
    this.slots = new Uint32Array(rows.length);
    for (let slot = 0; slot < rows.length; slot++) this.slots[rows[slot]!] = slot;
    this.count = count;
    this.#slopes = new Float32Array(count);
    this.#shifts = new Float32Array(count);
    this.#sums = new Float32Array(count);
    this.#scatters = new Float32Array(count);
    this.#inverseSpreads = new Float32Array(count);
    this.#means = new Float64Array(count);
  }

  pack(to: ArrayPacking): void {
    to.add(this.rows, this.#slopes, this.#shifts, this.#sums, this.#scatters);
    to.add(Float64Array.of(this.#alongQuestion), Uint32Array.from(this.#loose));
  }

  static unpack(from: ArrayUnpacking): VectorBlocks {
    const rows = from.take(Uint32Array);
    const slopes = from.take(Float32Array);
    const blocks = new VectorBlocks(rows, slopes.length);
    blocks.#slopes.set(slopes);
    blocks.#shifts.set(from.take(Float32Array));
    blocks.#sums.set(from.take(Float32Array));
    blocks.#scatters.set(from.take(Float32Array));
    blocks.setSpreads(from.take(Float64Array)[0]!);
    for (const block of from.take(Uint32Array)) blocks.#loose.add(block);
    return blocks;
  }

  get byteSize(): number {
    return this.rows.byteLength + this.slots.byteLength + this.#means.byteLength * 3.5;
  }

  /** `centre`: the mean direction of the block's vectors. The more they differ, the shorter it is. */
  setCentre(block: number, centre: Vector8): void {
    const { slope, shift, sum, length } = directionOf(centre);
    this.#slopes[block] = slope * length;
    this.#shifts[block] = shift * length;
    this.#sums[block] = sum * length;
    this.#scatters[block] = Math.max(0, 1 - length * length);
  }

  /** The variance of a block's vectors in all dimensions together. */
  scatter(block: number): number {
    return this.#scatters[block]!;
  }

  /** Call it after the last `setCentre`. `alongQuestion`: the share of the variance along a question. */
  setSpreads(alongQuestion: number): void {
    this.#alongQuestion = alongQuestion;
    for (let block = 0; block < this.count; block++) {
      const deviation = Math.sqrt(alongQuestion * this.#scatters[block]!);
      this.#inverseSpreads[block] = 1 / (SPREAD_FACTOR * deviation + LIMIT_ERROR);
    }
  }

  /** Says that a block holds a vector that its centre does not tell of. False if it was known. */
  loosen(block: number): boolean {
    if (block >= this.count || this.#loose.has(block)) return false;
    this.#loose.add(block);
    return true;
  }

  /**
   * Marks the blocks to compare with a question: 1 in `chosen`. All but those that together hold few
   * of the `wanted` nearest vectors by expectation. `dots`: the dot products of centres and question.
   * `inScope`: the number of vectors in scope in each block.
   */
  choose(
    question: AskedTerms,
    dots: Int32Array,
    { inScope, wanted, chosen }: { inScope: Uint32Array; wanted: number; chosen: Uint8Array },
  ): void {
    const means = this.#means;
    for (let block = 0; block < this.count; block++)
      means[block] =
        question.slope * this.#slopes[block]! * dots[block]! +
        question.constant * this.#shifts[block]! +
        question.shift * this.#sums[block]!;
    const limit = this.#expectedLimit(inScope, wanted);
    const expected = new Float64Array(TAIL_STEPS);
    for (let block = 0; block < this.count; block++) {
      const step = this.#stepTo(limit, block);
      expected[step]! += inScope[block]! * TAILS[step]!;
    }
    let last = TAIL_STEPS - 1;
    for (let missed = expected[last]!; last > 0 && missed <= wanted * MISSED_SHARE; )
      missed += expected[--last]!;
    for (let block = 0; block < inScope.length; block++) {
      const isNear = block >= this.count || this.#stepTo(limit, block) <= last;
      chosen[block] = inScope[block]! > 0 && isNear ? 1 : 0;
    }
    for (const block of this.#loose) chosen[block] = inScope[block]! > 0 ? 1 : 0;
  }

  /** The cosine above which about as many vectors in scope are expected as are wanted. */
  #expectedLimit(inScope: Uint32Array, wanted: number): number {
    let low = -1;
    let high = 1;
    let limit = 0;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      limit = (low + high) / 2;
      let expected = 0;
      for (let block = 0; block < this.count; block++)
        expected += inScope[block]! * TAILS[this.#stepTo(limit, block)]!;
      if (Math.abs(expected - wanted) <= wanted * LIMIT_TOLERANCE) break;
      if (expected > wanted) low = limit;
      else high = limit;
    }
    return limit;
  }

  /** How far a cosine lies above the mean of a block: a step of `TAILS`. */
  #stepTo(cosine: number, block: number): number {
    return tailStep((cosine - this.#means[block]!) * this.#inverseSpreads[block]!);
  }
}
