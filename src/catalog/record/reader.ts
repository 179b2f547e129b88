import type { CatalogItem } from '../../domain/catalog.ts';
import type { Storefront } from '../../domain/organization.ts';

/** A file to read. Its name is for messages; its bytes are decompressed. */
export interface CatalogSource {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Why a row, or one value in it, was rejected. Never aborts an import. */
export interface Fault {
  readonly file: string;
  /** Physical line on which the record, or its faulty row, begins, from 1. */
  readonly line: number;
  /** Number of the record, from 1. */
  readonly record: number;
  readonly externalId: string | null;
  readonly column: string | null;
  /** For programs: `invalid_json`, `invalid_price`, `missing_value`, … */
  readonly code: string;
  readonly message: string;
  /**
   * `error`: the record was rejected, or only this row if the record has several. `warning`: the record
   * was accepted without this value, or left out on purpose (`not_published`).
   */
  readonly severity: 'error' | 'warning';
  /**
   * The record to correct: the same object for all faults of one record; null if it cannot be written
   * out.
   */
  readonly raw: RawRecord | null;
}

/**
 * A record as written in the file, in rows of a table, so that `FILE.errors.csv` can contain it whatever
 * its format: with the source's own columns, or with one column such as `json`.
 */
export interface RawRecord {
  readonly columns: readonly string[];
  /** Each with one field per column. A broken row is split as well as possible. */
  readonly rows: readonly { readonly line: number; readonly fields: readonly string[] }[];
}

/** An accepted record and its position. */
export interface CatalogEntry {
  readonly item: CatalogItem;
  readonly file: string;
  readonly line: number;
  readonly record: number;
  /** For faults that are found later, such as a duplicate external id. Null once it is no longer needed. */
  readonly raw: RawRecord | null;
}

/** The faults of a record precede its entry, if it has one. */
export type CatalogRow = CatalogEntry | { readonly fault: Fault };

/** What a reader needs to know about the shop and the current time. */
export interface ReaderOptions {
  /** ISO 4217 code for rows without a currency. */
  readonly currency: string;
  /**
   * `https://shop.example`, used to make product links if the format has only handles; null if
   * unknown.
   */
  readonly shopUrl: string | null;
  /** Milliseconds since the epoch; decides whether a dated sale price applies. */
  readonly now: number;
  /** Maps this file's headings, in lower case, to the format's names. */
  readonly mapping?: Mapping;
  /** Called once: at the first row of a table, otherwise at the end. */
  readonly onColumns?: (use: ColumnUse) => void;
}

export type Mapping = ReadonlyMap<string, string>;

/** Columns, members or elements, by their names in the file. */
export interface ColumnUse {
  readonly used: readonly string[];
  readonly ignored: readonly string[];
}

/** Splits names into known and unknown, in the order in which they occurred. */
export function columnUse(names: Iterable<string>, isUsed: (name: string) => boolean): ColumnUse {
  const met = [...names];
  return { used: met.filter(isUsed), ignored: met.filter((name) => !isUsed(name)) };
}

/** The input of format detection. */
export interface FileHead {
  /** The first 64 KiB of the file, or all of it. */
  readonly text: string;
  readonly fileName: string;
  readonly mapping?: Mapping;
}

/** The raw text of one record in a format that is not a table. */
export interface RecordText {
  /** Physical line on which it begins, from 1. */
  readonly line: number;
  /** From 1. */
  readonly record: number;
  readonly text: string;
  /** Why it cannot be read, as a fault code. */
  readonly problem: 'invalid_utf8' | 'line_too_long' | null;
}

/** One catalogue format. A pure function of its stream, with bounded memory. */
export interface CatalogFormat {
  /** As in `--format` and in messages: `shopify-csv`. */
  readonly name: string;
  /** The shop software whose export this is; it decides the form of links. */
  readonly storefront?: Storefront;
  /** The column of `FILE.errors.csv` for its records, if not named after the format. */
  readonly recordColumn?: string;
  /** Its marks are in the tables of other formats too, so a more specific format is the surer answer. */
  readonly isGeneral?: boolean;
  /** The evidence in the start of a file that it has this format; null if there is none. */
  detect(head: FileHead): string | null;
  read(source: CatalogSource, options: ReaderOptions): AsyncIterable<CatalogRow>;
  /** Reads records from a corrected `FILE.errors.csv`. Tables need no such method. */
  readRecords?(
    file: string,
    records: AsyncIterable<RecordText>,
    options: ReaderOptions,
  ): AsyncIterable<CatalogRow>;
}
