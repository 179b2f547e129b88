import { AppError } from '../../domain/errors.ts';
import { type CsvRow, headColumns, openCsv } from '../bytes/csv-table.ts';
import { Findings } from '../record/findings.ts';
import type { CatalogFormat, CatalogRow, CatalogSource, ReaderOptions } from '../record/reader.ts';
import {
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  parseSlug,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';
import { ShopifyColumns, shopifyMarks } from './shopify-columns.ts';
import { readProduct, type ShopifyProduct } from './shopify-product.ts';

/** Most rows of one product; each adds a variant, an image or both. */
const ROW_COUNT_MAX = VARIANT_COUNT_MAX + IMAGE_COUNT_MAX;

/** The product export of Shopify's admin, with old or new headings. */
export const shopifyCsv: CatalogFormat = {
  name: 'shopify-csv',
  storefront: 'shopify',
  detect(head) {
    const marks = shopifyMarks(headColumns(head));
    return marks && `the columns ${marks.join(', ')}`;
  },
  read: readShopify,
};

async function* readShopify(
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const table = await openCsv(source.bytes, options.mapping);
  const columns = new ShopifyColumns(table);
  if (shopifyMarks(new Set(table.names)) === null) {
    const needed =
      'Title, Handle or URL handle, and one of Option1 Value, Variant Price and the like';
    throw new AppError(
      'invalid_input',
      `The first row lacks columns of a Shopify product CSV: ${needed}.`,
    );
  }
  options.onColumns?.(columns.use(columns.metafields.map(({ index }) => index)));
  const groups = new ProductRows(columns);
  for await (const row of table.rows) {
    for (const product of groups.push(row)) yield* readRows(product, source.name, options);
  }
  for (const product of groups.end()) yield* readRows(product, source.name, options);
}

function readRows(product: ShopifyProduct, file: string, options: ReaderOptions): CatalogRow[] {
  const { handle, rows, columns } = product;
  const [{ line, record }] = rows;
  const raw = { columns: columns.headings, rows };
  const findings = new Findings({ file, line, record, raw });
  // The handle of a broken row can be arbitrary text.
  const isId = parseSlug(handle) !== null && handle.length <= EXTERNAL_ID_MAX;
  findings.externalId = isId ? handle : null;
  const item = readProduct(product, findings, options);
  const read: CatalogRow[] = findings.faults.map((fault) => ({ fault }));
  if (item !== null) read.push({ item, file, line, record, raw });
  return read;
}

interface Group {
  readonly handle: string;
  readonly rows: [CsvRow, ...CsvRow[]];
}

/**
 * Groups the rows of each product: adjacent rows with the same handle, and rows with neither handle nor
 * title. A broken row may not say where it belongs, so it does not end the product before it; the next
 * valid row does.
 */
class ProductRows {
  readonly #columns: ShopifyColumns;
  #current: Group | null = null;
  /** A broken row that does not belong to `#current`, and the rows that continue it. */
  #aside: Group | null = null;

  constructor(columns: ShopifyColumns) {
    this.#columns = columns;
  }

  /** Returns the products that this row completes. */
  push(row: CsvRow): ShopifyProduct[] {
    const handle = this.#handleOf(row);
    const last = this.#aside ?? this.#current;
    if (last !== null && (handle === last.handle || (handle === '' && row.problem === null))) {
      if (last.rows.length < ROW_COUNT_MAX) last.rows.push(row);
      return [];
    }
    const group: Group = { handle, rows: [row] };
    if (row.problem !== null) {
      const done = this.#take('aside');
      this.#aside = group;
      return done;
    }
    if (this.#current !== null && handle === this.#current.handle) {
      this.#current.rows.push(row);
      return this.#take('aside');
    }
    const done = this.end();
    this.#current = group;
    return done;
  }

  end(): ShopifyProduct[] {
    return [...this.#take('current'), ...this.#take('aside')];
  }

  #take(which: 'aside' | 'current'): ShopifyProduct[] {
    const group = which === 'aside' ? this.#aside : this.#current;
    if (which === 'aside') this.#aside = null;
    else this.#current = null;
    return group === null ? [] : [{ ...group, columns: this.#columns }];
  }

  /** Like Shopify, derives a missing handle from the title. */
  #handleOf({ fields }: CsvRow): string {
    const handle = this.#columns.text(fields, 'handle');
    if (handle !== '') return handle;
    const title = this.#columns.text(fields, 'title');
    return (
      title
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu)
        ?.join('-') ?? title
    );
  }
}
