import { resized } from '../../collections/resized.ts';
import type { TextPlace } from './staged-items.ts';

const INITIAL_NUMBERS = 8192;

/**
 * Numbers of many rows in one array: threads transfer it at once, where lists in JSON took longer to
 * parse than their rows to be written.
 */
export class PlaceList {
  #numbers = new Uint32Array(INITIAL_NUMBERS);
  #length = 0;

  add(number: number): void {
    if (this.#length === this.#numbers.length)
      this.#numbers = resized(this.#numbers, this.#length * 2);
    this.#numbers[this.#length++] = number;
  }

  addPlace([start, length]: TextPlace): void {
    this.add(start);
    this.add(length);
  }

  /** A copy of what was added. */
  numbers(): Uint32Array<ArrayBuffer> {
    return this.#numbers.slice(0, this.#length);
  }
}
