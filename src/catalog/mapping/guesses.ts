import type { Cells } from './cell-looks.ts';
import type { Meaning } from './dictionary.ts';

/** A column with everything that a guess needs to know about it. */
export interface Column {
  readonly index: number;
  readonly heading: string;
  readonly meanings: ReadonlySet<Meaning>;
  readonly cells: Cells;
}

/** The guesses so far. */
export class Guesses {
  readonly columns: readonly Column[];
  readonly doubts: string[] = [];
  readonly #names = new Map<number, string>();

  constructor(columns: readonly Column[]) {
    this.columns = columns;
  }

  /** The columns with this meaning that have no name yet. */
  meaning(...meanings: readonly Meaning[]): Column[] {
    return this.columns.filter(
      (column) => !this.isNamed(column) && meanings.some((each) => column.meanings.has(each)),
    );
  }

  isNamed({ index }: Column): boolean {
    return this.#names.has(index);
  }

  has(name: string): boolean {
    return [...this.#names.values()].includes(name);
  }

  name({ index }: Column, name: string): void {
    this.#names.set(index, name);
  }

  nameOf({ index }: Column): string | null {
    return this.#names.get(index) ?? null;
  }

  doubt(sentence: string): void {
    this.doubts.push(sentence);
  }
}

/** `"EK" and "VK"`. */
export function quoted(columns: readonly Column[]): string {
  return columns.map(({ heading }) => `"${heading}"`).join(' and ');
}
