import type { ColumnUse } from './reader.ts';
import { shortText } from './values.ts';

/** The first row of a table. */
export interface TableHead {
  /** As they stand in the file. */
  readonly columns: readonly string[];
  /** The format's names for them, in lower case. */
  readonly names: readonly string[];
  /** Indexes of the columns that the caller mapped. */
  readonly mapped: ReadonlySet<number>;
}

/** Finds a format's columns in one file. */
export class TableColumns<Name extends string> {
  /** As they stand in the file. */
  readonly headings: readonly string[];
  readonly #known: Readonly<Record<Name, readonly string[]>>;
  readonly #indexes: Readonly<Record<Name, number>>;

  /**
   * `known` lists the names of each column in lower case, in order of precedence. A column that the caller
   * mapped to any of them takes precedence.
   */
  constructor(
    { columns, names, mapped }: TableHead,
    known: Readonly<Record<Name, readonly string[]>>,
  ) {
    this.headings = columns;
    this.#known = known;
    const lower = names.map((name) => name.toLowerCase());
    const indexes = Object.entries<readonly string[]>(known).map(([column, headings]) => {
      const found = headings.flatMap((heading) =>
        lower.flatMap((name, index) => (name === heading ? [index] : [])),
      );
      return [column, found.find((index) => mapped.has(index)) ?? found[0] ?? -1] as const;
    });
    this.#indexes = Object.fromEntries(indexes) as Record<Name, number>;
  }

  has(column: Name): boolean {
    return this.#indexes[column] !== -1;
  }

  /** This file's heading of the column, for messages. */
  heading(column: Name): string {
    return this.headings[this.#indexes[column]] ?? this.#known[column][0]!;
  }

  /** The unprocessed cell; `''` if the file has no such column. */
  raw(fields: readonly string[], column: Name): string {
    return fields[this.#indexes[column]] ?? '';
  }

  /** The cell as one clean line. */
  text(fields: readonly string[], column: Name): string {
    const cell = this.raw(fields, column);
    return cell === '' ? '' : shortText(cell);
  }

  /** Which columns are used: the known ones and those at `others`. */
  use(others: readonly number[] = []): ColumnUse {
    const indexes = new Set([...Object.values<number>(this.#indexes), ...others]);
    return {
      used: this.headings.filter((_, index) => indexes.has(index)),
      ignored: this.headings.filter((heading, index) => heading !== '' && !indexes.has(index)),
    };
  }
}
