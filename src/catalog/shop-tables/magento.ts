import type { FeedValues } from '../feeds/feed-records.ts';
import type { ReaderOptions } from '../record/reader.ts';
import { groupByParents } from './shop-groups.ts';
import type { ShopRow } from './shop-row.ts';
import { joinedProse, shopTableFormat } from './shop-table.ts';

const HEADINGS = {
  sku: ['sku'],
  storeView: ['store_view_code'],
  attributeSet: ['attribute_set_code'],
  type: ['product_type'],
  categories: ['categories'],
  name: ['name'],
  description: ['description'],
  shortDescription: ['short_description'],
  online: ['product_online'],
  visibility: ['visibility'],
  price: ['price'],
  specialPrice: ['special_price'],
  specialFrom: ['special_price_from_date'],
  specialTo: ['special_price_to_date'],
  urlKey: ['url_key'],
  baseImage: ['base_image', 'image'],
  additionalImages: ['additional_images'],
  createdAt: ['created_at'],
  updatedAt: ['updated_at'],
  attributes: ['additional_attributes'],
  quantity: ['qty'],
  backorders: ['allow_backorders'],
  isInStock: ['is_in_stock'],
  brand: ['brand', 'manufacturer'],
  gtin: ['gtin', 'ean', 'upc', 'barcode'],
  bundlePriceType: ['bundle_price_type'],
  variations: ['configurable_variations'],
  variationLabels: ['configurable_variation_labels'],
} as const;

type Column = keyof typeof HEADINGS;
type Row = ShopRow<Column>;

/** The label of a product that is sold only as part of another, in the languages of Magento's admin. */
const INVISIBLE = new Set([
  ...['not visible individually', 'nicht einzeln sichtbar', 'non visible individuellement'],
  ...['no visible individualmente', 'non visibile individualmente', 'niet individueel zichtbaar'],
]);

/** Attributes of Magento itself, which say nothing about the product. */
const TECHNICAL =
  /^(?:has_options|required_options|quantity_and_stock_status|gift_|msrp|tax_|ts_|url_|swatch_|options_container|page_layout|custom_|amrole|links_|samples_|shipment_type|price_type|sku_type|weight_type|price_view)/;

const GTIN = /^(?:gtin|ean|upc|isbn|barcode)\w*$/i;
const BRAND = /^(?:brand|manufacturer|marke|hersteller|marque|marca)$/i;

/** Products whose price is that of their parts; the column then has 0. */
const COMPOSED = new Set(['configurable', 'grouped', 'bundle']);

/** Magento's and Adobe Commerce's product export. Rows of translated store views are left out. */
export const magentoCsv = shopTableFormat<Column>({
  name: 'magento-csv',
  system: 'Magento',
  headings: HEADINGS,
  series: {},
  marks: ['sku', 'storeView', 'type', 'name'],
  sources: {
    id: 'sku',
    title: 'name',
    description: 'description',
    price: 'price',
    salePrice: 'specialPrice',
    saleFrom: 'specialFrom',
    saleUntil: 'specialTo',
    image: 'baseImage',
    images: 'additionalImages',
    gtin: 'gtin',
    options: 'variations',
  },
  dates: ['specialFrom', 'specialTo', 'createdAt', 'updatedAt'],
  group: (rows) =>
    groupByParents(rows, {
      isTranslation: (row) => row.text('storeView') !== '',
      keyOf: (row) => row.text('sku'),
      childrenOf: (row) => [...variationsOf(row).keys()],
    }),
  hiddenBy(row, isMember) {
    if (/^(?:0|2|no|disabled)$/i.test(row.text('online'))) return 'online';
    const isInvisible = INVISIBLE.has(row.text('visibility').toLowerCase());
    return isInvisible && !isMember ? 'visibility' : null;
  },
  product: productValues,
  member(row, product, options) {
    const { description: _, productType: __, category: ___, ...own } = productValues(row, options);
    const labels = pairsOf(product.cell('variationLabels'));
    const choices = variationsOf(product).get(row.text('sku')) ?? new Map<string, string>();
    return {
      ...own,
      link: linkOf(product, options),
      details: detailsOf(product),
      options: [...choices].map(([code, value]) => `${labels.get(code) ?? code}:${value}`),
    };
  },
  slug: (row) => row.text('urlKey'),
});

