/** A set of row keys, one bit each. */
export class KeySet {
  readonly #bits: Uint8Array;

  /** Keys are whole numbers from 0 to `max`. */
  constructor(max: number) {
    this.#bits = new Uint8Array((max >>> 3) + 1);
  }

  add(key: number): void {
    this.#bits[key >>> 3]! |= 1 << (key & 7);
  }

  has(key: number): boolean {
    return (this.#bits[key >>> 3]! & (1 << (key & 7))) !== 0;
  }
}
