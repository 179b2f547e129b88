import { minorDigits } from '../../domain/money.ts';
import type { FeedValues } from '../feeds/feed-records.ts';
import { htmlToText } from '../record/html-text.ts';
import type { ReaderOptions } from '../record/reader.ts';
import { groupByKey } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

/** The first name of each column is that of the catalogue's first version, the others of its third. */
const HEADINGS = {
  handle: ['handleid', 'handle'],
  rowType: ['fieldtype'],
  name: ['name'],
  description: ['description', 'plaindescription'],
  images: ['productimageurl', 'media'],
  collections: ['collection', 'collections'],
  sku: ['sku'],
  barcode: ['barcode'],
  price: ['price'],
  strikethroughPrice: ['strikethroughprice'],
  surcharge: ['surcharge'],
  visible: ['visible'],
  discountMode: ['discountmode'],
  discount: ['discountvalue'],
  inventory: ['inventory'],
  preorder: ['preorderenabled'],
  brand: ['brand'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

const SERIES = {
  optionNames: /^productoptionname\[?(\d+)/,
  optionTypes: /^productoptiontype\[?(\d+)/,
  choices: /^productoption(?:description|choices)\[?(\d+)/,
  infoTitles: /^additionalinfotitle\[?(\d+)/,
  infoTexts: /^additionalinfodescription\[?(\d+)/,
};

/** Where Wix keeps the images whose names an export gives. */
const MEDIA = 'https://static.wixstatic.com/media/';

/** Wix Stores' product export of either catalogue version. */
export const wixCsv = shopTableFormat<Column>({
  name: 'wix-csv',
  system: 'Wix',
  headings: HEADINGS,
  series: SERIES,
  marks: ['handle', 'rowType', 'name', 'images'],
  sources: {
    id: 'handle',
    title: 'name',
    description: 'description',
    price: 'price',
    salePrice: 'discount',
    compareAtPrice: 'strikethroughPrice',
    image: 'images',
    images: 'images',
    gtin: 'barcode',
    options: 'rowType',
  },
  group: (rows) =>
    groupByKey(rows, (row) => {
      const key = row.text('handle');
      if (key === '') return { kind: 'product' };
      const isVariant = row.text('rowType').toLowerCase() === 'variant';
      return { kind: isVariant ? 'member' : 'parent', key };
    }),
  hiddenBy: (row) => (/^false$/i.test(row.text('visible')) ? 'visible' : null),
  product(row, options) {
    const collections = listOf(row.text('collections'));
    const [image = '', ...images] = listOf(row.cell('images')).map(imageOf);
    return {
      id: row.text('handle'),
      sku: row.text('sku'),
      gtin: row.text('barcode'),
      title: row.text('name'),
      description: row.cell('description'),
      link: linkOf(row, options),
      image,
      images,
      brand: row.text('brand'),
      productType: collections[0] ?? '',
      tags: collections,
      availability: availabilityOf(row),
      details: [...choicesOf(row, row), ...infosOf(row)].map((detail) => `:${detail}`),
      ...pricesOf(row, row, options),
    };
  },
  member(row, product, options) {
    const choices = choicesOf(row, product);
    return {
      id: choices.map((choice) => choice.slice(choice.indexOf(':') + 1)).join(' / '),
      sku: row.text('sku'),
      gtin: row.text('barcode'),
      image: listOf(row.cell('images')).map(imageOf)[0] ?? '',
      availability: availabilityOf(row),
      options: choices,
      details: infosOf(product).map((detail) => `:${detail}`),
      ...pricesOf(row, product, options),
    };
  },
  slug: (row) => (isSlug(row) ? row.text('handle') : ''),
});

/**
 * The price and what a discount makes of it. A variant of the first version costs its product's price and a
 * surcharge, which may be negative; the discount is the product's.
 */
function pricesOf(row: Row, product: Row, { currency }: ReaderOptions): FeedValues {
  const own = row.text('price') || product.text('price');
  const surcharge = Number(row.text('surcharge'));
  const discount = Number(product.text('discount'));
  const base = Number(own);
  const compareAtPrice = row.text('strikethroughPrice') || product.text('strikethroughPrice');
  if (own === '' || Number.isNaN(base + surcharge + discount))
    return { price: own, compareAtPrice };
  const written = (amount: number) => Math.max(0, amount).toFixed(minorDigits(currency));
  const regular = base + surcharge;
  const isPercent = /^percent$/i.test(product.text('discountMode'));
  const sale = isPercent ? regular * (1 - discount / 100) : regular - discount;
  return {
    price: surcharge === 0 ? own : written(regular),
    salePrice: discount > 0 ? written(sale) : '',
    compareAtPrice,
  };
}

function availabilityOf(row: Row): string {
  if (/^true$/i.test(row.text('preorder'))) return 'preorder';
  const inventory = row.text('inventory').replace(/[\s_]/g, '').toLowerCase();
  if (inventory === 'instock' || Number(inventory) > 0) return 'in_stock';
  if (inventory === 'outofstock' || /^-?\d+(?:\.0+)?$/.test(inventory)) return 'out_of_stock';
  return '';
}

/** `Size:S;M` of a product, `Size:S` of a variant; the names are the product's. */
function choicesOf(row: Row, product: Row): string[] {
  const names = product.series('optionNames');
  const types = product.series('optionTypes');
  return row.series('choices').flatMap((cell, index) => {
    // A colour is written as `#ff0000:Red` or `red:Red`.
    const isColor = /color/i.test(types[index] ?? '');
    const values = listOf(cell).map((value) =>
      isColor ? value.replace(/^[^:]*:(?=.)/, '') : value,
    );
    const name = (names[index] ?? '').replaceAll(':', ' ');
    return name === '' || values.length === 0 ? [] : [`${name}:${values.join(', ')}`];
  });
}

function infosOf(row: Row): string[] {
  const texts = row.series('infoTexts');
  return row.series('infoTitles').flatMap((title, index) => {
    const text = htmlToText(texts[index] ?? '');
    return title === '' || text === '' ? [] : [`${title.replaceAll(':', ' ')}:${text}`];
  });
}

function listOf(cell: string): string[] {
  return cell
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `ab12~mv2.jpg`, `wix:image://v1/ab12~mv2.jpg/name.jpg#…` or an address. */
function imageOf(text: string): string {
  const name = /^wix:image:\/\/v1\/([^/]+)/.exec(text)?.[1] ?? text;
  return /^https?:/i.test(name) ? name : `${MEDIA}${name}`;
}

/** The third version's handle is the last part of the product's address; the first version's is an id. */
function isSlug(row: Row): boolean {
  return row.heading('handle').toLowerCase() === 'handle';
}

function linkOf(row: Row, { shopUrl }: ReaderOptions): string {
  if (shopUrl === null || !isSlug(row)) return '';
  return `${shopUrl.replace(/\/+$/, '')}/product-page/${encodeURIComponent(row.text('handle'))}`;
}
