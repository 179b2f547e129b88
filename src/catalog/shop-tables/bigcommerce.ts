import { nameAsId } from '../record/values.ts';
import { groupByOrder } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

/** The first name of each column is that of the present export, the others of the former one. */
const HEADINGS = {
  rowType: ['item', 'item type'],
  id: ['id', 'product id'],
  name: ['name', 'product name'],
  type: ['type', 'product type'],
  sku: ['sku', 'product code/sku'],
  options: ['options'],
  tracking: ['inventory tracking', 'track inventory'],
  stock: ['current stock', 'current stock level'],
  price: ['price'],
  retailPrice: ['retail price'],
  salePrice: ['sale price'],
  brand: ['brand', 'brand name'],
  categories: ['categories names', 'category', 'categories'],
  description: ['description', 'product description'],
  gtin: ['global trade number', 'gps global trade item number'],
  upc: ['upc/ean', 'product upc/ean'],
  mpn: ['manufacturer part number', 'gps manufacturer part number'],
  visible: ['is visible', 'product visible?'],
  orderable: ['allow purchases?'],
  condition: ['product condition'],
  url: ['product url'],
  keywords: ['search keywords'],
  variantImage: ['variant image url'],
  exportedImage: ['internal image url (export)'],
  importedImage: ['image url (import)'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/** BigCommerce's product export of either version: rows of products, variants, images and rules. */
export const bigcommerceCsv = shopTableFormat<Column>({
  name: 'bigcommerce-csv',
  system: 'BigCommerce',
  headings: HEADINGS,
  series: { images: /^product image file - (\d+)$/ },
  marks: ['rowType', 'name', 'tracking', 'retailPrice', 'visible'],
  sources: {
    id: 'id',
    title: 'name',
    description: 'description',
    price: 'price',
    salePrice: 'salePrice',
    compareAtPrice: 'retailPrice',
    gtin: 'gtin',
    image: 'exportedImage',
  },
  group: (rows) =>
    groupByOrder(rows, {
      starts: (row) => isType(row, 'product'),
      isVariant: (row) => isType(row, 'variant') || isType(row, 'sku'),
    }),
  hiddenBy: (row) => (/^(?:n|no|false)$/i.test(row.text('visible')) ? 'visible' : null),
  product(row, { shopUrl }, extras) {
    const [image = '', ...images] = [
      ...row.series('images'),
      ...extras.map((extra) => extra.cell('exportedImage') || extra.cell('importedImage')),
    ].filter((url) => url !== '');
    const categories = row
      .text('categories')
      .split(';')
      .filter((path) => !/^\d*$/.test(path));
    const path = row.text('url');
    return {
      ...ownValues(row),
      id: row.text('id') || row.text('sku') || nameAsId(row.text('name')),
      title: row.text('name'),
      description: row.cell('description'),
      link:
        shopUrl === null || !path.startsWith('/') ? path : `${shopUrl.replace(/\/+$/, '')}${path}`,
      brand: row.text('brand'),
      condition: row.text('condition'),
      mpn: row.text('mpn'),
      productType: categories[0]?.replaceAll('/', ' > ') ?? '',
      category: categories.join(', '),
      tags: row
        .text('keywords')
        .split(',')
        .map((word) => word.trim()),
      image,
      images,
    };
  },
  member(row, product, { extras }) {
    const own = ownValues(row);
    return {
      ...own,
      id: row.text('id') || row.text('sku'),
      title: product.text('name'),
      price: ruledPrice(row, { base: own.price || product.text('price'), rules: extras }),
      salePrice: own.salePrice || (own.price === '' ? product.text('salePrice') : ''),
      image: row.cell('variantImage'),
      options: optionsOf(row),
      availability: own.availability || availabilityOf(product),
    };
  },
});

/** The types are written `Product`, `PRODUCT` or with spaces before them. */
function isType(row: Row, type: string): boolean {
  return row.text('rowType').toLowerCase() === type;
}

function ownValues(row: Row) {
  return {
    sku: row.text('sku'),
    gtin: row.text('gtin') || row.text('upc'),
    price: row.text('price'),
    salePrice: row.text('salePrice'),
    compareAtPrice: row.text('retailPrice'),
    availability: availabilityOf(row),
  };
}

function availabilityOf(row: Row): string {
  if (/^(?:n|no|false)$/i.test(row.text('orderable'))) return 'out_of_stock';
  const stock = row.text('stock');
  if (/^unlimited$/i.test(stock) || /^none$/i.test(row.text('tracking'))) return 'in_stock';
  if (!/^-?\d+$/.test(stock)) return '';
  return Number(stock) > 0 ? 'in_stock' : 'out_of_stock';
}

/** The former export changes a variant's price by rows of the type `Rule` with its SKU. */
function ruledPrice(row: Row, { base, rules }: { base: string; rules: readonly Row[] }): string {
  const rule = rules.find((each) => isType(each, 'rule') && each.text('sku') === row.text('sku'));
  const [, kind = '', amount = ''] = /^\[(\w+)\]\s*([\d.]+)$/.exec(rule?.text('price') ?? '') ?? [];
  if (kind === 'FIXED') return amount;
  const change = kind === 'ADD' ? Number(amount) : kind === 'REMOVE' ? -Number(amount) : 0;
  return change === 0 ? base : (Number(base) + change).toFixed(2);
}

/** `Type=Swatch|Name=Color|Value=Black[#000]` by lines, formerly `[CS]Color=Black:#000,[RB]Size=S`. */
function optionsOf(row: Row): string[] {
  const present = [
    ...row
      .cell('options')
      .matchAll(/Name=([^|]+)\|Value=([^|\n\u2028]+?)(?=Type=|\[#|[|\n\u2028]|$)/g),
  ];
  const former = [...row.text('name').matchAll(/\[\w+\]([^=,]+)=([^,[:]+)/g)];
  return [...present, ...former].map(
    ([, name = '', value = '']) => `${name.trim()}:${value.trim()}`,
  );
}
