import assert from 'node:assert/strict';
import { ByteBuffer } from '../../collections/byte-buffer.ts';
import { resized } from '../../collections/resized.ts';
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

/** Characters of an id. */
const ID_LENGTH = 36;

/** Ids are spread over as many ranges as their first digits tell apart. */
const RANGE_DIGITS = 3;
const RANGES = 16 ** RANGE_DIGITS;

const INITIAL_IDS = 1024;

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

/** The ids of the versions that an import has staged, in 44 bytes each. */
export class StagedIds {
  readonly #storedMax: number;
  readonly #ids = new ByteBuffer();
  #keys = new Uint32Array(INITIAL_IDS);
  /** For each id the one before it in its range, and for each range its last one, counted from 1. */
  #previous = new Uint32Array(INITIAL_IDS);
  readonly #last = new Uint32Array(RANGES);
  #count = 0;

  /** `storedMax`: how many ids are stored at most. */
  constructor(storedMax: number) {
    this.#storedMax = storedMax;
  }

  add(id: string, key: number): void {
    assert.equal(id.length, ID_LENGTH);
    if (this.#count === this.#keys.length) {
      this.#keys = resized(this.#keys, this.#count * 2);
      this.#previous = resized(this.#previous, this.#count * 2);
    }
    const range = Number.parseInt(id.slice(0, RANGE_DIGITS), 16);
    this.#ids.addText(id);
    this.#keys[this.#count] = key;
    this.#previous[this.#count] = this.#last[range]!;
    this.#last[range] = ++this.#count;
  }

  /**
   * Yields all ids in parts; the ids of each part are higher than those of the part before. `factor`: how much
   * more than usual may be written at once.
   */
  *inOrder(factor: number): Generator<IdPart> {
    const pagesPerId = Math.min(1, (this.#storedMax / this.#count + 1) / ENTRIES_PER_PAGE);
    const size = Math.min(PART_IDS, PART_PAGES / pagesPerId) * factor;
    const bytes = Buffer.from(this.#ids.view().buffer, 0, this.#ids.length);
    let ids: ItemId[] = [];
    for (const last of this.#last) {
      for (let place = last; place > 0; place = this.#previous[place - 1]!) {
        const from = (place - 1) * ID_LENGTH;
        ids.push([bytes.toString('latin1', from, from + ID_LENGTH), this.#keys[place - 1]!]);
      }
      if (ids.length < size) continue;
      yield { ids, pages: ids.length * pagesPerId };
      ids = [];
    }
    if (ids.length > 0) yield { ids, pages: ids.length * pagesPerId };
  }
}
