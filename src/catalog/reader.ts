import type { CatalogItem } from '../domain/catalog.ts';

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

/** What a reader must know of the shop it reads for. */
export interface ReaderOptions {
  /** ISO 4217 code for rows that name none. */
  readonly currency: string;
  /**
   * `https://shop.example`, to make product links where the format has only handles; null if
   * unknown.
   */
  readonly shopUrl: string | null;
}

/** One catalogue format. Pure over its stream; holds one record at a time. */
export interface CatalogFormat {
  /** As in `--format` and in messages: `shopify-csv`. */
  readonly name: string;
  /** Whether the first bytes of a file (at most 64 KiB, as text) are of this format. */
  detect(head: string, fileName: string): boolean;
  read(source: CatalogSource, options: ReaderOptions): AsyncIterable<CatalogRow>;
}
