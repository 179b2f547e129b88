import type { ArrayPacking, ArrayUnpacking } from './packed-arrays.ts';
import { directionOf, type Vector8 } from './vector8.ts';

/** Steps between the nearest and the farthest block by which blocks are chosen. */
const STEPS = 1024;

/**
 * The share of the vectors in scope that a question is compared with falls as their number grows:
 * .54 of 100,000 and .28 of 1,000,000. Measured so that recall@150 against all cosines stays at .99
 * (the README of `search` has the figures).
 */
const COMPARED_SHARE = 14.5;
const COMPARED_ROOT = 3.5;

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
  /** A centre's cosine is linear in its dot product with the question's bytes, as a row's is. */
  readonly #slopes: Float32Array;
  readonly #shifts: Float32Array;
  readonly #sums: Float32Array;
  /** Ordered blocks that hold a vector set since. */
  readonly #loose = new Set<number>();
  readonly #nearness: Float64Array;

  constructor(rows: Uint32Array, count: number) {
    this.rows = rows;
    this.slots = new Uint32Array(rows.length);
    for (let slot = 0; slot < rows.length; slot++) this.slots[rows[slot]!] = slot;
    this.count = count;
    this.#slopes = new Float32Array(count);
    this.#shifts = new Float32Array(count);
    this.#sums = new Float32Array(count);
    this.#nearness = new Float64Array(count);
  }

  pack(to: ArrayPacking): void {
    to.add(this.rows, this.#slopes, this.#shifts, this.#sums, Uint32Array.from(this.#loose));
  }

  static unpack(from: ArrayUnpacking): VectorBlocks {
    const rows = from.take(Uint32Array);
    const slopes = from.take(Float32Array);
    const blocks = new VectorBlocks(rows, slopes.length);
    blocks.#slopes.set(slopes);
    blocks.#shifts.set(from.take(Float32Array));
    blocks.#sums.set(from.take(Float32Array));
    for (const block of from.take(Uint32Array)) blocks.#loose.add(block);
    return blocks;
  }

  get byteSize(): number {
    return this.rows.byteLength + this.slots.byteLength + this.#nearness.byteLength * 2.5;
  }

  setCentre(block: number, centre: Vector8): void {
    const { slope, shift, sum } = directionOf(centre);
    this.#slopes[block] = slope;
    this.#shifts[block] = shift;
    this.#sums[block] = sum;
  }

  /** Says that a block holds a vector that its centre does not tell of. False if it was known. */
  loosen(block: number): boolean {
    if (block >= this.count || this.#loose.has(block)) return false;
    this.#loose.add(block);
    return true;
  }

  /**
   * Marks the blocks to compare with a question: 1 in `chosen`. `dots`: the dot products of centres
   * and question. `inScope`: the number of vectors in scope in each block, which add up to `total`.
   */
  choose(
    question: { readonly slope: number; readonly shift: number; readonly constant: number },
    dots: Int32Array,
    { inScope, total, chosen }: { inScope: Uint32Array; total: number; chosen: Uint8Array },
  ): void {
    const nearness = this.#nearness;
    let nearest = -1;
    let farthest = 1;
    for (let block = 0; block < this.count; block++) {
      const cosine =
        question.slope * this.#slopes[block]! * dots[block]! +
        question.constant * this.#shifts[block]! +
        question.shift * this.#sums[block]!;
      nearness[block] = cosine;
      if (cosine > nearest) nearest = cosine;
      if (cosine < farthest) farthest = cosine;
    }
    const scale = nearest > farthest ? (STEPS - 1) / (nearest - farthest) : 0;
    const counts = new Uint32Array(STEPS);
    for (let block = 0; block < this.count; block++)
      counts[Math.floor((nearness[block]! - farthest) * scale)]! += inScope[block]!;
    let missing = total * comparedShare(total);
    let step = STEPS;
    while (missing > 0 && step > 0) missing -= counts[--step]!;
    for (let block = 0; block < inScope.length; block++) {
      const isNear =
        block >= this.count || Math.floor((nearness[block]! - farthest) * scale) >= step;
      chosen[block] = inScope[block]! > 0 && isNear ? 1 : 0;
    }
    for (const block of this.#loose) chosen[block] = inScope[block]! > 0 ? 1 : 0;
  }
}

/** The share of that many vectors that is compared; 1 if it saves too little to pass any over. */
export function comparedShare(count: number): number {
  return Math.min(1, COMPARED_SHARE / count ** (1 / COMPARED_ROOT));
}
