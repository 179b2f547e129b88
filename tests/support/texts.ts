/** Concatenated texts, as an import passes them to storage, and the position of each. */
export class Texts {
  #texts = '';

  add(text: string): [start: number, length: number] {
    const start = Buffer.byteLength(this.#texts) + 1;
    this.#texts += text;
    return [start, Buffer.byteLength(text)];
  }

  bytes(): Uint8Array {
    return new TextEncoder().encode(this.#texts);
  }
}
