import { resized } from '../../collections/resized.ts';
import { hashOf, TextMap } from './text-map.ts';

const INITIAL_TEXTS = 256;

/** What UTF-8 has in place of half a surrogate pair. */
const REPLACEMENT = 0xfffd;

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
    if (number === this.#places.length) this.#places = resized(this.#places, number * 2);
    this.#places[number] = this.#map.add(part, number);
    return number;
  }

  text(number: number): string {
    let text = '';
    for (let at = 0; at < this.length(number); at++)
      text += String.fromCharCode(this.unitAt(number, at));
    return text;
  }

  /** Empties it and releases its memory. */
  release(): void {
    this.#map.release();
    this.#places = resized(this.#places, INITIAL_TEXTS);
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

  /**
   * Writes the text in UTF-8 and returns the place behind it. Needs room for three bytes a code unit. Makes no
   * string: the texts of a large catalogue would be garbage of several hundred megabytes.
   */
  encode(number: number, bytes: Uint8Array, to: number): number {
    const length = this.length(number);
    let end = to;
    for (let at = 0; at < length; at++) {
      const unit = this.unitAt(number, at);
      if (unit < 0x80) bytes[end++] = unit;
      else if (unit < 0x800) {
        bytes[end++] = 0xc0 | (unit >> 6);
        bytes[end++] = continuation(unit);
      } else {
        const low = isHighSurrogate(unit) ? this.unitAt(number, at + 1) : 0;
        if (isLowSurrogate(low)) {
          const point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
          bytes[end++] = 0xf0 | (point >> 18);
          bytes[end++] = continuation(point >> 12);
          bytes[end++] = continuation(point >> 6);
          bytes[end++] = continuation(point);
          at += 1;
          continue;
        }
        const whole = isHighSurrogate(unit) || isLowSurrogate(unit) ? REPLACEMENT : unit;
        bytes[end++] = 0xe0 | (whole >> 12);
        bytes[end++] = continuation(whole >> 6);
        bytes[end++] = continuation(whole);
      }
    }
    return end;
  }
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

function isHighSurrogate(unit: number): boolean {
  return unit >> 10 === 0x36;
}

function isLowSurrogate(unit: number): boolean {
  return unit >> 10 === 0x37;
}
