import { minorDigits } from '../../domain/money.ts';
import type { FeedValues } from '../feeds/feed-records.ts';
import type { ReaderOptions } from '../record/reader.ts';
import { groupByKey } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { joinedProse, shopTableFormat } from './shop-table.ts';

/** Without what PrestaShop adds in brackets, and its marks for required columns. */
const HEADINGS = {
  id: ['product id', 'id'],
  active: ['active'],
  name: ['name'],
  categories: ['categories'],
  priceNet: ['price tax excluded', 'price tax excl.', 'price tax excluded or price tax included'],
  priceGross: ['price tax included', 'price tax incl.'],
  taxRule: ['tax rules id'],
  discountAmount: ['discount amount'],
  discountPercent: ['discount percent'],
  discountFrom: ['discount from'],
  discountTo: ['discount to'],
  reference: ['reference'],
  manufacturer: ['manufacturer', 'brand'],
  ean: ['ean13'],
  upc: ['upc'],
  mpn: ['mpn'],
  quantity: ['quantity'],
  visibility: ['visibility'],
  summary: ['summary', 'short description'],
  description: ['description'],
  tags: ['tags'],
  urlRewritten: ['url rewritten'],
  orderable: ['available for order'],
  images: ['image urls'],
  features: ['feature'],
  condition: ['condition'],
  outOfStock: ['out of stock action', 'action when out of stock'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/** PrestaShop's table of products, as its import takes and its samples show it. */
export const prestashopCsv = shopTableFormat<Column>({
  name: 'prestashop-csv',
  system: 'PrestaShop',
  headings: HEADINGS,
  series: {},
  marks: ['id', 'active', 'name', 'taxRule', 'reference'],
  rename: (names) => names.map((name) => name.replace(/\s*\(.*\)|\s*[*#]/g, '').trim()),
  sources: {
    id: 'id',
    title: 'name',
    description: 'description',
    price: 'priceGross',
    salePrice: 'discountAmount',
    saleFrom: 'discountFrom',
    saleUntil: 'discountTo',
    gtin: 'ean',
    image: 'images',
    images: 'images',
  },
  dates: ['discountFrom', 'discountTo'],
  group: (rows) => groupByKey(rows, () => ({ kind: 'product' })),
  hiddenBy(row) {
    if (row.text('active') === '0') return 'active';
    return row.text('visibility').toLowerCase() === 'none' ? 'visibility' : null;
  },
  caution(columns) {
    if (columns.has('priceGross')) return null;
    const heading = columns.heading('priceNet');
    const message = `${heading} is the only price: if customers pay taxes on top, the prices are too low.`;
    return { column: heading, code: 'price_without_tax', message };
  },
  product(row, options) {
    const [image = '', ...images] = listOf(row.cell('images'));
    const categories = listOf(row.text('categories'));
    return {
      id: row.text('id') || row.text('reference'),
      sku: row.text('reference'),
      title: row.text('name'),
      description: joinedProse(row.cell('summary'), row.cell('description')),
      ...pricesOf(row, options),
      availability: availabilityOf(row),
      brand: row.text('manufacturer'),
      gtin: row.text('ean') || row.text('upc'),
      mpn: row.text('mpn'),
      condition: row.text('condition'),
      productType: categories[0] ?? '',
      category: categories.join(', '),
      tags: listOf(row.text('tags')),
      image,
      images,
      details: listOf(row.text('features')).map((feature) => `:${feature.replace(/:\d+$/, '')}`),
    };
  },
  member: () => ({}),
  slug: (row) => row.text('urlRewritten'),
});

/** A discount in percent or as an amount, on its days. */
function pricesOf(row: Row, { currency }: ReaderOptions): FeedValues {
  const price = row.text('priceGross') || row.text('priceNet');
  const amount = Number(row.text('discountAmount').replace(',', '.'));
  const percent = Number(row.text('discountPercent').replace(',', '.'));
  const regular = Number(price.replace(',', '.'));
  const sale = percent > 0 ? regular * (1 - percent / 100) : regular - amount;
  const isReduced = (amount > 0 || percent > 0) && sale > 0;
  return {
    price,
    salePrice: isReduced ? sale.toFixed(minorDigits(currency)) : '',
    saleFrom: dayOf(row, 'discountFrom'),
    saleUntil: dayOf(row, 'discountTo'),
  };
}

/** PrestaShop writes `0000-00-00` for no date. */
function dayOf(row: Row, column: Column): string {
  const day = row.day(column);
  return /^0000/.test(day) ? '' : day;
}

function availabilityOf(row: Row): string {
  if (row.text('orderable') === '0') return 'out_of_stock';
  const quantity = row.text('quantity');
  if (!/^-?\d+$/.test(quantity)) return '';
  if (Number(quantity) > 0) return 'in_stock';
  return row.text('outOfStock') === '1' ? 'backorder' : 'out_of_stock';
}

function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
