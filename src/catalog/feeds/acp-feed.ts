import {
  AVAILABILITIES,
  type Availability,
  comparable,
  DESCRIPTION_MAX,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from '../../domain/catalog.ts';
import { isCurrency } from '../../domain/money.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { readProductRecords, wrapsProducts } from '../bytes/json-elements.ts';
import { parseRecord } from '../bytes/json-text.ts';
import { type Findings, recordFindings } from '../record/findings.ts';
import { htmlToText } from '../record/html-text.ts';
import { isJsonObject, JsonFields, type JsonObject, spelled } from '../record/json-fields.ts';
import {
  type CatalogFormat,
  type CatalogRow,
  columnUse,
  type FileHead,
  type ReaderOptions,
  type RecordText,
} from '../record/reader.ts';
import {
  cut,
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  longText,
  NAME_MAX,
  parseGtin,
  SHORT_TEXT_MAX,
  shortText,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';

/** Largest amount accepted, in minor units. */
const AMOUNT_MAX = 1e13;

/**
 * The product feed of the Agentic Commerce Protocol: one product with its variants per line, or one document
 * with all `products`, as OpenAI's interface for feeds takes and answers.
 */
export const acpFeed: CatalogFormat = {
  name: 'acp-jsonl',
  detect: detectAcp,
  read: (source, options) => readAll(source.name, readProductRecords(source.bytes), options),
  readRecords: readAll,
};

const MARKS = /"amount"\s*:|"variant_options"|"plain"\s*:|"barcodes"/;

function detectAcp({ text }: FileHead): string | null {
  if (/^[\s\ufeff]*\[/.test(text) || wrapsProducts(text)) {
    // Shopify's products.json has amounts too, but it also has handles.
    const isAcp = /"variants"\s*:\s*\[/.test(text) && MARKS.test(text);
    return isAcp && !/"(?:handle|body_html|externalId)"\s*:/.test(text)
      ? 'products with variants, and amounts in minor units'
      : null;
  }
  const lines = text.split('\n').filter((line) => /^[ \t\ufeff]*\{/.test(line));
  const hasVariants = lines.some((line) => /"variants"[ \t]*:[ \t]*\[/.test(line));
  return hasVariants && lines.some((line) => MARKS.test(line)) && !/"externalId"/.test(text)
    ? 'JSON Lines with variants, and amounts in minor units'
    : null;
}

const USED = ['id', 'title', 'description', 'url', 'media', 'variants'];

async function* readAll(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const names = new Set<string>();
  for await (const text of records) {
    const { line, record } = text;
    const { raw, findings } = recordFindings(file, text, acpFeed.name);
    const values = parseRecord(text, findings);
    for (const name of Object.keys(values ?? {})) names.add(name);
    // The first line may be the feed's header, which is not a product.
    const isHeader = values !== null && 'feed_id' in values && !('variants' in values);
    const item = values === null || isHeader ? null : readProduct(values, findings, options);
    for (const fault of findings.faults) yield { fault };
    if (item !== null) yield { item, file, line, record, raw };
  }
  options.onColumns?.(columnUse(names, (name) => USED.includes(name)));
}

function readProduct(
  values: JsonObject,
  findings: Findings,
  options: ReaderOptions,
): Offering | null {
  const fields = new JsonFields(values, findings);
  const externalId = fields.id('id', EXTERNAL_ID_MAX);
  findings.externalId = externalId === '' ? null : externalId;
  const found = objectsAt(fields, 'variants');
  if (found.length === 0)
    fields.error('variants', 'missing_value', 'must have at least one entry.');
  const read = found
    .slice(0, VARIANT_COUNT_MAX)
    .map((variant, index) => readVariant(variant, findings, { index, currency: options.currency }));
  const currency = read[0]?.currency ?? options.currency;
  if (read.some((variant) => variant.currency !== currency)) {
    fields.error('variants', 'currency_conflict', 'have prices in several currencies.');
  }
  const variants = read.map(({ variant }) => variant);
  if (new Set(variants.map(({ id }) => id)).size < variants.length && !findings.isRejected) {
    fields.error('variants', 'duplicate_value', 'has two entries with the same id.');
  }
  const first = found[0] ?? {};
  const name =
    fields.line('title', NAME_MAX) ?? new JsonFields(first, findings).line('title', NAME_MAX);
  if (name === null) fields.error('title', 'missing_value', 'is required.');
  if (findings.isRejected) return null;
  const images = [...new Set([values, ...found].flatMap(imagesOf))].slice(0, IMAGE_COUNT_MAX);
  const description = cut(descriptionOf(values) || descriptionOf(first), DESCRIPTION_MAX);
  if (description.isCut) {
    fields.warning('description', 'too_long', `was cut to ${DESCRIPTION_MAX} characters.`);
  }
  const categories = objectsAt(new JsonFields(first, findings), 'categories');
  const path = typeof categories[0]?.['value'] === 'string' ? categories[0]['value'] : '';
  return {
    type: 'product',
    kind: 'product',
    externalId,
    name: name!,
    description: description.text,
    image: images[0] ?? null,
    images,
    slug: null,
    publicUrl: fields.url('url') ?? new JsonFields(first, findings, 'variants[0].').url('url'),
    publishedAt: null,
    vendor: sellerOf(first),
    tags: [],
    productType: cut(shortText(path.split('>').at(-1) ?? ''), SHORT_TEXT_MAX).text || null,
    currency,
    ...leadingPrice(variants),
    availability: leadingAvailability(variants),
    sku: null,
    mpn: null,
    gtins: [],
    bookingUrl: null,
    checkoutUrl: null,
    attributes: {
      ...(path === '' ? {} : { category: cut(shortText(path), SHORT_TEXT_MAX).text }),
      ...conditionOf(first),
    },
    variants,
  };
}

function readVariant(
  values: JsonObject,
  findings: Findings,
  { index, currency }: { index: number; currency: string },
): { variant: Variant; currency: string } {
  const fields = new JsonFields(values, findings, `variants[${index}].`);
  const price = readAmount(fields, 'price', currency);
  const listPrice = readAmount(fields, 'list_price', price.currency);
  if (price.minor !== null && listPrice.minor !== null && listPrice.currency !== price.currency) {
    fields.error('list_price', 'currency_conflict', 'has a different currency than the price.');
  }
  const options: Record<string, string> = {};
  for (const option of objectsAt(fields, 'variant_options')) {
    const name = typeof option['name'] === 'string' ? shortText(option['name']) : '';
    const value = typeof option['value'] === 'string' ? shortText(option['value']) : '';
    if (name === '' || value === '' || name === '__proto__') continue;
    options[cut(name, SHORT_TEXT_MAX).text] = cut(value, SHORT_TEXT_MAX).text;
  }
  const codes = objectsAt(fields, 'barcodes').map((code) => spelled(code['value'] ?? ''));
  const gtin = codes.map(parseGtin).find((code) => code !== null) ?? null;
  if (gtin === null && codes.length > 0) {
    fields.warning('barcodes', 'invalid_gtin', 'contain no GTIN of 8, 12, 13 or 14 digits.');
  }
  const id = fields.id('id', EXTERNAL_ID_MAX);
  const title = Object.values(options).join(' / ') || fields.line('title') || id;
  const variant: Variant = {
    id,
    title: cut(title, SHORT_TEXT_MAX).text,
    sku: fields.line('sku'),
    gtin,
    priceMinor: price.minor,
    compareAtPriceMinor: comparable(price.minor, listPrice.minor),
    availability: readAvailability(fields),
    options,
    image: imagesOf(values)[0] ?? null,
  };
  return { variant, currency: price.currency };
}

/** Reads an integer in minor units of the accompanying currency. */
function readAmount(
  fields: JsonFields,
  column: string,
  fallback: string,
): { minor: number | null; currency: string } {
  const value = fields.raw(column);
  if (value === null) return { minor: null, currency: fallback };
  const { amount, currency } = isJsonObject(value) ? value : {};
  const isAmount = typeof amount === 'number' && Number.isInteger(amount) && amount >= 0;
  if (!isAmount || amount > AMOUNT_MAX || typeof currency !== 'string' || !isCurrency(currency)) {
    const rule = 'must have an amount in minor units (1999 for 19.99) and an ISO 4217 currency.';
    fields.error(column, 'invalid_price', rule);
    return { minor: null, currency: fallback };
  }
  return { minor: amount, currency };
}

function readAvailability(fields: JsonFields): Availability {
  const value = fields.raw('availability');
  const { status, available } = isJsonObject(value) ? value : {};
  const known = AVAILABILITIES.find((availability) => availability === status);
  if (known !== undefined) return known;
  if (status !== undefined) {
    fields.warning('availability', 'invalid_value', `must be one of ${AVAILABILITIES.join(', ')}.`);
  }
  if (typeof available !== 'boolean') return 'unknown';
  return available ? 'in_stock' : 'out_of_stock';
}

function objectsAt(fields: JsonFields, column: string): JsonObject[] {
  const value = fields.raw(column);
  if (value === null) return [];
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  fields.error(column, 'wrong_type', 'must be a list of objects.');
  return [];
}

function imagesOf({ media }: JsonObject): string[] {
  if (!Array.isArray(media)) return [];
  return media.flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['url'] !== 'string') return [];
    const url = (entry['type'] ?? 'image') === 'image' ? parseWebUrl(entry['url']) : null;
    return url === null ? [] : [url];
  });
}

function descriptionOf({ description }: JsonObject): string {
  if (typeof description === 'string') return longText(htmlToText(description));
  if (!isJsonObject(description)) return '';
  const { plain, markdown, html } = description;
  const text = [plain, markdown].find((part) => typeof part === 'string' && part !== '');
  if (typeof text === 'string') return longText(text);
  return typeof html === 'string' ? longText(htmlToText(html)) : '';
}

function sellerOf({ seller }: JsonObject): string | null {
  const name = isJsonObject(seller) ? seller['name'] : null;
  return typeof name === 'string' ? cut(shortText(name), SHORT_TEXT_MAX).text || null : null;
}

function conditionOf({ condition }: JsonObject): { condition?: string } {
  const texts = Array.isArray(condition)
    ? condition.filter((entry) => typeof entry === 'string')
    : [];
  const text = cut(shortText(texts.join(', ')), SHORT_TEXT_MAX).text;
  return text === '' ? {} : { condition: text };
}
