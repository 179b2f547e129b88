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
const HYPHENS = [8, 13, 18, 23] as const;
const HYPHEN = '-'.charCodeAt(0);
const UUID_LENGTH = 36;
/** The text that is being written: its hyphens stay. */
const written = new Uint8Array(UUID_LENGTH).fill(HYPHEN);
/** The numbers of the UUID that was read last. */
const read = new Uint32Array(WORDS);
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
    if (!isUuid(id)) this.#others.set(this.length, id);
    for (let word = 0; word < WORDS; word++) this.#words.push(read[word]!);
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

/** Whether an id is a UUID in lower case, whose numbers are then in `read`; otherwise these are 0. */
function isUuid(id: string): boolean {
  read.fill(0);
  if (id.length !== UUID_LENGTH) return false;
  for (const place of HYPHENS) if (id.charCodeAt(place) !== HYPHEN) return false;
  for (let byte = 0; byte < PLACES.length; byte++) {
    const place = PLACES[byte]!;
    const value = (digitAt(id, place) << 4) | digitAt(id, place + 1);
    if (value < 0) {
      read.fill(0);
      return false;
    }
    read[byte >> 2]! |= value << (24 - (byte & 3) * 8);
  }
  return true;
}

/** -1 for what is no digit. */
function digitAt(id: string, place: number): number {
  const unit = id.charCodeAt(place);
  if (unit >= 48 && unit <= 57) return unit - 48;
  return unit >= 97 && unit <= 102 ? unit - 87 : -1;
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
