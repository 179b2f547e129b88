import {
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
import { parsePrice } from '../../domain/money.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { readElements } from '../bytes/json-elements.ts';
import { parseRecord } from '../bytes/json-text.ts';
import { type Findings, recordFindings } from '../record/findings.ts';
import { htmlToText } from '../record/html-text.ts';
import { isJsonObject, JsonFields, type JsonObject } from '../record/json-fields.ts';
import { isPrice, readPrice } from '../record/prices.ts';
import {
  type CatalogFormat,
  type CatalogRow,
  columnUse,
  type FileHead,
  type ReaderOptions,
  type RecordText,
} from '../record/reader.ts';
import {
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

const LISTS = ['products', 'pages', 'policies'];

/**
 * A Shopify shop's JSON: `products.json`, `pages.json`, `policies.json` and `meta.json`, from the
 * storefront or the Admin API. Everything except products becomes contexts.
 */
export const shopifyJson: CatalogFormat = {
  name: 'shopify-json',
  storefront: 'shopify',
  detect: detectShopify,
  read: (source, options) => readAll(source.name, readElements(source.bytes, LISTS), options),
  readRecords: readAll,
};

function detectShopify({ text }: FileHead): string | null {
  if (!/^[\s\ufeff]*[[{]/.test(text) || text.includes('"externalId"')) return null;
  const list = /"(products|pages|policies)"\s*:\s*\[/.exec(text)?.[1];
  const isProducts = /"(?:body_html|product_type|compare_at_price|price_varies)"\s*:/.test(text);
  if (isProducts && /"handle"\s*:/.test(text))
    return `JSON with handles and ${list ?? 'product'} members`;
  if (list !== undefined && /"(?:body_html|body)"\s*:/.test(text)) return `JSON with ${list}`;
  if (list !== undefined && /^[\s\ufeff]*\{\s*"\w+"\s*:\s*\[\s*\]/.test(text))
    return `JSON with no ${list}`;
  return /"myshopify_domain"\s*:/.test(text) ? 'JSON with myshopify_domain' : null;
}

const USED = new Set([
  ...[
    'id',
    'title',
    'handle',
    'body_html',
    'body',
    'description',
    'vendor',
    'product_type',
    'type',
  ],
  ...['tags', 'published_at', 'status', 'variants', 'options', 'images', 'image', 'url', 'name'],
  ...['currency', 'city', 'province', 'country', 'ships_to_countries'],
]);

async function* readAll(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const names = new Set<string>();
  for await (const text of records) {
    const { line, record } = text;
    const { raw, findings } = recordFindings(file, text, shopifyJson.name);
    const parsed = parseRecord(text, findings);
    const values = parsed !== null && isJsonObject(parsed['product']) ? parsed['product'] : parsed;
    const isEmpty = values !== null && Object.values(values).every(isEmptyList);
    for (const name of Object.keys(values ?? {})) names.add(name);
    const item = values === null || isEmpty ? null : readElement(values, findings, options);
    for (const fault of findings.faults) yield { fault };
    if (item !== null) yield { item, file, line, record, raw };
  }
  options.onColumns?.(columnUse(names, (name) => USED.has(name)));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function readElement(
  values: JsonObject,
  findings: Findings,
  options: ReaderOptions,
): CatalogItem | null {
  const fields = new JsonFields(values, findings);
  let item: CatalogItem | null;
  if ('variants' in values || 'product_type' in values)
    item = readProduct(values, fields, { findings, options });
  else if ('myshopify_domain' in values) item = readShop(values, fields);
  else item = readPage(values, fields, { findings, options });
  return findings.isRejected ? null : item;
}

interface Reading {
  readonly findings: Findings;
  readonly options: ReaderOptions;
}

function readProduct(
  values: JsonObject,
  fields: JsonFields,
  { findings, options }: Reading,
): Offering | null {
  const externalId = fields.id('id', EXTERNAL_ID_MAX);
  findings.externalId = externalId === '' ? null : externalId;
  const status = values['status'];
  const isHidden = 'published_at' in values && values['published_at'] === null;
  if (isHidden || (typeof status === 'string' && status !== 'active')) {
    const column = isHidden ? 'published_at' : 'status';
    fields.warning(
      column,
      'not_published',
      'says that the product is not for sale; it was left out.',
    );
    return null;
  }
  const name = fields.line('title', NAME_MAX);
  if (name === null) fields.error('title', 'missing_value', 'is required.');
  const variants = readVariants(values, { findings, options });
  if (findings.isRejected) return null;
  const slug = fields.parsed('handle', parseSlug, {
    code: 'invalid_slug',
    message: 'must be a single path segment.',
  });
  const images = imagesOf(values);
  return {
    type: 'product',
    kind: 'product',
    externalId,
    name: name!,
    description: readHtml(
      fields,
      'body_html' in values ? 'body_html' : 'description',
      DESCRIPTION_MAX,
    ),
    image: images[0] ?? null,
    images,
    slug,
    publicUrl: pageUrl(options, 'products', slug),
    publishedAt: fields.parsed('published_at', parseInstant, NO_TIME),
    vendor: fields.line('vendor'),
    tags: readTags(values),
    productType: fields.line('product_type' in values ? 'product_type' : 'type'),
    currency: options.currency,
    ...leadingPrice(variants),
    availability: leadingAvailability(variants),
    mpn: null,
    bookingUrl: null,
    checkoutUrl: null,
    attributes: {},
    sku: variants.length === 1 ? variants[0]!.sku : null,
    gtins: variants.length === 1 && variants[0]!.gtin !== null ? [variants[0]!.gtin] : [],
    variants,
  };
}

const NO_TIME = { code: 'invalid_time', message: 'is not an RFC 3339 date or time.' };

/** `products.json` has prices as text in major units; `products/{handle}.js` has whole cents. */
function readVariants(values: JsonObject, { findings, options }: Reading): Variant[] {
  const found = values['variants'] ?? [];
  if (!Array.isArray(found) || !found.every(isJsonObject) || found.length === 0) {
    findings.error({
      column: 'variants',
      code: 'missing_value',
      message: 'variants must be a list of objects, at least one.',
    });
    return [];
  }
  const { currency } = options;
  const isInCents = 'price_varies' in values || 'price_min' in values;
  const names = optionNames(values);
  if (found.length > VARIANT_COUNT_MAX) {
    const message = `variants has more than ${VARIANT_COUNT_MAX} entries; the first were kept.`;
    findings.warning({ column: 'variants', code: 'too_many', message });
  }
  return found.slice(0, VARIANT_COUNT_MAX).map((variant, index) => {
    const fields = new JsonFields(variant, findings, `variants[${index}].`);
    const priceMinor = readAmount(fields, 'price', { currency, isInCents });
    const compareAt = readAmount(fields, 'compare_at_price', { currency, isInCents });
    const options = readOptions(variant, names);
    return {
      id: fields.id('id', EXTERNAL_ID_MAX),
      title: Object.values(options).join(' / ') || name(values),
      sku: fields.line('sku'),
      gtin: fields.parsed('barcode', parseGtin, {
        code: 'invalid_gtin',
        message: 'is not a GTIN: it needs 8, 12, 13 or 14 digits and a valid check digit.',
      }),
      priceMinor,
      compareAtPriceMinor: comparable(priceMinor, compareAt),
      availability: availabilityOf(variant),
      options,
      image: imageUrl(variant['featured_image']),
    };
  });
}

function name({ title }: JsonObject): string {
  return typeof title === 'string' ? cut(shortText(title), SHORT_TEXT_MAX).text : '';
}

function readAmount(
  fields: JsonFields,
  column: string,
  { currency, isInCents }: { currency: string; isInCents: boolean },
): number | null {
  const value = fields.raw(column);
  if (typeof value === 'number') {
    const minor = isInCents && Number.isInteger(value) && value >= 0 ? value : null;
    const amount = isInCents ? minor : parsePrice(String(value), currency);
    if (amount === null) fields.error(column, 'invalid_price', 'is not a price.');
    return amount;
  }
  const text = fields.text(column).trim();
  if (text === '') return null;
  const price = readPrice(text, { currency, decimal: 'point' });
  if (isPrice(price) && price.currency === currency) return price.minor;
  if (isPrice(price)) fields.error(column, 'currency_conflict', `is not in ${currency}.`);
  else fields.error(column, price.code, price.message);
  return null;
}

/** The Admin API gives a stock count; the storefront says whether a variant can be bought. */
function availabilityOf(variant: JsonObject): Availability {
  if (typeof variant['available'] === 'boolean') {
    return variant['available'] ? 'in_stock' : 'out_of_stock';
  }
  if (!('inventory_management' in variant)) return 'unknown';
  if (variant['inventory_management'] === null) return 'in_stock';
  const quantity = variant['inventory_quantity'];
  if (typeof quantity !== 'number') return 'unknown';
  if (quantity > 0) return 'in_stock';
  return variant['inventory_policy'] === 'continue' ? 'backorder' : 'out_of_stock';
}

function optionNames({ options }: JsonObject): string[] {
  if (!Array.isArray(options)) return [];
  return options.map((option) => {
    const text = isJsonObject(option) ? option['name'] : option;
    return typeof text === 'string' ? cut(shortText(text), SHORT_TEXT_MAX).text : '';
  });
}

/** In this format, `Title: Default Title` means that there are no options. */
function readOptions(variant: JsonObject, names: readonly string[]): Record<string, string> {
  const options: Record<string, string> = {};
  for (const [index, column] of ['option1', 'option2', 'option3'].entries()) {
    const value = variant[column];
    const optionName = names[index] || `Option ${index + 1}`;
    if (typeof value !== 'string' || optionName === '__proto__') continue;
    const text = cut(shortText(value), SHORT_TEXT_MAX).text;
    if (text === '' || (index === 0 && text === 'Default Title')) continue;
    options[optionName] = text;
  }
  return options;
}

/** A list on the storefront, text with commas in the admin's interface. */
function readTags({ tags }: JsonObject): string[] {
  const entries: unknown[] =
    typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [];
  const texts = entries.map((tag) => (typeof tag === 'string' ? shortText(tag) : ''));
  const kept = texts.filter((tag) => tag !== '' && !cut(tag, SHORT_TEXT_MAX).isCut);
  return [...new Set(kept)].slice(0, TAG_COUNT_MAX);
}

function imagesOf({ images, image }: JsonObject): string[] {
  const entries: unknown[] = Array.isArray(images) ? images : [image];
  const urls = entries.map(imageUrl).filter((url) => url !== null);
  return [...new Set(urls)].slice(0, IMAGE_COUNT_MAX);
}

/** `{"src":"https://…"}`, or the address alone, also without its scheme. */
function imageUrl(image: unknown): string | null {
  const source = isJsonObject(image) ? image['src'] : image;
  if (typeof source !== 'string') return null;
  return parseWebUrl(source.startsWith('//') ? `https:${source}` : source);
}

function readHtml(fields: JsonFields, column: string, max: number): string {
  const { text, isCut } = cut(longText(htmlToText(fields.text(column))), max);
  if (isCut) fields.warning(column, 'too_long', `was cut to ${max} characters.`);
  return text;
}

function readPage(values: JsonObject, fields: JsonFields, { findings, options }: Reading): Context {
  const isPolicy = 'body' in values && !('body_html' in values);
  const title = fields.line('title', NAME_MAX);
  if (title === null) fields.error('title', 'missing_value', 'is required.');
  const slug =
    slugOf(values) ??
    shortText(title ?? '')
      .toLowerCase()
      .replace(/\W+/g, '-');
  const externalId = `${isPolicy ? 'policies' : 'pages'}/${slug}`;
  findings.externalId = externalId;
  if (slug === '') fields.error('handle', 'missing_value', 'is required.');
  return {
    type: 'context',
    externalId,
    name: title ?? '',
    description: readHtml(fields, isPolicy ? 'body' : 'body_html', CONTEXT_TEXT_MAX),
    publicUrl: isPolicy && 'url' in values ? fields.url('url') : pageUrl(options, 'pages', slug),
    publishedAt: fields.parsed('published_at', parseInstant, NO_TIME),
  };
}

function slugOf({ handle, url }: JsonObject): string | null {
  if (typeof handle === 'string') return parseSlug(handle);
  return typeof url === 'string' ? parseSlug(url.split('/').at(-1) ?? '') : null;
}

function readShop(values: JsonObject, fields: JsonFields): Context {
  const place = ['city', 'province', 'country'].map((column) => fields.line(column));
  const countries = values['ships_to_countries'];
  const shipsTo = Array.isArray(countries)
    ? countries.filter((code) => typeof code === 'string')
    : [];
  const lines = [
    readHtml(fields, 'description', DESCRIPTION_MAX),
    place.some((part) => part !== null) ? `Based in ${place.filter(Boolean).join(', ')}.` : '',
    fields.line('currency') === null ? '' : `Prices are in ${fields.line('currency')}.`,
    shipsTo.length === 0 ? '' : `Ships to: ${shortText(shipsTo.slice(0, 300).join(', '))}.`,
  ];
  return {
    type: 'context',
    externalId: 'shop',
    name: fields.line('name', NAME_MAX) ?? 'Shop',
    description: lines.filter((line) => line !== '').join('\n'),
    publicUrl: fields.url('url'),
    publishedAt: null,
  };
}

function pageUrl({ shopUrl }: ReaderOptions, folder: string, slug: string | null): string | null {
  if (shopUrl === null || slug === null || slug === '') return null;
  return parseWebUrl(`${shopUrl.replace(/\/+$/, '')}/${folder}/${encodeURIComponent(slug)}`);
}
