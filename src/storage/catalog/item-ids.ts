import { resized } from '../../collections/resized.ts';
import { readUuid, UUID_WORDS, writeUuid } from '../../collections/uuid-words.ts';
import type { Statement } from '../engine/statement.ts';

/**
 * SQL that joins the versions `items i` with an id in a shop, both given as SQL. The id of a row may be
 * damaged, and its key may have been given to another one since.
 */
export function versionsById(shopKey: string, id: string): string {
  return `item_ids n ON n.shop_key = ${shopKey} AND n.id = ${id}
    CROSS JOIN items i ON i.key = n.item_key AND i.id = n.id AND i.first_generation = n.first_generation`;
}

/** The id of a version and its key. */
export type ItemId = readonly [id: string, key: number];

/** Lets staged versions be found by their ids. */
export function insertIds(
  { shopKey, generation }: { readonly shopKey: number; readonly generation: number },
  ids: readonly ItemId[],
): Statement {
  return {
    // An entry may remain of a version whose id was damaged.
    sql: `INSERT OR REPLACE INTO item_ids (shop_key, id, first_generation, item_key)
          SELECT ?1, value->>0, ?2, value->>1 FROM json_each(?3) ORDER BY 2`,
    args: [shopKey, generation, JSON.stringify(ids)],
  };
}

/** Ids are written in as many ranges as their first digits tell apart. */
const RANGE_BITS = 12;
const RANGES = 2 ** RANGE_BITS;

const INITIAL_IDS = 1024;

/** Ids handled between two pauses: about 1 ms. */
const IDS_AT_ONCE = 16_384;

/** Slots of the hash table for each id that fits, so at most half of the slots are taken. */
const SLOTS_PER_ID = 2;

/** Entries on a page of the table, unless it is full. */
const ENTRIES_PER_PAGE = 64;

/** What is written at once, in a few milliseconds. */
const PART_PAGES = 100;
const PART_IDS = 1000;

/** Ids that are written at once. */
export interface IdPart {
  readonly ids: readonly ItemId[];
  /** About how many pages they are written on. */
  readonly pages: number;
}

/** The places of ids, range after range, and where each range ends. */
interface OrderedIds {
  readonly places: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * The ids of the items that an import describes, and the keys of the versions that it has staged: 28 to 56 bytes
 * each.
 */
export class StagedIds {
  readonly #storedMax: number;
  #words = new Uint32Array(INITIAL_IDS * UUID_WORDS);
  /** By the place of the id; 0 if no version of it is staged. */
  #keys = new Uint32Array(INITIAL_IDS);
  /** Places of ids, counted from 1, by the id's last number: ids are evenly distributed. 0 marks a free slot. */
  #slots = new Uint32Array(INITIAL_IDS * SLOTS_PER_ID);
  #count = 0;
  /** Ids that are no UUIDs, because a stored one is damaged, with their keys. */
  readonly #others = new Map<string, number>();

  /** `storedMax`: how many ids are stored at most. */
  constructor(storedMax: number) {
    this.#storedMax = storedMax;
  }

  /** Makes room for so many further ids. Yields every few milliseconds. */
  *makeRoom(further: number): Generator<void, void> {
    const needed = this.#count + further;
    let room = this.#keys.length;
    if (needed <= room) return;
    while (room < needed) room *= 2;
    this.#words = resized(this.#words, room * UUID_WORDS);
    this.#keys = resized(this.#keys, room);
    this.#slots = new Uint32Array(room * SLOTS_PER_ID);
    for (let place = 0; place < this.#count; place++) {
      this.#slots[this.#slotOf(place)] = place + 1;
      if (place % IDS_AT_ONCE === 0) yield;
    }
  }

  /** False if the id was already added. Call `makeRoom` before. */
  add(id: string): boolean {
    const place = this.#count;
    if (!writeUuid(id, this.#words, place * UUID_WORDS)) {
      if (this.#others.has(id)) return false;
      this.#others.set(id, 0);
      return true;
    }
    const slot = this.#slotOf(place);
    if (this.#slots[slot] !== 0) return false;
    this.#keys[place] = 0;
    this.#slots[slot] = ++this.#count;
    return true;
  }

  /** The key of the version that is staged of the id that was added last. */
  stage(id: string, key: number): void {
    if (this.#others.has(id)) this.#others.set(id, key);
    else this.#keys[this.#count - 1] = key;
  }

  /** Returns the ids that have a key as `inParts` takes them. Yields every few milliseconds. */
  *inOrder(): Generator<void, OrderedIds> {
    const ends = new Uint32Array(RANGES);
    const rangeOf = (place: number) => this.#words[place * UUID_WORDS]! >>> (32 - RANGE_BITS);
    for (let place = 0; place < this.#count; place++) {
      if (this.#keys[place]! > 0) ends[rangeOf(place)]! += 1;
      if (place % IDS_AT_ONCE === 0) yield;
    }
    let before = 0;
    for (const [range, size] of ends.entries()) {
      ends[range] = before;
      before += size;
    }
    const places = new Uint32Array(before);
    for (let place = 0; place < this.#count; place++) {
      if (this.#keys[place]! > 0) places[ends[rangeOf(place)]!++] = place;
      if (place % IDS_AT_ONCE === 0) yield;
    }
    return { places, ends };
  }

  /**
   * Yields the ids that have a key in parts; the ids of each part are higher than those of the part before.
   * `factor`: how much more than usual may be written at once.
   */
  *inParts({ places, ends }: OrderedIds, factor: number): Generator<IdPart> {
    let ids: ItemId[] = [...this.#others].filter(([, key]) => key > 0);
    const count = places.length + ids.length;
    if (count === 0) return;
    const pagesPerId = Math.min(1, (this.#storedMax / count + 1) / ENTRIES_PER_PAGE);
    const size = Math.min(PART_IDS, PART_PAGES / pagesPerId) * factor;
    let from = 0;
    for (const end of ends) {
      for (const place of places.subarray(from, end))
        ids.push([readUuid(this.#words, place * UUID_WORDS), this.#keys[place]!]);
      from = end;
      if (ids.length < size) continue;
      yield { ids, pages: ids.length * pagesPerId };
      ids = [];
    }
    if (ids.length > 0) yield { ids, pages: ids.length * pagesPerId };
  }

  /** Forgets them all, at once and not when garbage is collected. */
  release(): void {
    for (const numbers of [this.#words, this.#keys, this.#slots]) resized(numbers, 0);
    this.#others.clear();
  }

  /** The slot of an equal id, or the free one where the id at this place belongs. */
  #slotOf(place: number): number {
    const [slots, words] = [this.#slots, this.#words];
    const at = place * UUID_WORDS;
    const mask = slots.length - 1;
    let slot = words[at + UUID_WORDS - 1]! & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = (slots[slot]! - 1) * UUID_WORDS;
      let word = 0;
      while (word < UUID_WORDS && words[other + word] === words[at + word]) word += 1;
      if (word === UUID_WORDS) break;
    }
    return slot;
  }
}
