import {
  type AttributeValue,
  type Availability,
  comparable,
  DESCRIPTION_MAX,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from '../../domain/catalog.ts';
import { type CsvRow, csvFinding } from '../bytes/csv-table.ts';
import type { Findings } from '../record/findings.ts';
import { currentPrice, type Decimal } from '../record/prices.ts';
import type { ReaderOptions } from '../record/reader.ts';
import { TextFields } from '../record/text-fields.ts';
import {
  ATTRIBUTE_COUNT_MAX,
  ATTRIBUTE_TEXT_MAX,
  attributeName,
  cut,
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  NAME_MAX,
  parseInstant,
  parseLastMoment,
  parseSlug,
  SHORT_TEXT_MAX,
  shortText,
  TAG_COUNT_MAX,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';
import type { WooColumn, WooColumns } from './woo-columns.ts';

/** Types that are sold as appointments. */
const SERVICE_TYPES = ['booking', 'appointment', 'accommodation-booking'];

interface WooContext {
  readonly columns: WooColumns;
  readonly decimal: Decimal;
  readonly options: ReaderOptions;
}

/** Whether a row of this type is a variation of another product. */
export function isVariation(type: string): boolean {
  return type.split(',').some((word) => /^(?:subscription_)?variation$/.test(word.trim()));
}

/** Strips the apostrophe that WooCommerce puts before text that looks like a formula. */
export function unescaped(text: string): string {
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

/**
 * Reads a product from its row and those of its variations; null with the reason in `findings`. Rejects
 * an invalid variation, and a product that has only invalid ones.
 */
export function readWooProduct(
  [product, ...variations]: readonly [CsvRow, ...CsvRow[]],
  findings: Findings,
  context: WooContext,
): Offering | null {
  const { columns, options } = context;
  if (product.problem !== null) {
    findings.error(csvFinding(product.problem));
    return null;
  }
  const fields = fieldsOf(product, columns, findings);
  const id = fields.text('id') || fields.text('sku');
  findings.externalId = id === '' || cut(id, EXTERNAL_ID_MAX).isCut ? null : id;
  if (!isPublished(fields)) return null;
  if (id === '') fields.refuse('id', 'missing_value', 'or a SKU is required.');
  if (findings.externalId === null && id !== '') {
    fields.refuse('id', 'too_long', `is longer than ${EXTERNAL_ID_MAX} characters.`);
  }
  const name = fields.line('name', NAME_MAX);
  if (name === null) fields.refuse('name', 'missing_value', 'is required.');
  const prices = readPrices(fields, context);
  const availability = readAvailability(fields);
  const images = readImages(fields);
  const attributes = readAttributes(product, columns);
  const type = fields.text('type').toLowerCase();
  if (fields.isRefused) findings.reject();
  const variants = readVariants(variations, findings, context);
  findings.moveTo(product);
  if (variations.length > 0 && variants.length === 0) findings.reject();
  if (findings.isRejected || name === null) return null;
  const isPriced = variants.some(({ priceMinor }) => priceMinor !== null);
  const categories = listOf(fields.raw('categories'));
  const variantImages = variants.flatMap(({ image }) => image ?? []);
  const allImages = [...new Set([...images, ...variantImages])].slice(0, IMAGE_COUNT_MAX);
  return {
    type: 'product',
    kind: SERVICE_TYPES.some((word) => type.includes(word)) ? 'service' : 'product',
    externalId: id,
    name,
    description: readDescription(fields),
    image: allImages[0] ?? null,
    images: allImages,
    slug: parseSlug(fields.text('slug')),
    publicUrl: fields.url('permalink') ?? fields.url('externalUrl'),
    publishedAt: null,
    vendor: cut(listOf(fields.raw('brands'))[0] ?? '', SHORT_TEXT_MAX).text || null,
    tags: readTags(fields),
    productType: lastOfPath(categories[0] ?? ''),
    currency: options.currency,
    ...(isPriced ? leadingPrice(variants) : prices),
    availability: variants.length > 0 ? leadingAvailability(variants) : availability,
    sku: fields.line('sku'),
    mpn: null,
    gtins: [fields.gtin('gtin')].filter((gtin) => gtin !== null),
    bookingUrl: null,
    checkoutUrl: null,
    attributes: {
      ...(categories.length === 0
        ? {}
        : { category: cut(categories.join(', '), ATTRIBUTE_TEXT_MAX).text }),
      ...attributes,
    },
    variants,
  };
}

function fieldsOf(
  { fields }: CsvRow,
  columns: WooColumns,
  findings: Findings,
): TextFields<WooColumn> {
  const heading = (column: WooColumn) => columns.heading(column);
  return new TextFields(
    { raw: (column) => unescaped(columns.raw(fields, column)), heading },
    findings,
  );
}

/** 1 is published, 0 private, -1 a draft. */
function isPublished(fields: TextFields<WooColumn>): boolean {
  const published = fields.text('published').toLowerCase();
  const isHidden = fields.text('visibility').toLowerCase() === 'hidden';
  const isOut = ['0', '-1', 'false', 'no'].includes(published);
  if (isOut || isHidden) {
    const column = isOut ? 'published' : 'visibility';
    fields.warn(column, 'not_published', 'says that the product is not for sale; it was left out.');
    return false;
  }
  if (!['', '1', 'true', 'yes'].includes(published)) {
    fields.refuse('published', 'invalid_value', 'must be 1, 0 or -1.');
  }
  return true;
}

function readPrices(
  fields: TextFields<WooColumn>,
  { decimal, options: { currency, now } }: WooContext,
): { priceMinor: number | null; compareAtPriceMinor: number | null } {
  const amount = (column: 'regularPrice' | 'salePrice') => {
    const price = fields.price(column, { currency, decimal });
    if (price === null || price.currency === currency) return price?.minor ?? null;
    fields.refuse(column, 'currency_conflict', `is not in the shop's currency, ${currency}.`);
    return null;
  };
  const from = fields.raw('saleFrom');
  const until = fields.raw('saleUntil');
  const start = from === '' ? null : parseInstant(from);
  const end = until === '' ? null : parseLastMoment(until);
  const regular = amount('regularPrice');
  let sale = amount('salePrice');
  if ((from !== '' && start === null) || (until !== '' && end === null)) {
    const column = from !== '' && start === null ? 'saleFrom' : 'saleUntil';
    if (sale !== null) fields.warn(column, 'invalid_time', 'is not a date; the sale was left out.');
    sale = null;
  }
  const period = { from: start === null ? null : Date.parse(start), until: end };
  return currentPrice({ regular, sale, period }, now);
}

function readAvailability(fields: TextFields<WooColumn>): Availability {
  const inStock = fields.text('inStock').toLowerCase();
  const stock = fields.text('stock');
  const backorders = !['', '0', 'no', 'false'].includes(fields.text('backorders').toLowerCase());
  const isCounted = /^-?\d+(?:[.,]\d+)?$/.test(stock);
  const isEmpty = isCounted && Number(stock.replace(',', '.')) <= 0;
  if (['backorder', 'onbackorder'].includes(inStock)) return 'backorder';
  if (['0', 'no', 'false', 'outofstock'].includes(inStock)) return 'out_of_stock';
  if (['1', 'yes', 'true', 'instock'].includes(inStock)) {
    return isEmpty && backorders ? 'backorder' : 'in_stock';
  }
  if (inStock !== '') fields.warn('inStock', 'invalid_value', 'must be 1, 0 or backorder.');
  if (!isCounted) return 'unknown';
  if (!isEmpty) return 'in_stock';
  return backorders ? 'backorder' : 'out_of_stock';
}

function readDescription(fields: TextFields<WooColumn>): string {
  // The export writes a line break as `\n`, two characters.
  const [short, long] = (['shortDescription', 'description'] as const).map((column) =>
    fields.proseOf(column, fields.raw(column).replaceAll('\\n', '\n')),
  ) as [string, string];
  if (short === '' || long.includes(short)) return long;
  return cut(`${short}\n\n${long}`.trim(), DESCRIPTION_MAX).text;
}

/** Splits values at commas; a backslash escapes a comma. */
function listOf(cell: string): string[] {
  const parts = cell.match(/(?:\\.|[^,\\])+/gs) ?? [];
  return parts
    .map((part) => unescaped(shortText(part.replaceAll('\\,', ','))))
    .filter((part) => part !== '');
}

function readImages(fields: TextFields<WooColumn>): string[] {
  const urls = listOf(fields.raw('images')).map((text) => fields.urlOf('images', text));
  return [...new Set(urls.filter((url) => url !== null))];
}

function readTags(fields: TextFields<WooColumn>): string[] {
  const tags = listOf(fields.raw('tags')).filter((tag) => !cut(tag, SHORT_TEXT_MAX).isCut);
  if (tags.length > TAG_COUNT_MAX) {
    const message = `has more than ${TAG_COUNT_MAX} entries; the first were kept.`;
    fields.warn('tags', 'too_many', message);
  }
  return [...new Set(tags)].slice(0, TAG_COUNT_MAX);
}

/** The last part of a path: `Clothing > Shirts` → `Shirts`. */
function lastOfPath(path: string): string | null {
  const last = path.split('>').at(-1)?.trim() ?? '';
  return cut(last, SHORT_TEXT_MAX).text || null;
}

function readAttributes(
  { fields }: CsvRow,
  { attributes: columns }: WooColumns,
): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const { name, values } of columns.slice(0, ATTRIBUTE_COUNT_MAX)) {
    const label = attributeName(unescaped(fields[name] ?? ''));
    const text = listOf(fields[values] ?? '').join(', ');
    if (label !== '' && text !== '') attributes[label] = cut(text, ATTRIBUTE_TEXT_MAX).text;
  }
  return attributes;
}

function readVariants(rows: readonly CsvRow[], findings: Findings, context: WooContext): Variant[] {
  const variants = new Map<string, Variant>();
  for (const row of rows.slice(0, VARIANT_COUNT_MAX)) {
    findings.moveTo(row);
    const fields = fieldsOf(row, context.columns, findings);
    if (!isPublished(fields)) continue;
    const variant = readVariant(row, fields, context);
    if (variant === null) continue;
    if (variants.has(variant.id)) {
      fields.refuse(
        'id',
        'duplicate_value',
        'is already used by another variation of the product.',
      );
    } else variants.set(variant.id, variant);
  }
  return [...variants.values()];
}

function readVariant(
  row: CsvRow,
  fields: TextFields<WooColumn>,
  context: WooContext,
): Variant | null {
  const id = fields.text('id') || fields.text('sku');
  if (id === '') fields.refuse('id', 'missing_value', 'or a SKU is required.');
  const prices = readPrices(fields, context);
  const availability = readAvailability(fields);
  if (fields.isRefused) return null;
  const options: Record<string, string> = {};
  for (const { name, values } of context.columns.attributes) {
    const label = cut(shortText(unescaped(row.fields[name] ?? '')), SHORT_TEXT_MAX).text;
    const value = cut(listOf(row.fields[values] ?? '').join(', '), SHORT_TEXT_MAX).text;
    if (label !== '' && value !== '' && label !== '__proto__') options[label] = value;
  }
  const title = Object.values(options).join(' / ') || fields.line('name') || id;
  return {
    id: cut(id, EXTERNAL_ID_MAX).text,
    title: cut(title, SHORT_TEXT_MAX).text,
    sku: fields.line('sku'),
    gtin: fields.gtin('gtin'),
    priceMinor: prices.priceMinor,
    compareAtPriceMinor: comparable(prices.priceMinor, prices.compareAtPriceMinor),
    availability,
    options,
    image: readImages(fields)[0] ?? null,
  };
}
