import { resized } from '../../collections/resized.ts';
import type { TextPlace } from './staged-items.ts';

const INITIAL_BYTES = 64 * 1024;
/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const UNIT_BYTES_MAX = 3;
/** Shorter texts are encoded here, because calling the encoder takes longer. */
const SHORT_LENGTH = 48;
const BLANK = 0x20;

const encoder = new TextEncoder();

/** Texts by their numbers. */
export interface NumberedTexts {
  /** In UTF-16 code units. */
  length(number: number): number;
  /** Writes a text in UTF-8 from a place on, and returns the place behind it. */
  encode(number: number, bytes: Uint8Array, to: number): number;
}

/** Concatenates texts in one buffer, which threads can transfer and one statement can carry. */
export class TextBuffer {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(text: string): TextPlace {
    const from = this.#length;
    this.#write(text);
    return this.#placeFrom(from);
  }

  /** Adds texts, some of them by their numbers, with a blank between each two. */
  addJoined(texts: readonly (string | number)[], numbered: NumberedTexts): TextPlace {
    const from = this.#length;
    for (const text of texts) {
      if (this.#length > from) this.#writeBlank();
      if (typeof text === 'string') this.#write(text);
      else {
        this.#makeRoom(numbered.length(text) * UNIT_BYTES_MAX);
        this.#length = numbered.encode(text, this.#bytes, this.#length);
      }
    }
    return this.#placeFrom(from);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #placeFrom(from: number): TextPlace {
    return [from + 1, this.#length - from];
  }

  #writeBlank(): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = BLANK;
  }

  #write(text: string): void {
    this.#makeRoom(text.length * UNIT_BYTES_MAX);
    const [bytes, to] = [this.#bytes, this.#length];
    this.#length +=
      text.length < SHORT_LENGTH ? encodeShort(text, bytes, to) : encode(text, bytes, to);
  }

  #makeRoom(length: number): void {
    const least = this.#length + length;
    if (least > this.#bytes.length)
      this.#bytes = resized(this.#bytes, Math.max(least, this.#bytes.length * 2));
  }
}

/** Returns how many bytes it has written. */
function encodeShort(text: string, bytes: Uint8Array, to: number): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return encode(text, bytes, to);
    bytes[to + at] = unit;
  }
  return text.length;
}

function encode(text: string, bytes: Uint8Array, to: number): number {
  return encoder.encodeInto(text, bytes.subarray(to)).written;
}
