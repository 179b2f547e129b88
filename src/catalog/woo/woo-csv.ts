import { AppError } from '../../domain/errors.ts';
import { type CsvRow, csvFinding, headColumns, openCsv, peekRows } from '../bytes/csv-table.ts';
import { SPLIT_GROUP } from '../feeds/feed-records.ts';
import { type Finding, Findings } from '../record/findings.ts';
import { type Decimal, usualDecimal } from '../record/prices.ts';
import type { CatalogFormat, CatalogRow, CatalogSource, ReaderOptions } from '../record/reader.ts';
import { RecordGroups } from '../record/record-groups.ts';
import { WooColumns, wooMarks } from './woo-columns.ts';
import { isVariation, readWooProduct, unescaped } from './woo-product.ts';

/** Rows examined to determine the decimal separator. */
const SAMPLE_ROWS = 500;

/**
 * As in `RecordGroups`, but more: an export is in order of age, so that a variation may be far from its
 * product. Holds some 25,000 rows of variable products; other rows do not wait.
 */
const HELD_MAX = 96 * 1024 * 1024;

/** WooCommerce's product export, with headings in any language. */
export const wooCsv: CatalogFormat = {
  name: 'woocommerce-csv',
  storefront: 'woo',
  detect(head) {
    const marks = wooMarks(headColumns(head));
    return marks && `the columns ${marks.join(', ')}`;
  },
  read: readWoo,
};

async function* readWoo(source: CatalogSource, options: ReaderOptions): AsyncGenerator<CatalogRow> {
  const table = await openCsv(source.bytes, options.mapping);
  if (wooMarks(table.names) === null) {
    throw new AppError(
      'invalid_input',
      'The headings lack columns of a WooCommerce product CSV: ID or SKU, Name, and three such as Type, Regular price and In stock?.',
    );
  }
  const columns = new WooColumns(table);
  options.onColumns?.(columns.use());
  const { first, rows } = await peekRows(table.rows, SAMPLE_ROWS);
  const decimal = usualDecimal(pricesOf(first, columns)) ?? (columns.isEnglish ? 'point' : 'comma');
  const catalog = new WooCatalog(source.name, { columns, decimal, options });
  for await (const row of rows) yield* catalog.push(row);
  yield* catalog.end();
}

/** From which to tell the decimal separator; without any, the language tells it. */
function* pricesOf(rows: readonly CsvRow[], columns: WooColumns): Generator<string> {
  for (const { fields } of rows) {
    for (const column of ['regularPrice', 'salePrice'] as const)
      yield columns.raw(fields, column).trim();
  }
}

interface WooContext {
  readonly columns: WooColumns;
  readonly decimal: Decimal;
  readonly options: ReaderOptions;
}

/**
 * Assigns variations to the product that they name by id or SKU. They may precede or follow it at any
 * distance, because the export is in order of ids.
 */
class WooCatalog {
  readonly #file: string;
  readonly #context: WooContext;
  readonly #groups = new RecordGroups<CsvRow>(HELD_MAX);
  /** Maps `id:12` or a SKU to its group. */
  readonly #keys = new Map<string, string>();

  constructor(file: string, context: WooContext) {
    this.#file = file;
    this.#context = context;
  }

  *push(row: CsvRow): Generator<CatalogRow> {
    const type = this.#context.columns.text(row.fields, 'type').toLowerCase();
    const { columns } = this.#context;
    const isPart = this.#isPart(row);
    // Without the column Type, any product may have variations.
    const mayHaveParts =
      type.includes('variable') || (!columns.has('type') && columns.has('parent'));
    if (row.problem !== null || (!isPart && !mayHaveParts)) {
      yield* this.#read([row]);
      return;
    }
    const key = isPart ? this.#keyOfParent(row) : this.#keyOf(row);
    if (!this.#groups.add(key, row)) yield* this.#refuse(row, SPLIT_GROUP);
    for (const group of this.#groups.overflowing()) yield* this.#read(group);
  }

  #isPart({ fields }: CsvRow): boolean {
    const { columns } = this.#context;
    if (columns.has('type')) return isVariation(columns.text(fields, 'type').toLowerCase());
    return columns.text(fields, 'parent') !== '';
  }

  *end(): Generator<CatalogRow> {
    for (const group of this.#groups.rest()) yield* this.#read(group);
  }

  #keyOfParent({ fields, record }: CsvRow): string {
    const parent = unescaped(this.#context.columns.text(fields, 'parent'));
    const name = parent === '' ? `row:${record}` : parent.toLowerCase();
    const key = this.#keys.get(name) ?? name;
    this.#keys.set(name, key);
    return key;
  }

  #keyOf({ fields, record }: CsvRow): string {
    const { columns } = this.#context;
    const names = [
      columns.text(fields, 'id') && `id:${columns.text(fields, 'id')}`,
      unescaped(columns.text(fields, 'sku')).toLowerCase(),
    ].filter((name) => name !== '');
    const known = names.map((name) => this.#keys.get(name)).find((key) => key !== undefined);
    const key = known ?? names[0] ?? `row:${record}`;
    for (const name of names) this.#keys.set(name, key);
    return key;
  }

  *#read(group: readonly CsvRow[]): Generator<CatalogRow> {
    const { columns } = this.#context;
    const product = group.find((row) => !this.#isPart(row));
    if (product === undefined) {
      for (const row of group) yield* this.#refuse(row, NO_PARENT);
      return;
    }
    const rows = [product, ...group.filter((row) => row !== product)] as const;
    const { line, record } = product;
    const raw = { columns: columns.headings, rows };
    const findings = new Findings({ file: this.#file, line, record, raw });
    const item = readWooProduct(rows, findings, this.#context);
    for (const fault of findings.faults) yield { fault };
    if (item !== null) yield { item, file: this.#file, line, record, raw };
  }

  *#refuse(row: CsvRow, finding: Finding): Generator<CatalogRow> {
    const { line, record } = row;
    const raw = { columns: this.#context.columns.headings, rows: [row] };
    const findings = new Findings({ file: this.#file, line, record, raw });
    findings.error(row.problem === null ? finding : csvFinding(row.problem));
    for (const fault of findings.faults) yield { fault };
  }
}

/** The finding for a variation whose product is missing. */
export const NO_PARENT: Finding = {
  column: null,
  code: 'missing_parent',
  message: 'The variation names no product in this file.',
};
