import { nameAsId } from '../record/values.ts';
import { groupByKey } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

const HEADINGS = {
  title: ['title'],
  description: ['description'],
  price: ['price'],
  currency: ['currency_code'],
  quantity: ['quantity'],
  tags: ['tags'],
  materials: ['materials'],
  sku: ['sku'],
} as const;

type Column = keyof typeof HEADINGS;

/** The columns before the images, in the order of every export. */
const ORDER: readonly Column[] = [
  ...(['title', 'description', 'price', 'currency', 'quantity', 'tags', 'materials'] as const),
];
const IMAGE_COUNT = 10;

/** Type, name and values of each of two variations. */
const VARIATIONS = [1, 2].flatMap((number) =>
  ['type', 'name', 'values'].map((part) => `variation ${number} ${part}`),
);

const NAMES = [
  ...ORDER.map((column) => HEADINGS[column][0]),
  ...Array.from({ length: IMAGE_COUNT }, (_, index) => `image${index + 1}`),
  ...VARIATIONS,
  'sku',
];

/**
 * Etsy's download of a shop's listings. It has neither ids nor addresses, and one price for all
 * variations: the lowest. So a listing is known by its SKU or title, and its variations are attributes.
 */
export const etsyCsv = shopTableFormat<Column>({
  name: 'etsy-csv',
  system: 'Etsy',
  headings: HEADINGS,
  series: {
    images: /^image ?(\d+)$/,
    variationNames: /^variation (\d+) name$/,
    variationValues: /^variation (\d+) values$/,
  },
  marks: ['title', 'price', 'currency', 'quantity', 'materials'],
  sources: { id: 'title', price: 'price', currency: 'currency', title: 'title' },
  // All headings but one are translated; their order is not.
  rename: (names) =>
    names[3] === 'currency_code' ? names.map((name, at) => NAMES[at] ?? name) : names,
  group: (rows) => groupByKey(rows, () => ({ kind: 'product' })),
  hiddenBy: () => null,
  product(row) {
    const [image = '', ...images] = row.series('images').filter((url) => url !== '');
    return {
      id: idOf(row),
      sku: row.text('sku').includes(',') ? '' : row.text('sku'),
      title: row.text('title'),
      description: row.cell('description'),
      price: row.text('price'),
      currency: row.text('currency'),
      availability: Number(row.text('quantity')) > 0 ? 'in_stock' : 'out_of_stock',
      image,
      images,
      tags: listOf(row.text('tags')).map((tag) => tag.replaceAll('_', ' ')),
      material: listOf(row.text('materials')).join(', ').replaceAll('_', ' '),
      details: variationsOf(row),
    };
  },
  member: () => ({}),
});

/** The SKU; several SKUs are those of the variations, so then the words of the title. */
function idOf(row: ShopRow<Column>): string {
  const sku = row.text('sku');
  if (sku !== '' && !sku.includes(',')) return sku;
  return nameAsId(row.text('title'));
}

function variationsOf(row: ShopRow<Column>): string[] {
  const values = row.series('variationValues');
  return row.series('variationNames').flatMap((name, index) => {
    const list = listOf(values[index] ?? '');
    return name === '' || list.length === 0
      ? []
      : [`:${name.replaceAll(':', ' ')}:${list.join(', ')}`];
  });
}

function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
