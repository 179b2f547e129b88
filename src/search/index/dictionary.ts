import { beginningOf } from './facets.ts';
import { NumberList, type Packing, takeTextsAtOnce, type Unpacking } from './packing.ts';

/** Stands for an absent value. */
export const NONE = 0xffff_ffff;
/** Heap bytes of a string besides its characters: header and reference (JavaScriptCore, V8). */
const STRING_OVERHEAD_BYTES = 24;

/** Values numbered between two pauses: about 1 ms. */
const NUMBERED_AT_ONCE = 8192;

const uint32 = (length: number) => new Uint32Array(length);

/** Room for the beginnings of values at first: many catalogues are small. */
const BEGINNINGS_CAPACITY = 16;

/** A dictionary of strings that many documents share, each stored once. */
export class Dictionary {
  readonly values: string[] = [];
  readonly #beginnings = new NumberList(uint32, BEGINNINGS_CAPACITY);
  readonly #numbers = new Map<string, number>();
  #length = 0;

  number(value: string | null): number {
    if (value === null) return NONE;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.values.length);
    this.#length += value.length;
    this.#beginnings.push(beginningOf(value));
    return this.values.push(value) - 1;
  }

  /** The `beginningOf` each value. */
  get beginnings(): Uint32Array {
    return this.#beginnings.values;
  }

  pack(to: Packing): void {
    to.addTexts(this.values);
  }

  /** Yields every few milliseconds. */
  *unpack(from: Unpacking): Generator<void, void> {
    for (const value of yield* from.takeTexts())
      if (this.number(value) % NUMBERED_AT_ONCE === 0) yield;
  }

  /** Packs the texts of packed dictionaries. Returns for each the numbers that its texts have here. */
  static joinPacked(parts: readonly Unpacking[], to: Packing): Uint32Array[] {
    const joined = new Dictionary();
    const numbers: Uint32Array[] = [];
    for (const part of parts) {
      const texts = takeTextsAtOnce(part);
      numbers.push(Uint32Array.from(texts, (text) => joined.number(text)));
    }
    joined.pack(to);
    return numbers;
  }

  get byteSize(): number {
    // Text, map entry and list entry.
    const texts = this.#length + this.values.length * STRING_OVERHEAD_BYTES * 2;
    return texts + this.#beginnings.values.byteLength;
  }
}
