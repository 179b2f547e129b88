import { joined, NumberList, type Packing, sumsBefore, type Unpacking } from './packing.ts';

/** 32-bit numbers of a UUID. */
const WORDS = 4;

/**
 * The most ids whose text is cached, because the same documents are found again: a power of two.
 * About 100 bytes each.
 */
const REMEMBERED_MAX = 16_384;

const DIGITS = new TextEncoder().encode('0123456789abcdef');
/** Where the two digits of each byte stand in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
/** The text that is being written: its hyphens stay. */
const written = new Uint8Array(36).fill('-'.charCodeAt(0));
const decoder = new TextDecoder('latin1');

/** A list of ids: 16 bytes for each UUID in lower case; a damaged one is kept as its text. */
export class IdList {
  readonly #words = new NumberList((length) => new Uint32Array(length));
  /** Ids that are no UUIDs, by place. */
  readonly #others = new Map<number, string>();
  /** Cached texts; a place shares its slot with others. Empty until the first is asked for. */
  #remembered: (string | undefined)[] = [];
  #rememberedPlaces = new Uint32Array(0);

  get length(): number {
    return this.#words.length / WORDS;
  }

  get byteSize(): number {
    return this.#words.values.byteLength;
  }

  push(id: string): void {
    const words = [
      id.slice(0, 8),
      id.slice(9, 13) + id.slice(14, 18),
      id.slice(19, 23) + id.slice(24, 28),
      id.slice(28),
    ].map((digits) => Number.parseInt(digits, 16));
    if (textOf(words) !== id) this.#others.set(this.length, id);
    for (const word of words) this.#words.push(word);
  }

  at(place: number): string {
    if (this.#remembered.length === 0) this.#makeRoom();
    const slot = place & (this.#remembered.length - 1);
    const known = this.#remembered[slot];
    if (known !== undefined && this.#rememberedPlaces[slot] === place) return known;
    const id = this.#others.get(place) ?? textOf(this.#words.values, place * WORDS);
    this.#remembered[slot] = id;
    this.#rememberedPlaces[slot] = place;
    return id;
  }

  /** Below 0 if the id at one place comes before that at the other, as texts; their texts need not be made. */
  compare(one: number, other: number): number {
    if (this.#others.size > 0) return this.at(one) < this.at(other) ? -1 : 1;
    const words = this.#words.values;
    for (let word = 0; word < WORDS; word++) {
      const difference = words[one * WORDS + word]! - words[other * WORDS + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #makeRoom(): void {
    let slots = 1;
    while (slots < this.length && slots < REMEMBERED_MAX) slots *= 2;
    this.#remembered = new Array<string | undefined>(slots).fill(undefined);
    this.#rememberedPlaces = new Uint32Array(slots);
  }

  trim(): void {
    this.#words.trim();
  }

  pack(to: Packing): void {
    to.add(this.#words.used, Uint32Array.from(this.#others.keys()));
    to.addTexts([...this.#others.values()]);
  }

  /** Yields every few milliseconds. */
  *unpack(from: Unpacking): Generator<void, void> {
    this.#words.hold(from.take(Uint32Array));
    const places = from.take(Uint32Array);
    const others = yield* from.takeTexts();
    for (const [at, place] of places.entries()) this.#others.set(place, others[at]!);
  }

  /** Packs the ids of packed lists, list after list. */
  static *joinPacked(parts: readonly Unpacking[], to: Packing): Generator<void, void> {
    const words = parts.map((part) => part.take(Uint32Array));
    const before = sumsBefore(words);
    to.add(joined(words));
    const places = parts.map((part, at) =>
      part.take(Uint32Array).map((place) => place + before[at]! / WORDS),
    );
    to.add(joined(places));
    const others: string[] = [];
    for (const part of parts) others.push(...(yield* part.takeTexts()));
    to.addTexts(others);
  }
}

function textOf(words: ArrayLike<number>, start = 0): string {
  for (let byte = 0; byte < PLACES.length; byte++) {
    const value = (words[start + (byte >> 2)]! >>> (24 - (byte & 3) * 8)) & 255;
    const place = PLACES[byte]!;
    written[place] = DIGITS[value >> 4]!;
    written[place + 1] = DIGITS[value & 15]!;
  }
  return decoder.decode(written);
}
