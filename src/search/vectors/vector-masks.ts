/** Vectors stand in blocks of 128 slots, because the first pass compares that many together. */
export const BLOCK_SHIFT = 7;
export const BLOCK = 1 << BLOCK_SHIFT;

/** The mark of a slot out of scope or without a vector: a distance that is never selected. */
export const MASKED = 0xffff;

/** Scopes whose masks are kept, because one search after another asks for another scope. */
const KEPT = 4;

/** Which rows a search covers. */
export interface RowFilter {
  /** Equal for filters that allow the same rows, as long as they hide the same ones. */
  readonly key: string;
  /** A 1 for each row that is hidden whatever the scope; null for none. */
  readonly hides: Uint8Array | null;
  allows(row: number): boolean;
}

/** The slots that a scope covers. */
export interface Mask {
  readonly filter: RowFilter;
  /** Where the marks of the slots stand in memory: 0 for those in scope, 16 bits each. */
  readonly at: number;
  /** The number of slots in scope, in all and in each block. */
  total: number;
  readonly inBlocks: Uint32Array;
  /** Once they were asked for, and until one changes. */
  slots: Uint32Array | null;
}

/** Where each row stands, and whether it has a vector. */
export interface PlacedRows {
  readonly count: number;
  slotOf(row: number): number;
  hasVector(row: number): boolean;
}

/** The scopes asked for last, in the memory of the vectors. */
export class VectorMasks {
  readonly #memory: WebAssembly.Memory;
  readonly #at: number;
  readonly #blockCount: number;
  /** Last asked for first. */
  readonly #masks: Mask[] = [];

  constructor(memory: WebAssembly.Memory, at: number, blockCount: number) {
    this.#memory = memory;
    this.#at = at;
    this.#blockCount = blockCount;
  }

  /** Bytes in memory. */
  static bytesFor(blockCount: number): number {
    return blockCount * BLOCK * 2 * KEPT;
  }

  /** The mask asked for last. */
  get present(): Mask {
    return this.#masks[0]!;
  }

  /** Makes the mask of the filter the present one. */
  narrow(filter: RowFilter, rows: PlacedRows): void {
    const known = this.#masks.findIndex(
      (mask) => mask.filter.key === filter.key && mask.filter.hides === filter.hides,
    );
    const mask = known < 0 ? this.#make(filter, rows) : this.#masks.splice(known, 1)[0]!;
    this.#masks.unshift(mask);
  }

  /** Marks a row that got, changed or lost its vector in every mask. */
  mark(row: number, rows: PlacedRows): void {
    const slot = rows.slotOf(row);
    for (const mask of this.#masks) {
      const isIn = rows.hasVector(row) && mask.filter.allows(row);
      const marks = this.#marksAt(mask.at);
      const change = (isIn ? 1 : 0) - (marks[slot] === 0 ? 1 : 0);
      marks[slot] = isIn ? 0 : MASKED;
      mask.total += change;
      mask.slots = null;
      mask.inBlocks[slot >>> BLOCK_SHIFT]! += change;
    }
  }

  /** The slots in scope, for a scope of few. */
  list(mask: Mask): Uint32Array {
    if (mask.slots !== null) return mask.slots;
    const { inBlocks } = mask;
    const marks = this.#marksAt(mask.at);
    const slots = new Uint32Array(mask.total);
    let count = 0;
    for (let block = 0; block < inBlocks.length; block++) {
      if (inBlocks[block] === 0) continue;
      const end = (block + 1) * BLOCK;
      for (let slot = block * BLOCK; slot < end; slot++)
        if (marks[slot] === 0) slots[count++] = slot;
    }
    mask.slots = slots;
    return slots;
  }

  #make(filter: RowFilter, rows: PlacedRows): Mask {
    const place = this.#masks.length;
    const at =
      place < KEPT ? this.#at + place * this.#blockCount * BLOCK * 2 : this.#masks.pop()!.at;
    const inBlocks = new Uint32Array(this.#blockCount);
    const mask: Mask = { filter, at, total: 0, inBlocks, slots: null };
    const marks = this.#marksAt(at).fill(MASKED);
    for (let row = 0; row < rows.count; row++) {
      if (!rows.hasVector(row) || !filter.allows(row)) continue;
      const slot = rows.slotOf(row);
      marks[slot] = 0;
      mask.total += 1;
      mask.inBlocks[slot >>> BLOCK_SHIFT]! += 1;
    }
    return mask;
  }

  #marksAt(at: number): Uint16Array {
    return new Uint16Array(this.#memory.buffer, at, this.#blockCount * BLOCK);
  }
}
