import { TextSet } from './duplicates.ts';

/** Bytes, roughly, that rows take which wait for others of the same product: some 6,000 rows. */
const HELD_MAX = 16 * 1024 * 1024;

/** What a row takes beside its text, and what each of its fields does. */
const ROW_BYTES = 1500;
const FIELD_BYTES = 40;

/** Puts rows together that belong to one product and need not follow one another in the file. */
export class RecordGroups<Row extends { readonly fields: readonly string[] }> {
  readonly #heldMax: number;
  readonly #open = new Map<string, { rows: Row[]; length: number }>();
  readonly #given = new TextSet();
  #held = 0;

  constructor(heldMax = HELD_MAX) {
    this.#heldMax = heldMax;
  }

  /** Whether the row was kept; if not, its group had to be given away before. */
  add(key: string, row: Row): boolean {
    if (this.#given.has(key)) return false;
    const length = row.fields.reduce(
      (sum, field) => sum + 2 * field.length + FIELD_BYTES,
      ROW_BYTES,
    );
    const group = this.#open.get(key) ?? { rows: [], length: 0 };
    group.rows.push(row);
    group.length += length;
    this.#open.set(key, group);
    this.#held += length;
    return true;
  }

  /** Groups that have to go so that what is held stays bounded, the oldest first. */
  *overflowing(): Generator<Row[]> {
    for (const [key, { rows, length }] of this.#open) {
      if (this.#held <= this.#heldMax) return;
      this.#open.delete(key);
      this.#given.add(key);
      this.#held -= length;
      yield rows;
    }
  }

  /** All groups that are left. */
  *rest(): Generator<Row[]> {
    for (const { rows } of this.#open.values()) yield rows;
    this.#open.clear();
  }
}
