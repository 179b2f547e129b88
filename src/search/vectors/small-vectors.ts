import { instantiateKernel, type Kernel } from './vector-kernel-instance.ts';
import type { Vector8 } from './vector8.ts';

const PAGE_BYTES = 65_536;
/** In the first page; the slots follow it. */
const QUERY_AT = 0;
const LIST_AT = 8192;
const DOTS_AT = 16_384;

/** Up to this many rows, comparing every row exactly is as fast as any other way. */
export const SMALL_ROWS_MAX = 1000;
const SLOT_BYTES = 8 * PAGE_BYTES;
/** Catalogues whose vectors stay in shared memory because they were asked last: 8 MB. */
export const SLOTS = 16;

/** Few quantised vectors, one after the other, outside of shared memory. */
export interface FewVectors {
  /** Different for different vectors. */
  readonly version: number;
  readonly bytes: Uint8Array;
  /** Bytes of each. */
  readonly stride: number;
}

/** Whether so many vectors are few. */
export function holdsAsSmall(count: number, stride: number): boolean {
  return count <= SMALL_ROWS_MAX && count * stride <= SLOT_BYTES;
}

/**
 * The WebAssembly memory in which the vectors of all small catalogues are compared. JavaScriptCore
 * has four fast memories; each further one that is made collects all garbage of the process first,
 * synchronously. Thousands of organizations, and the overlay of each import, would do that.
 */
class SmallVectors {
  #memory: WebAssembly.Memory | null = null;
  #kernel: Kernel | null = null;
  #lastVersion = 0;
  /** By slot: the version of its vectors, and when they were compared last. */
  readonly #versions = new Float64Array(SLOTS);
  readonly #usedAt = new Float64Array(SLOTS);
  #uses = 0;

  newVersion(): number {
    this.#lastVersion += 1;
    return this.#lastVersion;
  }

  /** Compares these rows with a question. Both lists are valid until the next call. */
  compare(
    vectors: FewVectors,
    question: Vector8,
    rows: ArrayLike<number>,
  ): { list: Uint32Array<ArrayBuffer>; dots: Int32Array<ArrayBuffer> } {
    this.#memory ??= new WebAssembly.Memory({
      initial: 1 + (SLOTS * SLOT_BYTES) / PAGE_BYTES,
      maximum: 1 + (SLOTS * SLOT_BYTES) / PAGE_BYTES,
    });
    this.#kernel ??= instantiateKernel(this.#memory);
    const buffer = this.#memory.buffer as ArrayBuffer;
    const list = new Uint32Array(buffer, LIST_AT, rows.length);
    const dots = new Int32Array(buffer, DOTS_AT, rows.length);
    list.set(rows);
    writeQuery(this.#memory, question, vectors.stride);
    const vectorsAt = this.#place(vectors);
    this.#kernel.dots(LIST_AT, rows.length, vectorsAt, QUERY_AT, vectors.stride, DOTS_AT);
    return { list, dots };
  }

  /** Copies vectors into a slot, unless they are in one. Returns where they begin. */
  #place({ version, bytes }: FewVectors): number {
    let slot = this.#versions.indexOf(version);
    if (slot < 0) {
      slot = this.#usedAt.indexOf(Math.min(...this.#usedAt));
      new Uint8Array(this.#memory!.buffer, startOf(slot), SLOT_BYTES).set(bytes);
      this.#versions[slot] = version;
    }
    this.#uses += 1;
    this.#usedAt[slot] = this.#uses;
    return startOf(slot);
  }
}

export const smallVectors = new SmallVectors();

function startOf(slot: number): number {
  return PAGE_BYTES + slot * SLOT_BYTES;
}

/** Writes a question into the first page, 16 bits a dimension. */
export function writeQuery(memory: WebAssembly.Memory, query: Vector8, stride: number): void {
  const wide = new Uint16Array(memory.buffer, QUERY_AT, stride);
  wide.fill(0);
  wide.set(query.bytes);
}
