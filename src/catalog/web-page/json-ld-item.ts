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
import { isCurrency } from '../../domain/money.ts';
import type { Findings } from '../record/findings.ts';
import { htmlToText } from '../record/html-text.ts';
import { isJsonObject, type JsonObject, spelled } from '../record/json-fields.ts';
import { isPrice, type Price, readPrice } from '../record/prices.ts';
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
  nameAsId,
  parseGtin,
  parseInstant,
  SHORT_TEXT_MAX,
  shortText,
  TAG_COUNT_MAX,
  VARIANT_COUNT_MAX,
} from '../record/values.ts';
import { isOn, isThere, textsOf, webUrl } from './json-ld-values.ts';

/** schema.org ItemAvailability. */
const AVAILABILITIES: ReadonlyMap<string, Availability> = new Map([
  ['instock', 'in_stock'],
  ['instoreonly', 'in_stock'],
  ['onlineonly', 'in_stock'],
  ['madetoorder', 'in_stock'],
  ['limitedavailability', 'limited_stock'],
  ['backorder', 'backorder'],
  ['preorder', 'preorder'],
  ['presale', 'preorder'],
  ['outofstock', 'out_of_stock'],
  ['soldout', 'out_of_stock'],
  ['reserved', 'out_of_stock'],
  ['discontinued', 'discontinued'],
]);

const GTINS = ['gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8', 'isbn'];

const ATTRIBUTES: readonly string[] = ['color', 'size', 'material', 'pattern', 'category', 'award'];

/** Properties in which variants differ, with the names of the options. */
const OPTIONS = [
  ['color', 'Color'],
  ['size', 'Size'],
  ['material', 'Material'],
  ['pattern', 'Pattern'],
] as const;

interface Node {
  readonly node: JsonObject;
  readonly variants: readonly JsonObject[];
  readonly byId: ReadonlyMap<string, JsonObject>;
  /** The address of the page that is about this node alone; null if there is none. */
  readonly pageUrl: string | null;
}

/** Reads an offering from a node; null with the reason in `findings`. */
export function readNode(
  { node, variants: parts, byId, pageUrl }: Node,
  findings: Findings,
  options: ReaderOptions,
): Offering | null {
  const context = { byId, findings, options, base: pageUrl ?? options.shopUrl };
  const reader = new NodeReader(node, context);
  const url =
    reader.url('url') ??
    reader
      .offers()
      .map((offer) => webUrl(offer['url'], context.base))
      .find(Boolean) ??
    pageUrl;
  const externalId = reader.identity(url) ?? (nameAsId(reader.text('name')) || null);
  findings.externalId = externalId;
  const name = reader.line('name', NAME_MAX);
  if (name === null) reader.refuse('name', 'missing_value', 'is required.');
  const variants = parts.slice(0, VARIANT_COUNT_MAX).map((part, index) => {
    const own = new NodeReader(part, context, `hasVariant[${index}].`);
    return own.variant(`${externalId}-${index + 1}`);
  });
  const offer = reader.offer();
  const currency = [offer, ...variants].find((price) => price.currency !== null)?.currency;
  if (variants.some((variant) => variant.currency !== null && variant.currency !== currency)) {
    reader.refuse('hasVariant', 'currency_conflict', 'has prices in several currencies.');
  }
  if (findings.isRejected || name === null || externalId === null) return null;
  const own = variants.map(({ variant }) => variant);
  const images = [...new Set([...reader.images(), ...own.flatMap(({ image }) => image ?? [])])];
  const isService = reader.isService();
  const isPriced = own.some(({ priceMinor }) => priceMinor !== null);
  return {
    type: 'product',
    kind: isService ? 'service' : 'product',
    externalId,
    name,
    description: reader.prose('description'),
    image: images[0] ?? null,
    images: images.slice(0, IMAGE_COUNT_MAX),
    slug: null,
    publicUrl: url,
    publishedAt: parseInstant(reader.text('releaseDate')),
    vendor: reader.line('brand') ?? reader.line('manufacturer') ?? reader.line('provider'),
    tags: reader.keywords(),
    productType: reader.line(isService ? 'serviceType' : 'category') ?? reader.line('category'),
    currency: currency ?? options.currency,
    ...(isPriced ? leadingPrice(own) : offer.prices),
    availability: own.length > 0 ? leadingAvailability(own) : offer.availability,
    sku: reader.line('sku'),
    mpn: reader.line('mpn'),
    gtins: [reader.gtin()].filter((gtin) => gtin !== null),
    bookingUrl: reader.bookingUrl(),
    checkoutUrl: null,
    attributes: reader.attributes(own.length > 0),
    variants: own,
  };
}

interface Context {
  /** What relative addresses are relative to; null if unknown. */
  readonly base: string | null;
  readonly byId: ReadonlyMap<string, JsonObject>;
  readonly findings: Findings;
  readonly options: ReaderOptions;
}

