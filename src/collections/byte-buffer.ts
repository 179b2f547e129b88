import { resized } from './resized.ts';

const INITIAL_BYTES = 64 * 1024;

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const UNIT_BYTES_MAX = 3;

/** Shorter texts are encoded here, because calling the encoder takes longer. */
const SHORT_LENGTH = 48;

const encoder = new TextEncoder();

/** Texts in UTF-8, and bytes, one after the other. */
export class ByteBuffer {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  addText(text: string): void {
    const bytes = this.#room(text.length * UNIT_BYTES_MAX);
    this.#length +=
      text.length < SHORT_LENGTH
        ? encodeShort(text, bytes, this.#length)
        : encode(text, bytes, this.#length);
  }

  /**
   * Adds a part of a text (UTF-16 offsets) and returns true, if it is made of these ASCII characters alone: `allowed`
   * has a 1 for each, by its code. Adds nothing otherwise. Takes no copy of the part.
   */
  addPart(text: string, { from, to }: { from: number; to: number }, allowed: Uint8Array): boolean {
    const bytes = this.#room(to - from);
    const start = this.#length - from;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      if (allowed[unit] !== 1) return false;
      bytes[start + at] = unit;
    }
    this.#length += to - from;
    return true;
  }

  addBytes(bytes: Uint8Array): void {
    this.#room(bytes.length).set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** All bytes; a view that is valid until more are added. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Empties the buffer. It keeps its memory, or what it began with if it has grown beyond `bytesMax`. */
  clear(bytesMax = Number.POSITIVE_INFINITY): void {
    this.#length = 0;
    if (this.#bytes.length > bytesMax) this.#bytes = new Uint8Array(INITIAL_BYTES);
  }

  /** The bytes, with room for `bytesMax` from `length` on. */
  #room(bytesMax: number): Uint8Array<ArrayBuffer> {
    const least = this.#length + bytesMax;
    if (least > this.#bytes.length)
      this.#bytes = resized(this.#bytes, Math.max(least, this.#bytes.length * 2));
    return this.#bytes;
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
