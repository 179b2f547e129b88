import { TableColumns, type TableHead } from '../record/table-columns.ts';

/**
 * Attributes of product feeds with all their names: from Google Merchant Center's product data
 * specification and OpenAI's product feed, former names included. Vitrine's own names come last, for
 * mapped columns.
 */
export const FEED_NAMES = {
  id: ['id', 'item_id', 'offer_id', 'externalid'],
  title: ['title', 'name'],
  description: ['description'],
  link: ['link', 'url', 'publicurl'],
  image: ['image_link', 'image_url', 'image'],
  images: [
    'additional_image_link',
    'additional_image_links',
    'additional_image_urls',
    'additional_image_url',
    'images',
  ],
  price: ['price'],
  salePrice: ['sale_price'],
  onSale: ['on_sale', 'is_on_sale', 'onsale'],
  salePeriod: ['sale_price_effective_date'],
  saleFrom: ['sale_price_start_date'],
  saleUntil: ['sale_price_end_date'],
  compareAtPrice: ['compareatprice', 'compare_at_price', 'list_price'],
  currency: ['currency'],
  availability: ['availability'],
  quantity: ['quantity', 'stock', 'stock_quantity', 'inventory_quantity'],
  brand: ['brand', 'vendor'],
  gtin: ['gtin', 'ean', 'upc', 'barcode'],
  mpn: ['mpn'],
  sku: ['sku'],
  group: ['item_group_id', 'group_id'],
  groupTitle: ['item_group_title', 'group_title'],
  productType: ['product_type', 'producttype', 'product_category'],
  category: ['google_product_category', 'category'],
  tags: ['tags'],
  color: ['color', 'colour'],
  size: ['size'],
  material: ['material'],
  pattern: ['pattern'],
  gender: ['gender'],
  ageGroup: ['age_group'],
  condition: ['condition'],
  sizeSystem: ['size_system'],
  sizeType: ['size_type'],
  energyClass: ['energy_efficiency_class'],
  highlights: ['product_highlight', 'product_highlights'],
  details: ['product_detail', 'product_details'],
  options: ['variant_dict'],
  searchable: ['is_eligible_search', 'enable_search', 'visible'],
} as const;

export type FeedAttribute = keyof typeof FEED_NAMES;

const BY_NAME: ReadonlyMap<string, FeedAttribute> = new Map(
  Object.entries(FEED_NAMES).flatMap(([attribute, names]) =>
    names.map((name) => [name, attribute as FeedAttribute] as const),
  ),
);

/** The attribute for a name in any notation of feeds: `g:Image Link`, `image-link`, `image_link`. */
export function feedAttribute(name: string): FeedAttribute | null {
  return BY_NAME.get(feedName(name)) ?? null;
}

export function feedName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_');
}

export function feedColumns(table: TableHead): TableColumns<FeedAttribute> {
  return new TableColumns({ ...table, names: table.names.map(feedName) }, FEED_NAMES);
}
