import { grown } from '../../collections/grown.ts';
import { hashOf, TextMap } from './text-map.ts';

const INITIAL_TEXTS = 256;

const encoder = new TextEncoder();

/** Numbers texts in the order in which they are first met. */
export class Lexicon {
  readonly #map = new TextMap();
  /** By number, the place of a text in the map. */
  #places = new Int32Array(INITIAL_TEXTS);

  /** How many texts it holds. */
  get size(): number {
    return this.#map.size;
  }

  /** The number of a text, which is added if it is new. */
  number(text: string): number {
    const part = { text, start: 0, end: text.length, hash: hashOf(text) };
    const known = this.#map.find(part);
    if (known >= 0) return known;
    const number = this.#map.size;
    if (number === this.#places.length) this.#places = grown(this.#places, number * 2);
    this.#places[number] = this.#map.add(part, number);
    return number;
  }

  text(number: number): string {
    let text = '';
    for (let at = 0; at < this.length(number); at++)
      text += String.fromCharCode(this.unitAt(number, at));
    return text;
  }

  /** The length of a text, in UTF-16 code units. */
  length(number: number): number {
    return this.#map.length(this.#places[number]!);
  }

  /** A code unit of a text; 0 beyond its end. */
  unitAt(number: number, at: number): number {
    const place = this.#places[number]!;
    return at < this.#map.length(place) ? this.#map.unitAt(place, at) : 0;
  }

  /** Writes the text in UTF-8 and returns the place behind it. Needs room for three bytes a code unit. */
  encode(number: number, bytes: Uint8Array, to: number): number {
    const map = this.#map;
    const place = this.#places[number]!;
    const length = map.length(place);
    for (let at = 0; at < length; at++) {
      const unit = map.unitAt(place, at);
      if (unit >= 0x80)
        return to + encoder.encodeInto(this.text(number), bytes.subarray(to)).written;
      bytes[to + at] = unit;
    }
    return to + length;
  }
}
