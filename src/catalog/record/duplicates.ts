import type { CatalogRow } from './reader.ts';

/**
 * Yields the rows, with a fault in place of each row whose external id occurred earlier. Remembers every
 * id, in 11 to 22 bytes.
 */
export async function* withoutDuplicates(
  rows: AsyncIterable<CatalogRow>,
): AsyncGenerator<CatalogRow> {
  const seen = new TextSet();
  for await (const row of rows) {
    if ('fault' in row || seen.add(row.item.externalId)) yield row;
    else {
      const { item, ...position } = row;
      yield {
        fault: {
          ...position,
          externalId: item.externalId,
          column: null,
          code: 'duplicate_external_id',
          message: 'An earlier record has the same external id.',
          severity: 'error',
        },
      };
    }
  }
}

const INITIAL_PLACES = 1024;
/** Highest load factor; beyond it, probing takes too long. */
const FULL = 0.75;

/**
 * A set of texts that stores a 64-bit hash of each, in an eighth of the memory of a set of strings. Among
 * ten million texts, the probability of any collision is 1 in 300,000.
 */
export class TextSet {
  /** Pairs of 32-bit hash halves; 0, 0 marks a free place. */
  #places = new Uint32Array(INITIAL_PLACES * 2);
  #size = 0;

  /** Returns false if the text was already present. */
  add(text: string): boolean {
    if (!this.#put(hash64(text))) return false;
    this.#size += 1;
    if (this.#size > (this.#places.length / 2) * FULL) this.#grow();
    return true;
  }

  has(text: string): boolean {
    const places = this.#places;
    const at = this.#find(hash64(text)) * 2;
    return places[at] !== 0 || places[at + 1] !== 0;
  }

  /** The place of a hash, or the free place where it belongs. */
  #find([high, low]: readonly [high: number, low: number]): number {
    const places = this.#places;
    const mask = places.length / 2 - 1;
    let place = low & mask;
    while (places[place * 2] !== 0 || places[place * 2 + 1] !== 0) {
      if (places[place * 2] === high && places[place * 2 + 1] === low) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  #put(hash: readonly [high: number, low: number]): boolean {
    const places = this.#places;
    const at = this.#find(hash) * 2;
    if (places[at] !== 0 || places[at + 1] !== 0) return false;
    [places[at], places[at + 1]] = hash;
    return true;
  }

  #grow(): void {
    const former = this.#places;
    this.#places = new Uint32Array(former.length * 2);
    for (let at = 0; at < former.length; at += 2) {
      const high = former[at]!;
      const low = former[at + 1]!;
      if (high !== 0 || low !== 0) this.#put([high, low]);
    }
  }
}

/** Two rounds of 32 bits over UTF-16 code units, mixed as in MurmurHash3's finalizer; never 0, 0. */
function hash64(text: string): [high: number, low: number] {
  let high = 0xdead_beef ^ text.length;
  let low = 0x41c6_ce57 ^ text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e37_79b1);
    low = Math.imul(low ^ unit, 0x5f35_6495);
  }
  const halves: [number, number] = [mixed(high ^ (low >>> 15)), mixed(low ^ (high >>> 13))];
  return halves[0] === 0 && halves[1] === 0 ? [0, 1] : halves;
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
