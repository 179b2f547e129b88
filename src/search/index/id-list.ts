import { readUuid, UUID_WORDS, writeUuid } from '../../collections/uuid-words.ts';
import {
  joined,
  NumberList,
  type Packing,
  sumsBefore,
  takeTextsAtOnce,
  type Unpacking,
} from './packing.ts';

/**
 * The most ids whose text is cached, because the same documents are found again: a power of two.
 * About 100 bytes each.
 */
const REMEMBERED_MAX = 16_384;

/** The numbers of the id that is being added. */
const added = new Uint32Array(UUID_WORDS);

/** A list of ids: 16 bytes for each UUID in lower case; a damaged one is kept as its text. */
export class IdList {
  readonly #words = new NumberList((length) => new Uint32Array(length));
  /** Ids that are no UUIDs, by place. */
  readonly #others = new Map<number, string>();
  /** Cached texts; a place shares its slot with others. Empty until the first is asked for. */
  #remembered: (string | undefined)[] = [];
  #rememberedPlaces = new Uint32Array(0);

  get length(): number {
    return this.#words.length / UUID_WORDS;
  }

  get byteSize(): number {
    return this.#words.values.byteLength;
  }

  push(id: string): void {
    if (!writeUuid(id, added, 0)) {
      this.#others.set(this.length, id);
      added.fill(0);
    }
    for (let word = 0; word < UUID_WORDS; word++) this.#words.push(added[word]!);
  }

  at(place: number): string {
    if (this.#remembered.length === 0) this.#makeRoom();
    const slot = place & (this.#remembered.length - 1);
    const known = this.#remembered[slot];
    if (known !== undefined && this.#rememberedPlaces[slot] === place) return known;
    const id = this.#others.get(place) ?? readUuid(this.#words.values, place * UUID_WORDS);
    this.#remembered[slot] = id;
    this.#rememberedPlaces[slot] = place;
    return id;
  }

  /** Below 0 if the id at one place comes before that at the other, as texts; their texts need not be made. */
  compare(one: number, other: number): number {
    if (this.#others.size > 0) return this.at(one) < this.at(other) ? -1 : 1;
    const words = this.#words.values;
    for (let word = 0; word < UUID_WORDS; word++) {
      const difference = words[one * UUID_WORDS + word]! - words[other * UUID_WORDS + word]!;
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
  static joinPacked(parts: readonly Unpacking[], to: Packing): void {
    const words = parts.map((part) => part.take(Uint32Array));
    const before = sumsBefore(words);
    to.add(joined(words));
    const places = parts.map((part, at) =>
      part.take(Uint32Array).map((place) => place + before[at]! / UUID_WORDS),
    );
    to.add(joined(places));
    const others: string[] = [];
    for (const part of parts) others.push(...takeTextsAtOnce(part));
    to.addTexts(others);
  }
}