interface OfferReading {
  readonly currency: string | null;
  readonly prices: { priceMinor: number | null; compareAtPriceMinor: number | null };
  readonly availability: Availability;
}

/** Reads the properties of one node. Values may be text, numbers, objects with a name or value, lists. */
class NodeReader {
  readonly #node: JsonObject;
  readonly #context: Context;
  readonly #path: string;

  constructor(node: JsonObject, context: Context, path = '') {
    this.#node = node;
    this.#context = context;
    this.#path = path;
  }

  /** The first text of a property. */
  text(name: string): string {
    return textsOf(this.#node[name], this.#context.byId)[0] ?? '';
  }

  line(name: string, max = SHORT_TEXT_MAX): string | null {
    const { text, isCut } = cut(shortText(htmlToText(this.text(name))), max);
    if (isCut) this.warn(name, 'too_long', `was cut to ${max} characters.`);
    return text === '' ? null : text;
  }

  prose(name: string): string {
    const { text, isCut } = cut(longText(htmlToText(this.text(name))), DESCRIPTION_MAX);
    if (isCut) this.warn(name, 'too_long', `was cut to ${DESCRIPTION_MAX} characters.`);
    return text;
  }

  url(name: string): string | null {
    const text = this.text(name).trim();
    if (text === '') return null;
    const url = webUrl(text, this.#context.base);
    if (url === null) this.warn(name, 'invalid_url', 'is not an http(s) URL.');
    return url;
  }

  /** A stable identifier: the shop's own number, else the URL. */
  identity(url: string | null): string | null {
    const id = this.#node['@id'];
    const candidates = [
      ...['productGroupID', 'sku', 'productID', 'mpn'].map((name) => shortText(this.text(name))),
      url ?? '',
      typeof id === 'string' ? shortText(id) : '',
    ];
    return candidates.find((text) => text !== '' && !cut(text, EXTERNAL_ID_MAX).isCut) ?? null;
  }

  images(): string[] {
    const texts = textsOf(this.#node['image'], this.#context.byId, 'url');
    const urls = texts
      .map((text) => webUrl(text, this.#context.base))
      .filter((url) => url !== null);
    if (urls.length < texts.length)
      this.warn('image', 'invalid_url', 'contains a value that is not an http(s) URL.');
    return urls;
  }

  gtin(): string | null {
    const name = GTINS.find((property) => this.text(property) !== '');
    if (name === undefined) return null;
    const gtin = parseGtin(this.text(name));
    if (gtin === null) this.warn(name, 'invalid_gtin', 'is not a GTIN: its check digit is wrong.');
    return gtin;
  }

  keywords(): string[] {
    const texts = textsOf(this.#node['keywords'], this.#context.byId);
    const words = texts.flatMap((text) => text.split(',')).map(shortText);
    const kept = words.filter((word) => word !== '' && !cut(word, SHORT_TEXT_MAX).isCut);
    return [...new Set(kept)].slice(0, TAG_COUNT_MAX);
  }

  isService(): boolean {
    return [this.#node['@type']].flat().some((type) => /Service$/.test(spelled(type)));
  }

  /** The URL for reservations, from schema.org's actions. */
  bookingUrl(): string | null {
    const actions: unknown[] = [this.#node['potentialAction'] ?? []].flat();
    for (const action of actions.filter(isJsonObject)) {
      if (!/^(?:Reserve|Schedule|Book)/.test(spelled(action['@type']))) continue;
      const target = isJsonObject(action['target'])
        ? action['target']['urlTemplate']
        : action['target'];
      const url = webUrl(typeof target === 'string' ? target : action['url'], this.#context.base);
      if (url !== null) return url;
    }
    return null;
  }

  attributes(hasVariants: boolean): Record<string, AttributeValue> {
    const attributes: Record<string, AttributeValue> = {};
    const isOption = new Set<string>(hasVariants ? OPTIONS.map(([name]) => name) : []);
    for (const name of ATTRIBUTES) {
      const text = isOption.has(name) ? '' : shortText(this.text(name));
      if (text !== '') attributes[name] = cut(text, ATTRIBUTE_TEXT_MAX).text;
    }
    const properties: unknown[] = [this.#node['additionalProperty'] ?? []].flat();
    for (const property of properties.filter(isJsonObject).slice(0, ATTRIBUTE_COUNT_MAX)) {
      const name = attributeName(textsOf(property['name'], this.#context.byId)[0] ?? '');
      const text = shortText(textsOf(property['value'], this.#context.byId).join(', '));
      const unit = shortText(textsOf(property['unitText'], this.#context.byId)[0] ?? '');
      if (name !== '' && text !== '')
        attributes[name] ??= cut(`${text} ${unit}`.trim(), ATTRIBUTE_TEXT_MAX).text;
    }
    return attributes;
  }

  /** Individual offers, and those inside an aggregate. */
  offers(): JsonObject[] {
    const entries: unknown[] = [this.#node['offers'] ?? []].flat();
    const offers = entries.filter(isJsonObject).map((offer) => this.#resolved(offer));
    return offers.flatMap((offer) => {
      const inner: unknown[] = [offer['offers'] ?? []].flat();
      const objects = inner.filter(isJsonObject).map((entry) => this.#resolved(entry));
      return objects.length > 0 ? objects : [offer];
    });
  }

  /** The cheapest available offer, else the cheapest. */
  offer(): OfferReading {
    const read = this.offers().map((offer) => this.#readOffer(offer));
    const priced = read.filter(({ prices }) => prices.priceMinor !== null);
    const isOpen = ({ availability }: OfferReading) =>
      availability !== 'out_of_stock' && availability !== 'discontinued';
    const open = priced.filter(isOpen);
    const [best] = [...(open.length > 0 ? open : priced)].sort(
      (a, b) => a.prices.priceMinor! - b.prices.priceMinor!,
    );
    const nothing = { currency: null, prices: { priceMinor: null, compareAtPriceMinor: null } };
    return best ?? read[0] ?? { ...nothing, availability: 'unknown' };
  }

  variant(fallbackId: string): { variant: Variant; currency: string | null } {
    const { currency, prices, availability } = this.offer();
    const options: Record<string, string> = {};
    for (const [property, label] of OPTIONS) {
      const value = this.line(property);
      if (value !== null) options[label] = value;
    }
    const id = this.identity(this.url('url')) ?? fallbackId;
    const title = Object.values(options).join(' / ') || (this.line('name') ?? id);
    const variant: Variant = {
      id,
      title: cut(title, SHORT_TEXT_MAX).text,
      sku: this.line('sku'),
      gtin: this.gtin(),
      ...prices,
      availability,
      options,
      image: this.images()[0] ?? null,
    };
    return { variant, currency };
  }

  warn(name: string, code: string, message: string): void {
    const column = `${this.#path}${name}`;
    this.#context.findings.warning({ column, code, message: `${column} ${message}` });
  }

  refuse(name: string, code: string, message: string): void {
    const column = `${this.#path}${name}`;
    this.#context.findings.error({ column, code, message: `${column} ${message}` });
  }

  #resolved(node: JsonObject): JsonObject {
    const id = node['@id'];
    const found = typeof id === 'string' ? this.#context.byId.get(id) : undefined;
    return found ?? node;
  }

  #readOffer(offer: JsonObject): OfferReading {
    const { options } = this.#context;
    const entries: unknown[] = [offer['priceSpecification'] ?? []].flat();
    const specifications = entries.filter(isJsonObject).map((entry) => this.#resolved(entry));
    const isList = (entry: JsonObject) =>
      /(?:ListPrice|StrikethroughPrice|MSRP|SRP)$/.test(spelled(entry['priceType'] ?? ''));
    const isValid = (entry: JsonObject) => isOn(entry, options.now);
    const current = [offer, ...specifications.filter((entry) => !isList(entry) && isValid(entry))];
    const named = [...current, ...specifications].map((entry) => entry['priceCurrency']);
    const currency = named.find((code) => typeof code === 'string');
    if (typeof currency === 'string' && !isCurrency(currency)) {
      this.refuse('offers.priceCurrency', 'unknown_currency', 'is not an ISO 4217 code.');
    }
    const fallback = typeof currency === 'string' ? currency : options.currency;
    const amount = current.map((entry) => entry['price'] ?? entry['lowPrice'] ?? entry['minPrice']);
    const price = this.#price(amount.find(isThere), fallback);
    const list = specifications.filter(isList).map((entry) => entry['price']);
    const listPrice = this.#price(list.find(isThere), fallback);
    return {
      currency: price?.currency ?? null,
      prices: {
        priceMinor: price?.minor ?? null,
        compareAtPriceMinor: comparable(price?.minor ?? null, listPrice?.minor ?? null),
      },
      availability: this.#availability(offer['availability']),
    };
  }

  #price(value: unknown, currency: string): Price | null {
    const text = (textsOf(value, this.#context.byId)[0] ?? '').trim();
    if (text === '') return null;
    const price = readPrice(text, { currency, decimal: 'point' });
    if (isPrice(price)) return price;
    this.refuse('offers.price', price.code, price.message);
    return null;
  }

  #availability(value: unknown): Availability {
    const text = textsOf(value, this.#context.byId, '@id')[0] ?? '';
    if (text === '') return 'unknown';
    const word = text
      .replace(/^.*[/#:]/, '')
      .replace(/[\s_-]+/g, '')
      .toLowerCase();
    const availability = AVAILABILITIES.get(word);
    if (availability === undefined) {
      this.warn('offers.availability', 'invalid_value', 'is not a schema.org ItemAvailability.');
    }
    return availability ?? 'unknown';
  }
}
