import { NumberList, type Packing, type Unpacking } from './packing.ts';

/** 32-bit numbers of a UUID. */
const WORDS = 4;

/**
 * The most ids whose text is cached, because the same documents are found again: a power of two.
 * About 100 bytes each.
 */
const REMEMBERED_MAX = 16_384;

/** Two hexadecimal digits for each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

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
    const start = place * WORDS;
    const id = this.#others.get(place) ?? textOf(this.#words.values.subarray(start, start + WORDS));
    this.#remembered[slot] = id;
    this.#rememberedPlaces[slot] = place;
    return id;
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
}

function textOf(words: ArrayLike<number>): string {
  const [first, second, third, fourth] = [words[0]!, words[1]!, words[2]!, words[3]!];
  return `${long(first)}-${short(second >>> 16)}-${short(second)}-${short(third >>> 16)}-${short(third)}${long(fourth)}`;
}

function long(word: number): string {
  return short(word >>> 16) + short(word);
}

function short(word: number): string {
  return HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
}
