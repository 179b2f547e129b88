import { TableColumns, type TableHead } from '../record/table-columns.ts';

/**
 * The headings of each column, in lower case: first as exported until 2024, then as exported since. Files
 * use either, or a mixture written by apps; every name means the same in both.
 */
const HEADINGS = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  description: ['body (html)', 'body html', 'body', 'description'],
  vendor: ['vendor'],
  type: ['type'],
  category: ['product category', 'google shopping / google product category'],
  tags: ['tags'],
  published: ['published', 'published on online store'],
  status: ['status'],
  sku: ['variant sku', 'sku'],
  barcode: ['variant barcode', 'barcode'],
  price: ['variant price', 'price'],
  compareAtPrice: ['variant compare at price', 'compare-at price', 'compare at price'],
  tracker: ['variant inventory tracker', 'inventory tracker'],
  quantity: ['variant inventory qty', 'inventory quantity'],
  policy: ['variant inventory policy', 'continue selling when out of stock'],
  image: ['image src', 'product image url'],
  imagePosition: ['image position'],
  variantImage: ['variant image', 'variant image url'],
  option1Name: ['option1 name'],
  option1Value: ['option1 value'],
  option2Name: ['option2 name'],
  option2Value: ['option2 value'],
  option3Name: ['option3 name'],
  option3Value: ['option3 value'],
  gender: ['google shopping / gender'],
  ageGroup: ['google shopping / age group'],
  condition: ['google shopping / condition'],
  mpn: [
    'google shopping / mpn',
    'google shopping / manufacturer part number (mpn)',
    'google shopping / manufacturer part number',
  ],
} as const;

export type ShopifyColumn = keyof typeof HEADINGS;

/** A product metafield: `Colour (product.metafields.shopify.color-pattern)`. */
const METAFIELD = /^(.+?)\s*\(product\.metafields\.[^)]*\)$/i;

/** Columns that only this format has beside `Title`. */
const MARKS = ['option1 value', 'variant price', 'variant sku', 'body (html)', 'compare-at price'];

/** The columns, in lower case, that identify a Shopify product CSV; null if the file is not one. */
export function shopifyMarks(columns: ReadonlySet<string>): string[] | null {
  const handle = HEADINGS.handle.find((heading) => columns.has(heading));
  const mark = MARKS.find((heading) => columns.has(heading));
  if (handle === undefined || mark === undefined || !columns.has('title')) return null;
  return ['title', handle, mark];
}

export class ShopifyColumns extends TableColumns<ShopifyColumn> {
  /** Label and index of every product metafield. */
  readonly metafields: readonly { readonly label: string; readonly index: number }[];

  constructor(table: TableHead) {
    super(table, HEADINGS);
    this.metafields = table.columns.flatMap((heading, index) => {
      const label = METAFIELD.exec(heading)?.[1];
      return label === undefined ? [] : [{ label, index }];
    });
  }
}
