import { type Availability, comparable, type Variant } from '../domain/catalog.ts';
import { parsePrice } from '../domain/money.ts';
import { parseWebUrl } from '../domain/web-url.ts';
import { type CsvRow, csvFinding } from './csv-table.ts';
import type { Finding, Findings } from './findings.ts';
import type { ShopifyColumn, ShopifyColumns } from './shopify-columns.ts';
import { cut, EXTERNAL_ID_MAX, parseGtin, SHORT_TEXT_MAX } from './values.ts';

const OPTIONS = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const;

const VARIANT_MARKS = [
  'option1Value',
  'option2Value',
  'option3Value',
  'sku',
  'price',
  'barcode',
] as const;

interface VariantContext {
  readonly columns: ShopifyColumns;
  readonly currency: string;
  /** What the product's options are called, in their order; the first row has the names. */
  readonly optionNames: readonly string[];
}

/** Whether a row below the first says something of a variant; if not it only adds an image. */
export function isVariantRow({ fields }: CsvRow, columns: ShopifyColumns): boolean {
  return VARIANT_MARKS.some((column) => columns.raw(fields, column).trim() !== '');
}

/** Names of the options, `''` where a row leaves one blank. */
export function optionNames({ fields }: CsvRow, columns: ShopifyColumns): string[] {
  return OPTIONS.map(([name]) => columns.text(fields, name));
}

/**
 * The variant of one row, or null with the reason in `findings`. The format has no ids of variants:
 * the SKU or else the options stand in, until all variants of the product are known.
 */
export function readVariant(
  row: CsvRow,
  { columns, currency, optionNames: names }: VariantContext,
  findings: Findings,
): Variant | null {
  const reader = new RowReader(row, columns, findings);
  if (row.problem !== null) {
    findings.partialError(csvFinding(row.problem));
    return null;
  }
  const priceMinor = reader.price('price', currency);
  const compareAtPriceMinor = reader.price('compareAtPrice', currency);
  const availability = reader.availability();
  const options = reader.options(names);
  if (reader.isRefused) return null;
  const sku = reader.line('sku');
  const title = Object.values(options).join(' / ');
  return {
    id: cut(sku ?? title, EXTERNAL_ID_MAX).text,
    title,
    sku,
    gtin: reader.gtin(),
    priceMinor,
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
    availability,
    options,
    image: reader.url('variantImage'),
  };
}

/** Reads the cells of one row and reports what is wrong with them. */
export class RowReader {
  /** Whether a cell is wrong in a way that would make answers wrong. */
  isRefused = false;
  readonly #fields: readonly string[];
  readonly #columns: ShopifyColumns;
  readonly #findings: Findings;

  constructor({ fields }: CsvRow, columns: ShopifyColumns, findings: Findings) {
    this.#fields = fields;
    this.#columns = columns;
    this.#findings = findings;
  }

  line(column: ShopifyColumn, max = SHORT_TEXT_MAX): string | null {
    const { text, isCut } = cut(this.#columns.text(this.#fields, column), max);
    if (isCut) this.#warn(column, 'too_long', `was cut to ${max} characters.`);
    return text === '' ? null : text;
  }

  url(column: ShopifyColumn): string | null {
    const cell = this.#columns.raw(this.#fields, column).trim();
    if (cell === '') return null;
    const url = parseWebUrl(cell);
    if (url === null) this.#warn(column, 'invalid_url', 'is no http(s) URL.');
    return url;
  }

  /** Spreadsheets put an apostrophe before long numbers to keep them whole. */
  gtin(): string | null {
    const cell = this.#columns.text(this.#fields, 'barcode').replace(/^'/, '');
    if (cell === '') return null;
    const gtin = parseGtin(cell);
    if (gtin === null) {
      this.#warn(
        'barcode',
        'invalid_gtin',
        'is no GTIN: 8, 12, 13 or 14 digits, the last a check digit.',
      );
    }
    return gtin;
  }

  price(column: ShopifyColumn, currency: string): number | null {
    const cell = this.#columns.raw(this.#fields, column).trim();
    if (cell === '') return null;
    const minor = parsePrice(cell, currency);
    if (minor === null) {
      const rule = 'digits, a point, no more decimals than the currency has, no symbol or sign.';
      this.#refuse(column, 'invalid_price', `is no price: ${rule}`);
    }
    return minor;
  }

  /** Unknown where the file does not say: multi-location exports have no quantity. */
  availability(): Availability {
    if (!this.#columns.has('tracker')) return 'unknown';
    const tracker = this.#columns.text(this.#fields, 'tracker');
    const quantity = this.#columns.text(this.#fields, 'quantity');
    const policy = this.#columns.text(this.#fields, 'policy').toLowerCase();
    if (!/^(?:-?\d{1,15})?$/.test(quantity)) {
      this.#refuse('quantity', 'invalid_value', 'must be a whole number.');
    }
    if (!['', 'deny', 'continue', 'true', 'false'].includes(policy)) {
      this.#refuse('policy', 'invalid_value', 'must be deny or continue.');
    }
    if (tracker === '') return 'in_stock';
    if (quantity === '') return 'unknown';
    if (Number(quantity) > 0) return 'in_stock';
    return policy === 'continue' || policy === 'true' ? 'backorder' : 'out_of_stock';
  }

  /** `Title: Default Title` is how the format says that there is no choice. */
  options(names: readonly string[]): Record<string, string> {
    const options: Record<string, string> = {};
    for (const [index, [, column]] of OPTIONS.entries()) {
      const value = this.line(column);
      const name = cut(names[index] || `Option ${index + 1}`, SHORT_TEXT_MAX).text;
      if (value === null || name === '__proto__') continue;
      if (index === 0 && name === 'Title' && value === 'Default Title') continue;
      options[name] = value;
    }
    return options;
  }

  #warn(column: ShopifyColumn, code: string, message: string): void {
    this.#findings.warning(this.#finding(column, code, message));
  }

  #refuse(column: ShopifyColumn, code: string, message: string): void {
    this.isRefused = true;
    this.#findings.partialError(this.#finding(column, code, message));
  }

  #finding(column: ShopifyColumn, code: string, message: string): Finding {
    const heading = this.#columns.heading(column);
    return { column: heading, code, message: `${heading} ${message}` };
  }
}
