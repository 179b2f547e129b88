import { shortText } from './values.ts';

/**
 * What each column is headed, in lower case: as exported until 2024, then as since. Both are met,
 * also mixed by apps, and every name means the same in both.
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

const COLUMNS = Object.keys(HEADINGS) as ShopifyColumn[];

/** A product metafield: `Colour (product.metafields.shopify.color-pattern)`. */
const METAFIELD = /^(.+?)\s*\(product\.metafields\.[^)]*\)$/i;

/** Columns that no other format has next to `Title`. */
const MARKS = ['option1 value', 'variant price', 'variant sku', 'body (html)', 'compare-at price'];

/** Whether a file with these columns, in lower case, is a Shopify product CSV. */
export function isShopify(columns: ReadonlySet<string>): boolean {
  const hasHandle = HEADINGS.handle.some((heading) => columns.has(heading));
  return hasHandle && columns.has('title') && MARKS.some((heading) => columns.has(heading));
}

/** Where the columns of one file are. */
export class ShopifyColumns {
  /** As they stand in the file. */
  readonly headings: readonly string[];
  /** Label and index of every product metafield. */
  readonly metafields: readonly { readonly label: string; readonly index: number }[];
  readonly #indexes: Readonly<Record<string, number>>;

  constructor(headings: readonly string[]) {
    this.headings = headings;
    const lower = headings.map((heading) => heading.toLowerCase());
    const indexes = COLUMNS.map((column) => {
      const found = HEADINGS[column].map((heading) => lower.indexOf(heading));
      return [column, found.find((index) => index !== -1) ?? -1] as const;
    });
    this.#indexes = Object.fromEntries(indexes);
    this.metafields = headings.flatMap((heading, index) => {
      const label = METAFIELD.exec(heading)?.[1];
      return label === undefined ? [] : [{ label, index }];
    });
  }

  has(column: ShopifyColumn): boolean {
    return this.#indexes[column] !== -1;
  }

  /** The column as this file calls it, for messages. */
  heading(column: ShopifyColumn): string {
    return this.headings[this.#indexes[column]!] ?? HEADINGS[column][0];
  }

  /** The cell as it stands, `''` where the file has no such column. */
  raw(fields: readonly string[], column: ShopifyColumn): string {
    return fields[this.#indexes[column]!] ?? '';
  }

  /** The cell as one clean line. */
  text(fields: readonly string[], column: ShopifyColumn): string {
    const cell = this.raw(fields, column);
    return cell === '' ? '' : shortText(cell);
  }
}
