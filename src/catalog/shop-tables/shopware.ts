import { minorDigits } from '../../domain/money.ts';
import { groupByKey } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

const HEADINGS = {
  id: ['id'],
  parentId: ['parent_id'],
  number: ['product_number'],
  active: ['active'],
  stock: ['stock'],
  name: ['name'],
  description: ['description'],
  priceGross: ['price_gross'],
  listPriceGross: ['list_price_gross'],
  ean: ['ean'],
  manufacturerNumber: ['manufacturer_number'],
  coverUrl: ['cover_media_url', 'cover_url'],
  manufacturer: ['manufacturer_name'],
  categoryPaths: ['category_paths'],
  categories: ['categories'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/** Shopware names things by such ids where an export has no names. */
const UUID = /^[0-9a-f]{32}$/;

/** Shopware 6's default product export. It has the ids of options, not their names. */
export const shopwareCsv = shopTableFormat<Column>({
  name: 'shopware-csv',
  system: 'Shopware',
  headings: HEADINGS,
  series: {},
  marks: ['id', 'number', 'name', 'priceGross'],
  sources: {
    id: 'id',
    title: 'name',
    description: 'description',
    price: 'priceGross',
    compareAtPrice: 'listPriceGross',
    gtin: 'ean',
    image: 'coverUrl',
  },
  group: (rows) =>
    groupByKey(rows, (row) => {
      const parent = row.text('parentId');
      if (parent !== '') return { kind: 'member', key: parent };
      const key = row.text('id');
      return key === '' ? { kind: 'product' } : { kind: 'parent', key };
    }),
  hiddenBy: (row) => (/^(?:0|false)$/i.test(row.text('active')) ? 'active' : null),
  product(row, { currency }) {
    const paths = row.text('categoryPaths') || row.text('categories');
    const categories = paths.split('|').filter((path) => path !== '' && !UUID.test(path));
    return {
      id: row.text('id') || row.text('number'),
      sku: row.text('number'),
      title: row.text('name'),
      description: row.cell('description'),
      price: rounded(row.text('priceGross'), currency),
      compareAtPrice: rounded(row.text('listPriceGross'), currency),
      availability: availabilityOf(row),
      image: row.cell('coverUrl'),
      gtin: row.text('ean'),
      mpn: row.text('manufacturerNumber'),
      brand: row.text('manufacturer'),
      productType: categories[0]?.replaceAll('>', ' > ') ?? '',
      category: categories.map((path) => path.replaceAll('>', ' > ')).join(', '),
    };
  },
  member: (row, product, { currency }) => ({
    id: row.text('id') || row.text('number'),
    sku: row.text('number'),
    title: row.text('name') || product.text('name'),
    // A variant without a price has its product's.
    price: rounded(row.text('priceGross') || product.text('priceGross'), currency),
    compareAtPrice: rounded(row.text('listPriceGross') || product.text('listPriceGross'), currency),
    availability: availabilityOf(row),
    gtin: row.text('ean'),
    image: row.cell('coverUrl'),
    options: [`Number:${row.text('number')}`],
  }),
});

function availabilityOf(row: Row): string {
  const stock = row.text('stock');
  if (!/^-?\d+$/.test(stock)) return '';
  return Number(stock) > 0 ? 'in_stock' : 'out_of_stock';
}

/** Without the digits that computing with binary fractions leaves: `24.990000000000002`. */
function rounded(price: string, currency: string): string {
  return /^\d+\.\d{5,}$/.test(price) ? Number(price).toFixed(minorDigits(currency)) : price;
}
