import {
  type AttributeValue,
  comparable,
  DESCRIPTION_MAX,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from '../../domain/catalog.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { type CsvRow, csvFinding } from '../bytes/csv-table.ts';
import type { Finding, Findings } from '../record/findings.ts';
import { HTML_MAX, htmlToText } from '../record/html-text.ts';
import type { ReaderOptions } from '../record/reader.ts';
import {
  ATTRIBUTE_COUNT_MAX,
  ATTRIBUTE_TEXT_MAX,
  attributeName,
  cut,
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  longText,
  NAME_MAX,
  parseSlug,
  TAG_COUNT_MAX,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';
import type { ShopifyColumn, ShopifyColumns } from './shopify-columns.ts';
import { isVariantRow, optionNames, RowReader, readVariant } from './shopify-variant.ts';

/** All rows of one product; the first has the product's own values. */
export interface ShopifyProduct {
  readonly handle: string;
  readonly rows: readonly [CsvRow, ...CsvRow[]];
  readonly columns: ShopifyColumns;
}

/** Reads a product from its rows; null with the reason in `findings`. */
export function readProduct(
  product: ShopifyProduct,
  findings: Findings,
  options: ReaderOptions,
): Offering | null {
  const { handle, rows, columns } = product;
  const [first] = rows;
  if (first.problem !== null) {
    reportProblems(rows, findings);
    return null;
  }
  if (!isPublished(product, findings)) return null;
  const reader = new RowReader(first, columns, findings);
  const name = reader.line('title', NAME_MAX) ?? '';
  if (name === '') findings.error(columnFinding(product, 'title', 'missing_value', 'is required.'));
  if (cut(handle, EXTERNAL_ID_MAX).isCut) {
    const message = `is longer than ${EXTERNAL_ID_MAX} characters.`;
    findings.error(columnFinding(product, 'handle', 'too_long', message));
  }
  const description = readDescription(product, findings);
  const own = {
    name,
    description,
    vendor: reader.line('vendor'),
    tags: readTags(product, findings),
    productType: reader.line('type'),
    mpn: reader.line('mpn'),
    attributes: readAttributes(product),
  };
  const images = readImages(product, findings);
  const variants = readVariants(product, options.currency, findings);
  if (variants.length === 0) findings.reject();
  if (findings.isRejected) return null;
  return {
    type: 'product',
    kind: 'product',
    externalId: handle,
    ...own,
    image: images[0] ?? null,
    images,
    slug: parseSlug(handle),
    publicUrl: productUrl(options.shopUrl, handle),
    publishedAt: null,
    currency: options.currency,
    bookingUrl: null,
    checkoutUrl: null,
    ...ofVariants(variants),
  };
}

function reportProblems(rows: readonly CsvRow[], findings: Findings): void {
  for (const row of rows) {
    findings.moveTo(row);
    if (row.problem !== null) findings.error(csvFinding(row.problem));
  }
}

function columnFinding(
  { columns }: ShopifyProduct,
  column: ShopifyColumn,
  code: string,
  message: string,
): Finding {
  const heading = columns.heading(column);
  return { column: heading, code, message: `${heading} ${message}` };
}

/** Whether the product is published; blank means yes. Reports an unpublished product or an unknown value. */
function isPublished(product: ShopifyProduct, findings: Findings): boolean {
  const { fields } = product.rows[0];
  const status = product.columns.text(fields, 'status').toLowerCase();
  const published = product.columns.text(fields, 'published').toLowerCase();
  if (!['', 'active', 'draft', 'archived', 'unlisted'].includes(status)) {
    const message = 'must be active, draft, archived or unlisted.';
    findings.error(columnFinding(product, 'status', 'invalid_value', message));
  }
  if (!['', 'true', 'false'].includes(published)) {
    findings.error(columnFinding(product, 'published', 'invalid_value', 'must be TRUE or FALSE.'));
  }
  if (findings.isRejected) return false;
  if ((status === '' || status === 'active') && published !== 'false') return true;
  const column = published === 'false' ? 'published' : 'status';
  const message = 'says that the product is not for sale; it was left out.';
  findings.warning(columnFinding(product, column, 'not_published', message));
  return false;
}

function readDescription(product: ShopifyProduct, findings: Findings): string {
  const html = product.columns.raw(product.rows[0].fields, 'description');
  const { text, isCut } = cut(longText(htmlToText(html)), DESCRIPTION_MAX);
  if (isCut || html.length > HTML_MAX) {
    const message = `was cut to ${DESCRIPTION_MAX} characters.`;
    findings.warning(columnFinding(product, 'description', 'too_long', message));
  }
  return text;
}

function readTags(product: ShopifyProduct, findings: Findings): string[] {
  const cell = product.columns.text(product.rows[0].fields, 'tags');
  if (cell === '') return [];
  const tags = new Set(cell.split(',').map((tag) => tag.trim()));
  tags.delete('');
  if (tags.size > TAG_COUNT_MAX) {
    const message = `has more than ${TAG_COUNT_MAX} entries; the first were kept.`;
    findings.warning(columnFinding(product, 'tags', 'too_many', message));
  }
  return [...tags].slice(0, TAG_COUNT_MAX);
}

function readAttributes({ rows, columns }: ShopifyProduct): Record<string, AttributeValue> {
  const [{ fields }] = rows;
  const attributes: Record<string, AttributeValue> = {};
  const named: readonly [string, string][] = [
    ['category', columns.text(fields, 'category')],
    ['gender', columns.text(fields, 'gender')],
    ['age_group', columns.text(fields, 'ageGroup')],
    ['condition', columns.text(fields, 'condition')],
  ];
  for (const [name, text] of named) {
    if (text !== '') attributes[name] = cut(text, ATTRIBUTE_TEXT_MAX).text;
  }
  for (const { label, index } of columns.metafields.slice(0, ATTRIBUTE_COUNT_MAX - named.length)) {
    const name = attributeName(label);
    const text = cut(longText(htmlToText(fields[index] ?? '')), ATTRIBUTE_TEXT_MAX).text;
    if (text !== '' && name !== '') attributes[name] = text;
  }
  return attributes;
}

/** Ordered by position, or in file order if there is none. */
function readImages({ rows, columns }: ShopifyProduct, findings: Findings): string[] {
  const placed: { url: string; position: number }[] = [];
  for (const row of rows) {
    if (row.problem !== null) continue;
    findings.moveTo(row);
    const url = new RowReader(row, columns, findings).url('image');
    const position = Number.parseInt(columns.text(row.fields, 'imagePosition'), 10);
    if (url !== null) placed.push({ url, position: position > 0 ? position : placed.length + 1 });
  }
  placed.sort((a, b) => a.position - b.position);
  const images = [...new Set(placed.map(({ url }) => url))];
  if (images.length > IMAGE_COUNT_MAX) {
    const column = columns.heading('image');
    const message = `${column} gives more than ${IMAGE_COUNT_MAX} images; the first were kept.`;
    findings.warning({ column, code: 'too_many', message });
  }
  findings.moveTo(rows[0]);
  return images.slice(0, IMAGE_COUNT_MAX);
}

/** Every variant with a valid row, each with a unique id. */
function readVariants(
  { rows, columns }: ShopifyProduct,
  currency: string,
  findings: Findings,
): Variant[] {
  const context = { columns, currency, optionNames: optionNames(rows[0], columns) };
  const found: { row: CsvRow; variant: Variant }[] = [];
  let count = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0 && row.problem === null && !isVariantRow(row, columns)) continue;
    count += 1;
    if (count > VARIANT_COUNT_MAX) continue;
    findings.moveTo(row);
    const variant = readVariant(row, context, findings);
    if (variant !== null) found.push({ row, variant });
  }
  findings.moveTo(rows[0]);
  if (count > VARIANT_COUNT_MAX) {
    const message = `The product has more than ${VARIANT_COUNT_MAX} variants; the first were kept.`;
    findings.warning({ column: null, code: 'too_many', message });
  }
  return withOwnIds(found, findings);
}

