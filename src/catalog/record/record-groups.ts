import { TextSet } from './duplicates.ts';

/** Approximate bytes of rows that may wait for others of their product: some 6,000 rows. */
const HELD_MAX = 16 * 1024 * 1024;

/** Approximate overhead in bytes of a row and of each of its fields. */
const ROW_BYTES = 1500;
const FIELD_BYTES = 40;

/** Groups rows that belong to one product but may not be adjacent in the file. */
export class RecordGroups<Row extends { readonly fields: readonly string[] }> {
  readonly #heldMax: number;
  readonly #open = new Map<string, { rows: Row[]; length: number }>();
  readonly #given = new TextSet();
  #held = 0;

  constructor(heldMax = HELD_MAX) {
    this.#heldMax = heldMax;
  }

  /** Returns false if the row's group has already been emitted. */
  add(key: string, row: Row): boolean {
    if (this.#given.has(key)) return false;
    const length = heldBytes(row.fields);
    const group = this.#open.get(key) ?? { rows: [], length: 0 };
    group.rows.push(row);
    group.length += length;
    this.#open.set(key, group);
    this.#held += length;
    return true;
  }

  /** Yields the oldest groups until memory is within its limit. */
  *overflowing(): Generator<Row[]> {
    for (const [key, { rows, length }] of this.#open) {
      if (this.#held <= this.#heldMax) return;
      this.#open.delete(key);
      this.#given.add(key);
      this.#held -= length;
      yield rows;
    }
  }

  /** Yields all remaining groups. */
  *rest(): Generator<Row[]> {
    for (const { rows } of this.#open.values()) yield rows;
    this.#open.clear();
  }
}

/** Approximate memory of a row that waits. */
export function heldBytes(fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + 2 * field.length + FIELD_BYTES, ROW_BYTES);
}
