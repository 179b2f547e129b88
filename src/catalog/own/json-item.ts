import {
  type AttributeValue,
  AVAILABILITIES,
  type Availability,
  type CatalogItem,
  type Context,
  comparable,
  DESCRIPTION_MAX,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from '../../domain/catalog.ts';
import { isCurrency, parsePrice } from '../../domain/money.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import type { Findings } from '../record/findings.ts';
import {
  type Complaint,
  isJsonObject,
  JsonFields,
  type JsonObject,
  NO_URL,
} from '../record/json-fields.ts';
import type { ReaderOptions } from '../record/reader.ts';
import {
  ATTRIBUTE_COUNT_MAX,
  ATTRIBUTE_TEXT_MAX,
  CONTEXT_TEXT_MAX,
  cut,
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  longText,
  NAME_MAX,
  parseGtin,
  parseInstant,
  parseSlug,
  SHORT_TEXT_MAX,
  shortText,
  TAG_COUNT_MAX,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';

const NO_GTIN: Complaint = {
  code: 'invalid_gtin',
  message: 'is not a GTIN: it needs 8, 12, 13 or 14 digits and a valid check digit.',
};
const NO_SLUG: Complaint = { code: 'invalid_slug', message: 'must be a single path segment.' };
const NO_TIME: Complaint = { code: 'invalid_time', message: 'is not an RFC 3339 date or time.' };
const CUT_TAG: Complaint = {
  code: 'too_long',
  message: `has entries of more than ${SHORT_TEXT_MAX} characters; they were left out.`,
};

/**
 * Reads an item from an object in vitrine's own JSON format; null if it is rejected. `findings` says why,
 * and which values were dropped. Ignores unknown members.
 */
export function readItem(
  values: JsonObject,
  findings: Findings,
  options: ReaderOptions,
): CatalogItem | null {
  const fields = new JsonFields(values, findings);
  const externalId = fields.key('externalId', EXTERNAL_ID_MAX);
  findings.externalId = externalId === '' ? null : externalId;
  const type = fields.choice('type', ['product', 'context']) ?? 'product';
  const item = type === 'context' ? readContext(fields, externalId) : null;
  const read = item ?? readOffering(fields, findings, { externalId, currency: options.currency });
  return findings.isRejected ? null : read;
}

function readContext(fields: JsonFields, externalId: string): Context {
  return {
    type: 'context',
    externalId,
    name: readName(fields),
    description: fields.prose('description', CONTEXT_TEXT_MAX),
    publicUrl: fields.url('publicUrl'),
    publishedAt: fields.parsed('publishedAt', parseInstant, NO_TIME),
  };
}

function readOffering(
  fields: JsonFields,
  findings: Findings,
  known: { externalId: string; currency: string },
): Offering {
  const currency = readCurrency(fields, known.currency);
  const variants = readVariants(fields, findings, currency);
  const images = fields.list('images', {
    max: IMAGE_COUNT_MAX,
    parse: parseWebUrl,
    complaint: NO_URL,
  });
  const image = fields.url('image') ?? images[0] ?? null;
  return {
    type: 'product',
    kind: fields.choice('kind', ['product', 'service']) ?? 'product',
    externalId: known.externalId,
    name: readName(fields),
    description: fields.prose('description', DESCRIPTION_MAX),
    image,
    images: image === null || images.includes(image) ? images : [image, ...images],
    slug: fields.parsed('slug', parseSlug, NO_SLUG),
    publicUrl: fields.url('publicUrl'),
    publishedAt: fields.parsed('publishedAt', parseInstant, NO_TIME),
    vendor: fields.line('vendor'),
    tags: fields.list('tags', { max: TAG_COUNT_MAX, parse: parseTag, complaint: CUT_TAG }),
    productType: fields.line('productType'),
    currency,
    ...readPrices(fields, variants, currency),
    availability: fields.choice('availability', AVAILABILITIES) ?? leadingAvailability(variants),
    sku: fields.line('sku'),
    mpn: fields.line('mpn'),
    gtins: readGtins(fields),
    bookingUrl: fields.url('bookingUrl'),
    checkoutUrl: fields.url('checkoutUrl'),
    attributes: readAttributes(fields),
    variants,
  };
}

/** Required like a key, but truncated rather than refused if too long. */
function readName(fields: JsonFields): string {
  const name = fields.line('name', NAME_MAX) ?? '';
  const isAbsent = typeof (fields.raw('name') ?? '') === 'string';
  if (name === '' && isAbsent) fields.error('name', 'missing_value', 'is required.');
  return name;
}

function readCurrency(fields: JsonFields, fallback: string): string {
  const currency = fields.text('currency').trim();
  if (currency === '') return fallback;
  if (isCurrency(currency)) return currency;
  fields.error('currency', 'invalid_currency', 'is not an ISO 4217 code in capitals.');
  return fallback;
}

function readPrices(
  fields: JsonFields,
  variants: readonly Variant[],
  currency: string,
): Pick<Offering, 'priceMinor' | 'compareAtPriceMinor'> {
  const priceMinor = readPrice(fields, 'price', currency);
  const compareAtPriceMinor = readPrice(fields, 'compareAtPrice', currency);
  if (variants.some((variant) => variant.priceMinor !== null)) return leadingPrice(variants);
  return { priceMinor, compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor) };
}

/** Reads a JSON number as the decimal that is written. */
function readPrice(fields: JsonFields, column: string, currency: string): number | null {
  const value = fields.raw(column);
  const text = typeof value === 'number' ? String(value) : fields.text(column).trim();
  if (text === '') return null;
  const minor = parsePrice(text, currency);
  if (minor === null) {
    fields.error(
      column,
      'invalid_price',
      'is not a price: write digits and a decimal point, with no symbol or sign and no more decimals than the currency has.',
    );
  }
  return minor;
}

function parseTag(text: string): string | null {
  return cut(text, SHORT_TEXT_MAX).isCut ? null : text;
}

function readGtins(fields: JsonFields): string[] {
  if (Array.isArray(fields.raw('gtin'))) {
    return fields.list('gtin', { max: VARIANT_COUNT_MAX, parse: parseGtin, complaint: NO_GTIN });
  }
  const gtin = fields.parsed('gtin', parseGtin, NO_GTIN);
  return gtin === null ? [] : [gtin];
}

function readAttributes(fields: JsonFields): Record<string, AttributeValue> {
  const entries = readEntries(fields, 'attributes');
  const attributes: Record<string, AttributeValue> = {};
  let dropped = 0;
  for (const [key, value] of entries.slice(0, ATTRIBUTE_COUNT_MAX)) {
    if (value === null) continue;
    const attribute = attributeValue(value);
    const name = shortText(key);
    if (attribute === null || !isSafeName(name)) dropped += 1;
    else attributes[name] = attribute;
  }
  if (entries.length > ATTRIBUTE_COUNT_MAX) {
    const message = `has more than ${ATTRIBUTE_COUNT_MAX} entries; the first were kept.`;
    fields.warning('attributes', 'too_many', message);
  }
  if (dropped > 0) {
    const message =
      'may contain only text, numbers, true and false, under names of at most 255 characters.';
    fields.warning('attributes', 'invalid_value', message);
  }
  return attributes;
}

/** Null for a value that an attribute cannot store. A list of scalars becomes one text. */
function attributeValue(value: unknown): AttributeValue | null {
  if (typeof value === 'string') return cut(longText(value), ATTRIBUTE_TEXT_MAX).text;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (!Array.isArray(value) || value.some((entry) => typeof entry === 'object')) return null;
  return cut(longText(value.join(', ')), ATTRIBUTE_TEXT_MAX).text;
}

/** Assigning to `__proto__` would change the object's prototype instead of adding a member. */
function isSafeName(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= SHORT_TEXT_MAX;
}

function readEntries(fields: JsonFields, column: string): [string, unknown][] {
  const value = fields.raw(column);
  if (value === null) return [];
  if (isJsonObject(value)) return Object.entries(value);
  fields.error(column, 'wrong_type', 'must be an object.');
  return [];
}

function readVariants(fields: JsonFields, findings: Findings, currency: string): Variant[] {
  const values = fields.raw('variants');
  if (values === null) return [];
  if (!Array.isArray(values) || !values.every(isJsonObject)) {
    fields.error('variants', 'wrong_type', 'must be a list of objects.');
    return [];
  }
  if (values.length > VARIANT_COUNT_MAX) {
    const message = `has more than ${VARIANT_COUNT_MAX} entries; the first were kept.`;
    fields.warning('variants', 'too_many', message);
  }
  const variants = values
    .slice(0, VARIANT_COUNT_MAX)
    .map((value, index) =>
      readVariant(new JsonFields(value, findings, `variants[${index}].`), currency),
    );
  if (new Set(variants.map(({ id }) => id)).size < variants.length && !findings.isRejected) {
    fields.error('variants', 'duplicate_value', 'has two entries with the same id.');
  }
  return variants;
}

function readVariant(fields: JsonFields, currency: string): Variant {
  const id = fields.key('id', EXTERNAL_ID_MAX);
  const options = readOptions(fields);
  const priceMinor = readPrice(fields, 'price', currency);
  const compareAtPriceMinor = readPrice(fields, 'compareAtPrice', currency);
  return {
    id,
    title: fields.line('title') ?? (Object.values(options).join(' / ') || id),
    sku: fields.line('sku'),
    gtin: fields.parsed('gtin', parseGtin, NO_GTIN),
    priceMinor,
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
    availability: readVariantAvailability(fields),
    options,
    image: fields.url('image'),
  };
}

/** `availability` is more precise than `available` and takes precedence. */
function readVariantAvailability(fields: JsonFields): Availability {
  const available = fields.raw('available');
  if (available !== null && typeof available !== 'boolean') {
    fields.error('available', 'wrong_type', 'must be true or false.');
  }
  const given = fields.choice('availability', AVAILABILITIES);
  if (given !== null || available === null) return given ?? 'unknown';
  return available === true ? 'in_stock' : 'out_of_stock';
}

function readOptions(fields: JsonFields): Record<string, string> {
  const options: Record<string, string> = {};
  for (const [key, value] of readEntries(fields, 'options')) {
    const name = shortText(key);
    if (typeof value !== 'string') fields.error('options', 'wrong_type', 'must contain only text.');
    else if (isSafeName(name)) options[name] = cut(shortText(value), SHORT_TEXT_MAX).text;
  }
  return options;
}