function productValues(row: Row, options: ReaderOptions): FeedValues {
  const attributes = pairsOf(row.cell('attributes'));
  const named = (pattern: RegExp) =>
    [...attributes].find(([name, value]) => pattern.test(name) && value !== '')?.[1] ?? '';
  const price = row.text('price');
  const type = row.text('type').toLowerCase();
  const isComposed =
    (COMPOSED.has(type) && Number(price) === 0) || row.text('bundlePriceType') === 'dynamic';
  const categories = categoriesOf(row.text('categories'));
  return {
    id: row.text('sku'),
    sku: row.text('sku'),
    title: row.text('name'),
    description: joinedProse(row.cell('shortDescription'), row.cell('description')),
    link: linkOf(row, options),
    image: imageOf(row.text('baseImage'), options),
    images: row
      .text('additionalImages')
      .split(',')
      .map((path) => imageOf(path.trim(), options)),
    price: isComposed ? '' : price,
    salePrice: row.text('specialPrice'),
    saleFrom: row.day('specialFrom'),
    saleUntil: row.day('specialTo'),
    availability: availabilityOf(row),
    brand: row.text('brand') || named(BRAND),
    gtin: row.text('gtin') || named(GTIN),
    productType: categories[0]?.join(' > ') ?? '',
    category: categories.map((path) => path.join(' > ')).join(', '),
    details: detailsOf(row),
  };
}

function availabilityOf(row: Row): string {
  const isIn = row.text('isInStock');
  if (isIn === '0') return 'out_of_stock';
  const quantity = row.text('quantity');
  const isEmpty = quantity !== '' && Number(quantity) <= 0;
  const isBackorder = isEmpty && Number(row.text('backorders')) > 0;
  if (isBackorder) return 'backorder';
  if (isIn === '1') return 'in_stock';
  if (quantity === '') return '';
  return isEmpty ? 'out_of_stock' : 'in_stock';
}

/** Category paths below the root category, the deepest first. */
function categoriesOf(cell: string): string[][] {
  const paths = cell.split(',').map((path) => path.split('/').map((part) => part.trim()));
  return paths
    .map((path) => path.slice(1))
    .filter((path) => path.length > 0)
    .sort((a, b) => b.length - a.length);
}

function detailsOf(row: Row): string[] {
  return [...pairsOf(row.cell('attributes'))]
    .filter(([name, value]) => {
      const isOwn = !TECHNICAL.test(name) && !GTIN.test(name) && !BRAND.test(name);
      return isOwn && value !== '' && value !== 'No';
    })
    .map(([name, value]) => `:${name}:${value}`);
}

/** The options of a configurable product's variants, by their SKUs. */
function variationsOf(row: Row): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const entry of row.cell('variations').split('|')) {
    const pairs = pairsOf(entry);
    const sku = pairs.get('sku') ?? '';
    pairs.delete('sku');
    if (sku !== '') found.set(sku, pairs);
  }
  return found;
}

/** `color=Black,size=M, L`: a comma belongs to the value unless a name follows. */
function pairsOf(cell: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const part of cell.split(/,(?=[A-Za-z]\w*=)/)) {
    const sign = part.indexOf('=');
    if (sign > 0) pairs.set(part.slice(0, sign).trim(), part.slice(sign + 1).trim());
  }
  return pairs;
}

/** Exports have paths below the media folder; imports may have addresses. */
function imageOf(path: string, { shopUrl }: ReaderOptions): string {
  if (path === '' || path === 'no_selection') return '';
  if (/^https?:/i.test(path)) return path;
  return shopUrl === null
    ? ''
    : `${base(shopUrl)}/media/catalog/product/${path.replace(/^\/+/, '')}`;
}

function linkOf(row: Row, { shopUrl }: ReaderOptions): string {
  const key = row.text('urlKey');
  return shopUrl === null || key === '' ? '' : `${base(shopUrl)}/${encodeURIComponent(key)}.html`;
}

function base(shopUrl: string): string {
  return shopUrl.replace(/\/+$/, '');
}
