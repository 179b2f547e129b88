import { ByteBuffer } from '../../collections/byte-buffer.ts';
import type { TextPlace } from './staged-items.ts';

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
    return [from + 1, this.length - from];
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.view().slice();
  }
}
