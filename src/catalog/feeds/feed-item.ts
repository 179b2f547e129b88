import {
  type AttributeValue,
  comparable,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from '../../domain/catalog.ts';
import { isCurrency } from '../../domain/money.ts';
import type { Finding, Findings } from '../record/findings.ts';
import { htmlToText } from '../record/html-text.ts';
import { currentPrice, type Decimal, type Price, type PriceContext } from '../record/prices.ts';
import type { ReaderOptions } from '../record/reader.ts';
import { TextFields, type TextValues } from '../record/text-fields.ts';
import {
  ATTRIBUTE_COUNT_MAX,
  ATTRIBUTE_TEXT_MAX,
  attributeName,
  cut,
  EXTERNAL_ID_MAX,
  IMAGE_COUNT_MAX,
  longText,
  NAME_MAX,
  parseInstant,
  parseLastMoment,
  SHORT_TEXT_MAX,
  shortText,
  TAG_COUNT_MAX,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';
import type { FeedAttribute } from './feed-attributes.ts';
import { isHidden, readAvailability } from './feed-availability.ts';

export interface FeedOptions extends ReaderOptions {
  /** The decimal separator of the feed's prices; a point unless it is a table that uses commas. */
  readonly decimal?: Decimal;
}

/** One entry of a product feed in any format. */
export interface FeedRecord extends TextValues<FeedAttribute> {
  readonly line: number;
  readonly record: number;
  /** Why the entry cannot be read; null if it can. */
  readonly problem: Finding | null;
  /** The values of an attribute that may occur several times. */
  list(attribute: FeedAttribute): readonly string[];
  /** The raw values, for the columns of `FILE.errors.csv`. */
  readonly fields: readonly string[];
}

/** Attributes in which variants may differ, with the names of the options. */
const OPTIONS: readonly (readonly [FeedAttribute, string])[] = [
  ['color', 'Color'],
  ['size', 'Size'],
  ['material', 'Material'],
  ['pattern', 'Pattern'],
];

const NAMED_ATTRIBUTES: readonly (readonly [FeedAttribute, string])[] = [
  ['color', 'color'],
  ['size', 'size'],
  ['material', 'material'],
  ['pattern', 'pattern'],
  ['gender', 'gender'],
  ['ageGroup', 'age_group'],
  ['condition', 'condition'],
  ['sizeSystem', 'size_system'],
  ['sizeType', 'size_type'],
  ['energyClass', 'energy_efficiency_class'],
  ['category', 'category'],
];

/** One valid record of a group. */
interface Member {
  readonly record: FeedRecord;
  readonly fields: TextFields<FeedAttribute>;
  readonly currency: string;
  readonly variant: Variant;
}

/**
 * Reads one product from the records of a group, or from a single record; null if none is valid.
 * `findings` says why, and which values were dropped.
 */
export function readFeedItem(
  records: readonly [FeedRecord, ...FeedRecord[]],
  findings: Findings,
  options: FeedOptions,
): Offering | null {
  const members: Member[] = [];
  for (const record of records.slice(0, VARIANT_COUNT_MAX)) {
    findings.moveTo(record);
    const member = readMember(record, findings, options);
    const first = members[0];
    if (member === null) continue;
    if (first !== undefined && first.currency !== member.currency) {
      const message = `is not in ${first.currency}, as the other variants are.`;
      member.fields.refuse('price', 'currency_conflict', message);
    } else if (members.some(({ variant }) => variant.id === member.variant.id)) {
      member.fields.refuse(
        'id',
        'duplicate_value',
        'is already used by another variant of the product.',
      );
    } else members.push(member);
  }
  const [first] = members;
  if (first === undefined) return null;
  findings.moveTo(first.record);
  if (records.length > VARIANT_COUNT_MAX) {
    const message = `The product has more than ${VARIANT_COUNT_MAX} variants; the first were kept.`;
    findings.warning({ column: null, code: 'too_many', message });
  }
  return toOffering([first, ...members.slice(1)]);
}

function readMember(record: FeedRecord, findings: Findings, options: FeedOptions): Member | null {
  if (record.problem !== null) {
    findings.partialError(record.problem);
    return null;
  }
  const fields = new TextFields<FeedAttribute>(record, findings);
  if (isHidden(fields.raw('searchable'))) {
    const message = 'says that the product is hidden; it was left out.';
    fields.warn('searchable', 'not_published', message);
    return null;
  }
  const id = fields.key('id', EXTERNAL_ID_MAX);
  if (fields.text('title') === '') fields.refuse('title', 'missing_value', 'is required.');
  const group = fields.text('group');
  if (cut(group, EXTERNAL_ID_MAX).isCut) {
    fields.refuse('group', 'too_long', `is longer than ${EXTERNAL_ID_MAX} characters.`);
  }
  const { currency, ...prices } = readPrices(fields, options);
  const availability = readAvailability(fields);
  if (fields.isRefused) return null;
  const choices = group === '' ? {} : readOptions(record, fields);
  const title = Object.values(choices).join(' / ');
  const variant = {
    id,
    title: title === '' ? id : title,
    sku: fields.line('sku'),
    gtin: fields.gtin('gtin'),
    ...prices,
    availability,
    options: choices,
    image: fields.url('image'),
  };
  return { record, fields, currency, variant };
}

function readPrices(
  fields: TextFields<FeedAttribute>,
  { currency, now, decimal = 'point' }: FeedOptions,
): { currency: string; priceMinor: number | null; compareAtPriceMinor: number | null } {
  const named = fields.text('currency').toUpperCase();
  if (named !== '' && !isCurrency(named)) {
    fields.refuse('currency', 'unknown_currency', 'is not an ISO 4217 code.');
  }
  const context: PriceContext = { currency: named || currency, decimal };
  const regular = fields.price('price', context);
  const own = { ...context, currency: regular?.currency ?? context.currency };
  const sale = inSameCurrency(fields, 'salePrice', own);
  const compareAt = inSameCurrency(fields, 'compareAtPrice', own);
  const current = currentPrice(
    { regular: regular?.minor ?? null, sale: sale?.minor ?? null, period: readPeriod(fields) },
    now,
  );
  const compareAtPriceMinor =
    current.compareAtPriceMinor ?? comparable(current.priceMinor, compareAt?.minor ?? null);
  return { currency: own.currency, priceMinor: current.priceMinor, compareAtPriceMinor };
}

function inSameCurrency(
  fields: TextFields<FeedAttribute>,
  name: 'salePrice' | 'compareAtPrice',
  context: PriceContext,
): Price | null {
  const price = fields.price(name, context);
  if (price === null || price.currency === context.currency) return price;
  fields.refuse(name, 'currency_conflict', `is not in ${context.currency}, as the price is.`);
  return null;
}

/** Values of an on-sale column that mean no sale; the sale price may be left over from a former one. */
const NOT_ON_SALE = /^(?:0|false|no|n|off)$/i;

/** An unreadable period never applies: a price that is too low would be a false promise. */
function readPeriod(fields: TextFields<FeedAttribute>): {
  from: number | null;
  until: number | null;
} {
  const NEVER = { from: Number.POSITIVE_INFINITY, until: null };
  if (NOT_ON_SALE.test(fields.raw('onSale'))) return NEVER;
  const period = fields.raw('salePeriod');
  if (period !== '') {
    const [start = '', end = ''] = period.split('/').map((part) => part.trim());
    const from = parseInstant(start);
    const until = parseLastMoment(end);
    if (from !== null && until !== null) return { from: Date.parse(from), until };
    const rule = 'is not a period like 2026-01-01T00:00Z/2026-01-31T23:59Z; the sale was left out.';
    fields.warn('salePeriod', 'invalid_time', rule);
    return NEVER;
  }
  const from = fields.raw('saleFrom');
  const until = fields.raw('saleUntil');
  const start = from === '' ? null : parseInstant(from);
  const end = until === '' ? null : parseLastMoment(until);
  if ((from !== '' && start === null) || (until !== '' && end === null)) {
    const name = from !== '' && start === null ? 'saleFrom' : 'saleUntil';
    fields.warn(name, 'invalid_time', 'is not a date or time; the sale was left out.');
    return NEVER;
  }
  return { from: start === null ? null : Date.parse(start), until: end };
}

function readOptions(
  record: FeedRecord,
  fields: TextFields<FeedAttribute>,
): Record<string, string> {
  const options: Record<string, string> = {};
  for (const [attribute, name] of OPTIONS) {
    const value = fields.line(attribute);
    if (value !== null) options[name] = value;
  }
  for (const entry of record.list('options')) {
    const [name = '', value = ''] = splitPair(entry);
    if (name === '' || value === '' || name === '__proto__') continue;
    const known = Object.keys(options).some(
      (option) => option.toLowerCase() === name.toLowerCase(),
    );
    if (!known) options[cut(name, SHORT_TEXT_MAX).text] = cut(value, SHORT_TEXT_MAX).text;
  }
  return options;
}

function splitPair(entry: string): [string, string] {
  const colon = entry.indexOf(':');
  return [shortText(entry.slice(0, colon)), shortText(entry.slice(colon + 1))];
}

function toOffering(members: readonly [Member, ...Member[]]): Offering {
  const [{ record, fields, currency, variant }] = members;
  const group = fields.text('group');
  const images = readImages(members);
  const name = readName(members);
  const categories = splitPath(record.list('productType')[0] ?? '');
  return {
    type: 'product',
    kind: 'product',
    externalId: group === '' ? variant.id : group,
    name: cut(name, NAME_MAX).text,
    description: fields.prose('description'),
    image: images[0] ?? null,
    images,
    slug: null,
    publicUrl: fields.url('link'),
    publishedAt: null,
    vendor: fields.line('brand'),
    tags: [...new Set(record.list('tags').map(shortText))].slice(0, TAG_COUNT_MAX),
    productType: categories.at(-1) ?? null,
    currency,
    mpn: fields.line('mpn'),
    bookingUrl: null,
    checkoutUrl: null,
    attributes: readAttributes(record, fields, group !== ''),
    ...ofVariants(members),
  };
}

function ofVariants(
  members: readonly [Member, ...Member[]],
): Pick<
  Offering,
  'priceMinor' | 'compareAtPriceMinor' | 'availability' | 'gtins' | 'variants' | 'sku'
> {
  const [{ fields, variant }] = members;
  if (fields.text('group') === '') {
    const { priceMinor, compareAtPriceMinor, availability, gtin, sku } = variant;
    const gtins = gtin === null ? [] : [gtin];
    return { priceMinor, compareAtPriceMinor, availability, gtins, sku, variants: [] };
  }
  const variants = members.map((member) => member.variant);
  const availability = leadingAvailability(variants);
  return { ...leadingPrice(variants), availability, gtins: [], sku: null, variants };
}

/** The words that all variants' titles begin with, because titles often end with the options. */
function readName(members: readonly [Member, ...Member[]]): string {
  const [{ fields }] = members;
  const own = fields.line('groupTitle', NAME_MAX);
  if (own !== null) return own;
  const title = fields.line('title', NAME_MAX)!;
  let words = title.split(' ');
  for (const member of members.slice(1)) {
    const others = member.fields.text('title').split(' ');
    const end = words.findIndex((word, index) => word !== others[index]);
    if (end !== -1) words = words.slice(0, end);
  }
  const shared = words.join(' ').replace(/[\s\-–—,|/(:]+$/, '');
  return shared === '' ? title : shared;
}

function readImages(members: readonly Member[]): string[] {
  const images = new Set<string>();
  for (const { record, fields, variant } of members) {
    if (variant.image !== null) images.add(variant.image);
    for (const text of record.list('images')) {
      const url = fields.urlOf('images', text.trim());
      if (url !== null) images.add(url);
    }
  }
  return [...images].slice(0, IMAGE_COUNT_MAX);
}

/** Splits `Home > Women > Dresses` or `Home/Women/Dresses`, most general first. */
function splitPath(path: string): string[] {
  const parts = path.split(path.includes('>') ? '>' : /\s*\/\s*(?=\p{Lu})/u).map(shortText);
  return parts.filter((part) => part !== '').map((part) => cut(part, SHORT_TEXT_MAX).text);
}

function readAttributes(
  record: FeedRecord,
  fields: TextFields<FeedAttribute>,
  isGroup: boolean,
): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  const isOption = new Set(isGroup ? OPTIONS.map(([attribute]) => attribute) : []);
  for (const [attribute, name] of NAMED_ATTRIBUTES) {
    const text = isOption.has(attribute) ? '' : fields.text(attribute);
    if (text !== '') attributes[name] = cut(text, ATTRIBUTE_TEXT_MAX).text;
  }
  const highlights = record.list('highlights').map((text) => longText(htmlToText(text)));
  const joined = highlights.filter((text) => text !== '').join('\n');
  if (joined !== '') attributes['highlights'] = cut(joined, ATTRIBUTE_TEXT_MAX).text;
  for (const detail of record.list('details').slice(0, ATTRIBUTE_COUNT_MAX)) {
    // `section:name:value`; the section is optional.
    const parts = detail.split(':').map(shortText);
    const [label = '', value = ''] =
      parts.length > 2 ? [parts[1], parts.slice(2).join(':')] : parts;
    const name = attributeName(label);
    if (name !== '' && value !== '') attributes[name] ??= cut(value, ATTRIBUTE_TEXT_MAX).text;
  }
  return attributes;
}
