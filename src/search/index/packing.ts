import { resized } from '../../collections/resized.ts';

/*
 * An index as plain arrays of numbers, for a file. Each class packs and unpacks its own arrays, in
 * the same order; nothing but the order says which is which, so a change of it needs another
 * `PACKING_VERSION`.
 */

/** Changes whenever the order or the meaning of the packed arrays does. */
export const PACKING_VERSION = 7;

export type Numbers =
  | Uint8Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | Float32Array<ArrayBufferLike>
  | Float64Array<ArrayBufferLike>;

/** The class of a typed array. */
export type NumbersKind<Values extends Numbers> = {
  new (buffer: ArrayBuffer): Values;
  new (length: number): Values;
};

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
  readonly #buffers: Iterator<ArrayBuffer>;

  /** The bytes of each packed array. */
  constructor(buffers: Iterable<ArrayBuffer>) {
    this.#buffers = buffers[Symbol.iterator]();
  }

  take<Taken extends Numbers>(kind: NumbersKind<Taken>): Taken {
    return new kind(this.#buffers.next().value as ArrayBuffer);
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

/** As `Unpacking.takeTexts`, in one step. */
export function takeTextsAtOnce(from: Unpacking): string[] {
  const steps = from.takeTexts();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Takes an array of each part, and releases its memory once it was used. Parts are joined array by array, so that
 * there is never more than one index in memory besides what is being joined.
 */
export function takeEach<Taken extends Numbers>(
  parts: readonly Unpacking[],
  kind: NumbersKind<Taken>,
  use: (taken: Taken, part: number) => void,
): void {
  for (const [at, part] of parts.entries()) {
    const taken = part.take(kind);
    use(taken, at);
    resized(taken, 0);
  }
}

/** The arrays one after another. Releases their memory. */
export function joined<Values extends Numbers>(arrays: readonly Values[]): Values {
  const [first] = arrays;
  if (arrays.length === 1) return first!;
  const kind = first!.constructor as NumbersKind<Values>;
  const whole = new kind(arrays.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const array of arrays) {
    whole.set(array, end);
    end += array.length;
    resized(array, 0);
  }
  return whole;
}

/** For each array, the sum of the lengths of those before it. */
export function sumsBefore(arrays: readonly { readonly length: number }[]): number[] {
  let sum = 0;
  return arrays.map(({ length }) => {
    sum += length;
    return sum - length;
  });
}
