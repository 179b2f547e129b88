import { resized } from '../../collections/resized.ts';

/*
 * An index as plain arrays of numbers, for a file. Each class packs and unpacks its own arrays, in
 * the same order; nothing but the order says which is which, so a change of it needs another
 * `PACKING_VERSION`.
 */

/** Changes whenever the order or the meaning of the packed arrays does. */
export const PACKING_VERSION = 5;

export type Numbers =
  | Uint8Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | Float32Array<ArrayBufferLike>
  | Float64Array<ArrayBufferLike>;

/** A growing list of numbers in one typed array. */
export class NumberList<Values extends Numbers> {
  values: Values;
  length = 0;

  constructor(make: (length: number) => Values, capacity = 1024) {
    this.values = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      this.values = resized(this.values, Math.ceil(this.length * 1.5));
    }
    this.values[this.length++] = value;
  }

  /** The numbers in it, without unused capacity. */
  get used(): Values {
    return this.values.subarray(0, this.length) as Values;
  }

  /** Replaces what is in it, without copying. */
  hold(values: Values): void {
    this.values = values;
    this.length = values.length;
  }

  /** Releases unused capacity. */
  trim(): void {
    this.values = resized(this.values, this.length);
  }

  /** Empties it and releases its memory. */
  release(): void {
    this.values = resized(this.values, 0);
    this.length = 0;
  }
}

/** Texts unpacked between two pauses: about 1 ms. */
const TEXTS_AT_ONCE = 8192;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Takes the arrays of an index in order. It refers to them and does not copy them. */
export class Packing {
  readonly arrays: Numbers[] = [];

  add(...arrays: readonly Numbers[]): void {
    this.arrays.push(...arrays);
  }

  addTexts(texts: readonly string[]): void {
    this.add(
      encoder.encode(texts.join('')),
      Uint32Array.from(texts, (text) => text.length),
    );
  }
}

/** What `pack` adds, each array in a buffer of its own that can be transferred to another thread. */
export function packedBuffers(pack: (to: Packing) => void): ArrayBuffer[] {
  const packing = new Packing();
  pack(packing);
  return packing.arrays.map(ownBuffer);
}

function ownBuffer(array: Numbers): ArrayBuffer {
  const { buffer, byteLength } = array;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? buffer : (array.slice().buffer as ArrayBuffer);
}

/** Gives the arrays of an index back, in order. */
export class Unpacking {
  readonly #buffers: readonly ArrayBuffer[];
  #next = 0;

  /** The bytes of each packed array. */
  constructor(buffers: readonly ArrayBuffer[]) {
    this.#buffers = buffers;
  }

  take<Taken extends Numbers>(kind: new (buffer: ArrayBuffer) => Taken): Taken {
    return new kind(this.#buffers[this.#next++]!);
  }

  /** Yields every few milliseconds. */
  *takeTexts(): Generator<void, string[]> {
    const all = decoder.decode(this.take(Uint8Array));
    yield;
    const texts: string[] = [];
    let at = 0;
    for (const length of this.take(Uint32Array)) {
      texts.push(all.slice(at, at + length));
      at += length;
      if (texts.length % TEXTS_AT_ONCE === 0) yield;
    }
    return texts;
  }
}