/**
 * A variant's id is its SKU if that is unique within the product, otherwise its options, which Shopify
 * keeps unique. Of two variants with the same options, the second is rejected as indistinguishable.
 */
function withOwnIds(
  found: readonly { row: CsvRow; variant: Variant }[],
  findings: Findings,
): Variant[] {
  const skuCounts = new Map<string | null, number>();
  for (const { variant } of found) {
    skuCounts.set(variant.sku, (skuCounts.get(variant.sku) ?? 0) + 1);
  }
  const variants = new Map<string, Variant>();
  const choices = new Set<string>();
  for (const { row, variant } of found) {
    const isOwnSku = variant.sku !== null && skuCounts.get(variant.sku) === 1;
    const id = isOwnSku ? variant.id : cut(variant.title, EXTERNAL_ID_MAX).text;
    if (variants.has(id) || choices.has(variant.title)) {
      findings.moveTo(row);
      const message = 'The row has the same options as another variant of the product.';
      findings.partialError({ column: null, code: 'duplicate_value', message });
      continue;
    }
    choices.add(variant.title);
    variants.set(id, { ...variant, id });
  }
  return [...variants.values()];
}

/** A single variant without options becomes the product itself. */
function ofVariants(
  variants: readonly Variant[],
): Pick<
  Offering,
  'priceMinor' | 'compareAtPriceMinor' | 'availability' | 'sku' | 'gtins' | 'variants'
> {
  const [only] = variants;
  if (variants.length !== 1 || only === undefined || only.title !== '') {
    return {
      ...leadingPrice(variants),
      availability: leadingAvailability(variants),
      sku: null,
      gtins: [],
      variants: variants.map((variant) =>
        variant.title === '' ? { ...variant, title: variant.id } : variant,
      ),
    };
  }
  return {
    priceMinor: only.priceMinor,
    compareAtPriceMinor: comparable(only.priceMinor, only.compareAtPriceMinor),
    availability: only.availability,
    sku: only.sku,
    gtins: only.gtin === null ? [] : [only.gtin],
    variants: [],
  };
}

function productUrl(shopUrl: string | null, handle: string): string | null {
  if (shopUrl === null) return null;
  return parseWebUrl(`${shopUrl.replace(/\/+$/, '')}/products/${encodeURIComponent(handle)}`);
}
