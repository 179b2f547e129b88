import type { CatalogItem } from '../../domain/catalog.ts';

/** A file to read: its name is for messages, its bytes come decompressed. */
export interface CatalogSource {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Why a row, or one value in it, was not taken. Never aborts an import. */
export interface Fault {
  readonly file: string;
  /** Physical line on which the record, or the row of it that is at fault, begins, from 1. */
  readonly line: number;
  /** Number of the record, from 1. */
  readonly record: number;
  readonly externalId: string | null;
  readonly column: string | null;
  /** For programs: `invalid_json`, `invalid_price`, `missing_value`, … */
  readonly code: string;
  readonly message: string;
  /**
   * `error`: the record was left out, or, where a record spans rows, this row of it. `warning`: it
   * was taken without this value, or is meant to be left out (`not_published`).
   */
  readonly severity: 'error' | 'warning';
  /**
   * What to put right: the same object on all that is said of one record; null where it cannot be
   * given back.
   */
  readonly raw: RawRecord | null;
}

/**
 * A record as it stood in the file, as rows of a table, so that `FILE.errors.csv` can give it back
 * to be mended whatever its format: the source's own columns, or one column `json`.
 */
export interface RawRecord {
  readonly columns: readonly string[];
  /** As many fields as columns each; split as well as could be where the row itself is broken. */
  readonly rows: readonly { readonly line: number; readonly fields: readonly string[] }[];
}

/** A record that was taken, and where it stood. */
export interface CatalogEntry {
  readonly item: CatalogItem;
  readonly file: string;
  readonly line: number;
  readonly record: number;
  /** For faults that only show later, such as an external id that is there twice. Null once it is not needed. */
  readonly raw: RawRecord | null;
}

/** The faults of a record come before its entry, if it has one. */
export type CatalogRow = CatalogEntry | { readonly fault: Fault };

/** What a reader must know of the shop it reads for, and of the moment. */
export interface ReaderOptions {
  /** ISO 4217 code for rows that name none. */
  readonly currency: string;
  /**
   * `https://shop.example`, to make product links where the format has only handles; null if
   * unknown.
   */
  readonly shopUrl: string | null;
  /** Milliseconds since the epoch: whether a sale price with dates holds. */
  readonly now: number;
  /** Headings of this file, in lower case, and the names by which the format is to take them. */
  readonly mapping?: Mapping;
  /** Told once, when it is known: of a table at its first row, else at the end. */
  readonly onColumns?: (use: ColumnUse) => void;
}

export type Mapping = ReadonlyMap<string, string>;

/** Columns, members or elements by their names in the file. */
export interface ColumnUse {
  readonly used: readonly string[];
  readonly ignored: readonly string[];
}

/** Names in the order in which they were met, by whether they are known. */
export function columnUse(names: Iterable<string>, isUsed: (name: string) => boolean): ColumnUse {
  const met = [...names];
  return { used: met.filter(isUsed), ignored: met.filter((name) => !isUsed(name)) };
}

/** What a format is told by. */
export interface FileHead {
  /** The first 64 KiB, or less if there is no more. */
  readonly text: string;
  readonly fileName: string;
  readonly mapping?: Mapping;
}

/** One record of a format that is no table, as it stands in the file. */
export interface RecordText {
  /** Physical line on which it begins, from 1. */
  readonly line: number;
  /** From 1. */
  readonly record: number;
  readonly text: string;
  /** Why it cannot be read, as the code of a fault. */
  readonly problem: 'invalid_utf8' | 'line_too_long' | null;
}

/** One catalogue format. Pure over its stream; what it holds at once is bounded. */
export interface CatalogFormat {
  /** As in `--format` and in messages: `shopify-csv`. */
  readonly name: string;
  /** The column of `FILE.errors.csv` that holds its records, where that is not called by its name. */
  readonly recordColumn?: string;
  /** What in the beginning of a file says that it is of this format, or null if nothing does. */
  detect(head: FileHead): string | null;
  read(source: CatalogSource, options: ReaderOptions): AsyncIterable<CatalogRow>;
  /** Records that `FILE.errors.csv` gives back. Formats that are tables are read from it as such. */
  readRecords?(
    file: string,
    records: AsyncIterable<RecordText>,
    options: ReaderOptions,
  ): AsyncIterable<CatalogRow>;
}
