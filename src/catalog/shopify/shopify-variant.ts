import { type Availability, comparable, type Variant } from '../../domain/catalog.ts';
import { type CsvRow, csvFinding } from '../bytes/csv-table.ts';
import type { Findings } from '../record/findings.ts';
import { TextFields } from '../record/text-fields.ts';
import { cut, EXTERNAL_ID_MAX, SHORT_TEXT_MAX } from '../record/values.ts';
import type { ShopifyColumn, ShopifyColumns } from './shopify-columns.ts';

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
  /** The names of the product's options, in order, from its first row. */
  readonly optionNames: readonly string[];
}

/** Whether a row after the first describes a variant; otherwise it only adds an image. */
export function isVariantRow({ fields }: CsvRow, columns: ShopifyColumns): boolean {
  return VARIANT_MARKS.some((column) => columns.raw(fields, column).trim() !== '');
}

/** Names of the options; `''` for one that the row leaves blank. */
export function optionNames({ fields }: CsvRow, columns: ShopifyColumns): string[] {
  return OPTIONS.map(([name]) => columns.text(fields, name));
}

/**
 * The variant of one row; null with the reason in `findings`. The format has no variant ids, so the SKU
 * or the options serve as a provisional id until all variants of the product are known.
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
  const priceMinor = reader.amount('price', currency);
  const compareAtPriceMinor = reader.amount('compareAtPrice', currency);
  const availability = reader.availability();
  const options = reader.options(names);
  if (reader.isRefused) return null;
  const sku = reader.line('sku');
  const title = Object.values(options).join(' / ');
  return {
    id: cut(sku ?? title, EXTERNAL_ID_MAX).text,
    title,
    sku,
    gtin: reader.gtin('barcode'),
    priceMinor,
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
    availability,
    options,
    image: reader.url('variantImage'),
  };
}

/** Reads the cells of one row. */
export class RowReader extends TextFields<ShopifyColumn> {
  readonly #has: (column: ShopifyColumn) => boolean;

  constructor({ fields }: CsvRow, columns: ShopifyColumns, findings: Findings) {
    const heading = (column: ShopifyColumn) => columns.heading(column);
    super({ raw: (column) => columns.raw(fields, column), heading }, findings);
    this.#has = (column) => columns.has(column);
  }

  /** In minor units of the shop's currency; the format has no others. */
  amount(column: ShopifyColumn, currency: string): number | null {
    const price = this.price(column, { currency, decimal: 'point' });
    if (price === null || price.currency === currency) return price?.minor ?? null;
    this.refuse(column, 'currency_conflict', `is not in the shop's currency, ${currency}.`);
    return null;
  }

  /** Unknown if the file does not say: multi-location exports have no quantity. */
  availability(): Availability {
    const tracker = this.text('tracker');
    const quantity = this.text('quantity');
    const policy = this.text('policy').toLowerCase();
    if (!/^(?:-?\d{1,15})?$/.test(quantity)) {
      this.refuse('quantity', 'invalid_value', 'must be a whole number.');
    }
    if (!['', 'deny', 'continue', 'true', 'false'].includes(policy)) {
      this.refuse('policy', 'invalid_value', 'must be deny or continue.');
    }
    // Without a tracker, stock is not counted. If the column is missing, the quantity decides.
    if (this.#has('tracker') && tracker === '') return 'in_stock';
    if (quantity === '') return 'unknown';
    if (Number(quantity) > 0) return 'in_stock';
    return policy === 'continue' || policy === 'true' ? 'backorder' : 'out_of_stock';
  }

  /** In this format, `Title: Default Title` means that there are no options. */
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
}
