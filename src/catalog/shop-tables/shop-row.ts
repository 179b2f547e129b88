import type { CsvProblem } from '../bytes/csv-records.ts';
import type { CsvRow } from '../bytes/csv-table.ts';
import { DayOrder } from '../record/day-order.ts';
import type { ColumnUse, RawRecord } from '../record/reader.ts';
import { TableColumns, type TableHead } from '../record/table-columns.ts';
import { shortText } from '../record/values.ts';

/** The columns of a shop system's export in one file. */
export class ShopColumns<Column extends string> extends TableColumns<Column> {
  readonly days = new DayOrder();
  /** Indexes of numbered columns, in the order of their numbers. */
  readonly #series: ReadonlyMap<string, readonly number[]>;

  constructor(
    head: TableHead,
    {
      headings,
      series,
    }: {
      readonly headings: Readonly<Record<Column, readonly string[]>>;
      readonly series: Readonly<Record<string, RegExp>>;
    },
  ) {
    super(head, headings);
    this.#series = new Map(
      Object.entries(series).map(([name, pattern]) => {
        const found = head.names.flatMap((heading, index) => {
          const number = pattern.exec(heading)?.[1];
          return number === undefined ? [] : [{ index, number: Number(number) }];
        });
        found.sort((a, b) => a.number - b.number);
        return [name, found.map(({ index }) => index)];
      }),
    );
  }

  series(name: string): readonly number[] {
    return this.#series.get(name) ?? [];
  }

  override use(): ColumnUse {
    return super.use([...this.#series.values()].flat());
  }
}

/** One row of an export. */
export class ShopRow<Column extends string> {
  readonly fields: readonly string[];
  readonly problem: CsvProblem | null;
  readonly position: { readonly line: number; readonly record: number };
  readonly #columns: ShopColumns<Column>;

  constructor({ line, record, fields, problem }: CsvRow, columns: ShopColumns<Column>) {
    this.position = { line, record };
    this.fields = fields;
    this.problem = problem;
    this.#columns = columns;
  }

  has(column: Column): boolean {
    return this.#columns.has(column);
  }

  heading(column: Column): string {
    return this.#columns.heading(column);
  }

  /** The cell as one clean line. */
  text(column: Column): string {
    return this.#columns.text(this.fields, column);
  }

  /** The cell, trimmed. */
  cell(column: Column): string {
    return this.#columns.raw(this.fields, column).trim();
  }

  /** The day of a date as `2026-01-31`; unchanged if it cannot be told. */
  day(column: Column): string {
    return this.#columns.days.day(this.cell(column));
  }

  /** The cells of numbered columns as clean lines, blank ones included. */
  series(name: string): string[] {
    return this.#columns.series(name).map((index) => shortText(this.fields[index] ?? ''));
  }

  /** The rows of one record as written in the file. */
  raw(rows: readonly ShopRow<Column>[]): RawRecord {
    return {
      columns: this.#columns.headings,
      rows: rows.map(({ position, fields }) => ({ line: position.line, fields })),
    };
  }
}
