import { FIELDS, type Field } from '../../src/domain/field.ts';

/** Concatenated texts, as an import passes them to storage, and the position of each. */
export class Texts {
  #texts = '';

  add(text: string): [start: number, length: number] {
    const start = Buffer.byteLength(this.#texts) + 1;
    this.#texts += text;
    return [start, Buffer.byteLength(text)];
  }

  addFields(fields: Readonly<Record<Field, string>>): [start: number, length: number][] {
    return FIELDS.map((field) => this.add(fields[field]));
  }

  bytes(): Uint8Array {
    return new TextEncoder().encode(this.#texts);
  }
}
