import { resized } from '../../collections/resized.ts';

const INITIAL_UNITS = 4096;
const INITIAL_SLOTS = 512;
/** Slots for each text: the fuller a hash table is, the longer a lookup takes. */
const SLOTS_PER_TEXT = 2;
/** FNV-1 (Fowler, Noll & Vo, 1991), over UTF-16 code units. */
const HASH_PRIME = 0x0100_0193;

/** A record: the hash of a text, its value and its length, each in two units of 16 bits, then its code units. */
const HASH = 0;
const VALUE = 2;
const LENGTH = 4;
const TEXT = 6;

/** The hash of a text with one more code unit; that of an empty text is 0. */
export function nextHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

export function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = nextHash(hash, text.charCodeAt(at));
  return hash;
}

/** Part of a text, in UTF-16 code units, with its hash. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/**
 * A map from texts to numbers from 0 to 2^31 - 1. It finds a text by its place in a longer one, without making a
 * string of it. All texts lie in one array, each beside its value: a `Map` takes several times as long for each
 * lookup, and its strings occupy the garbage collector.
 */
export class TextMap {
  #size = 0;
  #records = new Uint16Array(INITIAL_UNITS);
  /** Where the next record begins. */
  #end = 0;
  /** By hash: where a record begins, plus one; 0 is free. A power of two. */
  #slots = new Int32Array(INITIAL_SLOTS);

  get size(): number {
    return this.#size;
  }

  /** The value of a text; -1 for one that it does not hold. */
  find({ text, start, end, hash }: TextPart): number {
    const slots = this.#slots;
    const records = this.#records;
    const mask = slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      const record = held - 1;
      const isLikely = intAt(records, record + HASH) === hash;
      if (isLikely && isText(records, record, { text, start, end, hash }))
        return intAt(records, record + VALUE);
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** Adds a text that it does not hold yet. Returns its place, for `unitAt`. */
  add({ text, start, end, hash }: TextPart, value: number): number {
    const record = this.#end;
    const length = end - start;
    this.#end += TEXT + length;
    if (this.#end > this.#records.length)
      this.#records = resized(this.#records, Math.max(this.#end, this.#records.length * 2));
    const records = this.#records;
    setInt(records, record + HASH, hash);
    setInt(records, record + VALUE, value);
    setInt(records, record + LENGTH, length);
    for (let at = 0; at < length; at++) records[record + TEXT + at] = text.charCodeAt(start + at);
    this.#size += 1;
    if (this.#size * SLOTS_PER_TEXT > this.#slots.length) this.#makeSlots();
    else this.#occupy(record);
    return record;
  }

  /** The length of the text at a place, in code units. */
  length(place: number): number {
    return intAt(this.#records, place + LENGTH);
  }

  /** A code unit of the text at a place. */
  unitAt(place: number, at: number): number {
    return this.#records[place + TEXT + at]!;
  }

  /** Empties it and releases its memory. */
  release(): void {
    this.#records = resized(this.#records, INITIAL_UNITS);
    this.#slots = resized(this.#slots, INITIAL_SLOTS).fill(0);
    this.#end = 0;
    this.#size = 0;
  }

  #makeSlots(): void {
    const { length } = this.#slots;
    resized(this.#slots, 0);
    this.#slots = new Int32Array(length * 2);
    for (let record = 0; record < this.#end; record += TEXT + this.length(record))
      this.#occupy(record);
  }

  #occupy(record: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(intAt(this.#records, record + HASH)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = record + 1;
  }
}

/** Mixes the upper bits of a hash into the lower ones, which choose the slot. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

function intAt(records: Uint16Array, at: number): number {
  return records[at]! | (records[at + 1]! << 16);
}

function setInt(records: Uint16Array, at: number, value: number): void {
  records[at] = value;
  records[at + 1] = value >>> 16;
}

function isText(records: Uint16Array, record: number, { text, start, end }: TextPart): boolean {
  const length = end - start;
  if (intAt(records, record + LENGTH) !== length) return false;
  for (let at = 0; at < length; at++)
    if (records[record + TEXT + at] !== text.charCodeAt(start + at)) return false;
  return true;
}
