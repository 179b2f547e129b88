import { groupByKey } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { shopTableFormat } from './shop-table.ts';

/** Names of the templates until 2024, then of the present ones without their bracketed parts. */
const HEADINGS = {
  sku: ['item_sku', 'contribution_sku'],
  name: ['item_name'],
  action: ['update_delete', '::record_action'],
  description: ['product_description'],
  brand: ['brand_name', 'brand'],
  price: ['standard_price', 'purchasable_offer.our_price.schedule.value_with_tax'],
  salePrice: ['sale_price', 'purchasable_offer.discounted_price.schedule.value_with_tax'],
  saleFrom: ['sale_from_date', 'purchasable_offer.discounted_price.schedule.start_at'],
  saleUntil: ['sale_end_date', 'purchasable_offer.discounted_price.schedule.end_at'],
  listPrice: ['list_price', 'list_price.value_with_tax'],
  currency: ['currency'],
  quantity: ['quantity', 'fulfillment_availability.quantity'],
  image: ['main_image_url', 'main_product_image_locator.media_location'],
  parentage: ['parent_child', 'parentage_level'],
  parentSku: ['parent_sku', 'child_parent_sku_relationship.parent_sku'],
  color: ['color_name', 'color'],
  size: ['size_name', 'size', 'apparel_size.size'],
  material: ['material_type', 'material'],
  type: ['feed_product_type', 'product_type'],
  gtin: ['external_product_id', 'amzn1.volt.ca.product_id_value'],
  mpn: ['part_number'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/**
 * Amazon's inventory templates ("flat files") with a seller's products. They give prices in the currency of
 * their marketplace, without naming it in most of them.
 */
export const amazonFlatFile = shopTableFormat<Column>({
  name: 'amazon-flat-file',
  system: 'Amazon',
  headings: HEADINGS,
  series: {
    images: /^(?:other_image_url|other_product_image_locator_)(\d+)/,
    bullets: /^bullet_point(\d+)/,
  },
  marks: ['sku', 'name', 'parentage'],
  // `item_name[marketplace_id=A1][language_tag=en_US]#1.value` → `item_name`; numbers stay where they count.
  rename: (names) =>
    names.map((name) =>
      name
        .replace(/^bullet_point\[.*?#(\d+)\.value$/, 'bullet_point$1')
        .replace(/\[[^\]]*\]|#\d+/g, '')
        .replace(/\.value$/, ''),
    ),
  sources: {
    id: 'sku',
    title: 'name',
    description: 'description',
    price: 'price',
    salePrice: 'salePrice',
    saleFrom: 'saleFrom',
    saleUntil: 'saleUntil',
    compareAtPrice: 'listPrice',
    image: 'image',
    gtin: 'gtin',
  },
  dates: ['saleFrom', 'saleUntil'],
  group: (rows) =>
    groupByKey(rows, (row) => {
      // Templates have hints and examples above the products.
      if (row.text('sku') === '' || row.text('name') === '') return { kind: 'skip' };
      const parent = row.text('parentSku');
      if (parent !== '') return { kind: 'member', key: parent };
      return { kind: 'parent', key: row.text('sku') };
    }),
  hiddenBy: (row) => (/^delete/i.test(row.text('action')) ? 'action' : null),
  product: ownValues,
  member: ownValues,
});

function ownValues(row: Row) {
  const quantity = row.text('quantity');
  const isCounted = /^-?\d+$/.test(quantity);
  return {
    id: row.text('sku'),
    sku: row.text('sku'),
    title: row.text('name'),
    description: row.cell('description'),
    brand: row.text('brand'),
    price: row.text('price'),
    salePrice: row.text('salePrice'),
    saleFrom: row.day('saleFrom'),
    saleUntil: row.day('saleUntil'),
    compareAtPrice: row.text('listPrice'),
    currency: row.text('currency'),
    availability: !isCounted ? '' : Number(quantity) > 0 ? 'in_stock' : 'out_of_stock',
    image: row.cell('image'),
    images: row.series('images'),
    color: row.text('color'),
    size: row.text('size'),
    material: row.text('material'),
    productType: row.text('type'),
    gtin: row.text('gtin'),
    mpn: row.text('mpn'),
    highlights: row.series('bullets'),
  };
}
