import { htmlToText } from '../record/html-text.ts';
import { groupByOrder } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

const HEADINGS = {
  productId: ['product id [non editable]'],
  variantId: ['variant id [non editable]'],
  type: ['product type [non editable]'],
  url: ['product url'],
  title: ['title'],
  description: ['description'],
  sku: ['sku'],
  price: ['price'],
  salePrice: ['sale price'],
  onSale: ['on sale'],
  stock: ['stock'],
  categories: ['categories'],
  tags: ['tags'],
  visible: ['visible'],
  images: ['hosted image urls'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/**
 * Squarespace's product export: a product's first row has its first variant too, later rows only variants.
 * The address of a product depends on the site's version, so only its last part is known.
 */
export const squarespaceCsv = shopTableFormat<Column>({
  name: 'squarespace-csv',
  system: 'Squarespace',
  headings: HEADINGS,
  series: { optionNames: /^option name (\d+)$/, optionValues: /^option value (\d+)$/ },
  marks: ['productId', 'variantId', 'title', 'price'],
  sources: {
    id: 'productId',
    title: 'title',
    description: 'description',
    price: 'price',
    salePrice: 'salePrice',
    onSale: 'onSale',
    image: 'images',
    images: 'images',
  },
  group: (rows) =>
    groupByOrder(rows, {
      starts: (row) => row.text('productId') !== '' || row.text('title') !== '',
      isVariant: (row) => optionsOf(row).length > 0,
    }),
  hiddenBy: (row) => (/^no$/i.test(row.text('visible')) ? 'visible' : null),
  product(row) {
    const [image = '', ...images] = row.cell('images').split(/\s+/);
    const categories = listOf(row.text('categories')).map((path) => path.replace(/^[/\s-]+/, ''));
    return {
      ...ownValues(row),
      id: row.text('productId') || row.text('sku'),
      title: htmlToText(row.text('title')),
      description: row.cell('description'),
      image,
      images,
      productType: categories[0]?.replaceAll('/', ' > ') ?? '',
      category: categories.join(', '),
      tags: listOf(row.text('tags')),
    };
  },
  member: (row) => ({
    ...ownValues(row),
    id: row.text('variantId') || row.text('sku'),
    options: optionsOf(row),
  }),
  isService: (row) => row.text('type') === 'SERVICE',
  slug: (row) => row.text('url'),
});

function ownValues(row: Row) {
  const stock = row.text('stock');
  const isIn = /^unlimited$/i.test(stock) || Number(stock) > 0;
  return {
    sku: row.text('sku'),
    price: row.text('price'),
    salePrice: /^yes$/i.test(row.text('onSale')) ? row.text('salePrice') : '',
    availability: stock === '' ? '' : isIn ? 'in_stock' : 'out_of_stock',
  };
}

function optionsOf(row: Row): string[] {
  const values = row.series('optionValues');
  return row.series('optionNames').flatMap((name, index) => {
    const value = values[index] ?? '';
    return value === '' ? [] : [`${name.replaceAll(':', ' ') || `Option ${index + 1}`}:${value}`];
  });
}

function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
