/**
 * Keeps the first `limit` rows of an order, of any number that are added. Pure. Sorting all of them
 * would block for longer the more there are.
 */
export class TopRows<Row> {
  readonly #limit: number;
  readonly #compare: (one: Row, other: Row) => number;
  /** At most twice the limit. The first `limit` are sorted once the worst of them is known. */
  #rows: Row[] = [];
  #worst: Row | null = null;

  /** `compare` decides between any two rows, as for a sort. `limit`: at least 1. */
  constructor(limit: number, compare: (one: Row, other: Row) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  add(row: Row): void {
    if (this.#worst !== null && this.#compare(row, this.#worst) > 0) return;
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#limit) this.#cut();
  }

  /** First in the order first. */
  get rows(): readonly Row[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#rows = this.#rows.sort(this.#compare).slice(0, this.#limit);
    if (this.#rows.length === this.#limit) this.#worst = this.#rows.at(-1)!;
  }
}
