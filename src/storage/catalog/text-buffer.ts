import { ByteBuffer, UNIT_BYTES_MAX } from '../../collections/byte-buffer.ts';
import type { TextPlace } from './staged-items.ts';

/** Texts by their numbers. */
export interface NumberedTexts {
  /** In UTF-16 code units. */
  length(number: number): number;
  /** Writes a text in UTF-8 from a place on, and returns the place behind it. */
  encode(number: number, bytes: Uint8Array, to: number): number;
}

/** Concatenates texts in one buffer, which threads can transfer and one statement can carry. */
export class TextBuffer {
  readonly #buffer = new ByteBuffer();

  /** In bytes. */
  get length(): number {
    return this.#buffer.length;
  }

  add(text: string): TextPlace {
    const from = this.length;
    this.#buffer.addText(text);
    return this.#placeFrom(from);
  }

  /** Adds texts, some of them by their numbers, with a blank between each two. */
  addJoined(texts: readonly (string | number)[], numbered: NumberedTexts): TextPlace {
    const buffer = this.#buffer;
    const from = buffer.length;
    for (const text of texts) {
      if (buffer.length > from) buffer.addText(' ');
      if (typeof text === 'string') buffer.addText(text);
      else {
        const bytes = buffer.room(numbered.length(text) * UNIT_BYTES_MAX);
        buffer.moveTo(numbered.encode(text, bytes, buffer.length));
      }
    }
    return this.#placeFrom(from);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.view().slice();
  }

  #placeFrom(from: number): TextPlace {
    return [from + 1, this.length - from];
  }
}
