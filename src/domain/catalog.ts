import { type Static, Type } from 'typebox';

/** Code points of a description that an import keeps. */
export const DESCRIPTION_MAX = 20_000;

export const AVAILABILITIES = [
  'in_stock',
  'limited_stock',
  'backorder',
  'preorder',
  'out_of_stock',
  'discontinued',
  'unknown',
] as const;

export const Availability = Type.Enum(AVAILABILITIES);
export type Availability = Static<typeof Availability>;

/** Whether it can be ordered now. An unknown availability counts as available, because most feeds give none. */
export function isAvailable(
  availability: Availability,
): availability is Exclude<Availability, 'out_of_stock' | 'discontinued'> {
  return availability !== 'out_of_stock' && availability !== 'discontinued';
}

/** Whether it is booked for a time and place rather than bought. */
export function isBookable({ kind, bookingUrl }: Pick<Offering, 'kind' | 'bookingUrl'>): boolean {
  return kind === 'service' || bookingUrl !== null;
}

/** One version of an offering (a size, a colour). Prices are in minor units of the offering's currency. */
export interface Variant {
  readonly id: string;
  readonly title: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly priceMinor: number | null;
  readonly compareAtPriceMinor: number | null;
  readonly availability: Availability;
  /** Option name → value, in the shop's order: `{"Size":"M","Colour":"Ocean"}`. */
  readonly options: Readonly<Record<string, string>>;
  readonly image: string | null;
}

export type AttributeValue = string | number | boolean;

/** A product or bookable service, normalised from any catalogue format. Text is clean, URLs are http(s). */
export interface Offering {
  readonly type: 'product';
  readonly kind: 'product' | 'service';
  /** The shop's own identifier, unique within the shop; at most 200 characters. */
  readonly externalId: string;
  readonly name: string;
  readonly description: string;
  readonly image: string | null;
  readonly images: readonly string[];
  readonly slug: string | null;
  readonly publicUrl: string | null;
  /** RFC 3339 UTC with milliseconds. */
  readonly publishedAt: string | null;
  readonly vendor: string | null;
  readonly tags: readonly string[];
  readonly productType: string | null;
  readonly currency: string;
  /** If there are variants, the price of the cheapest available one. */
  readonly priceMinor: number | null;
  /** The compare-at price of that same variant; null unless it is greater than the price. */
  readonly compareAtPriceMinor: number | null;
  readonly availability: Availability;
  readonly sku: string | null;
  readonly mpn: string | null;
  readonly gtins: readonly string[];
  readonly bookingUrl: string | null;
  readonly checkoutUrl: string | null;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly variants: readonly Variant[];
}

/** What a shop publishes besides offerings: a policy, an FAQ, opening hours, a story. */
export interface Context {
  readonly type: 'context';
  readonly externalId: string;
  readonly name: string;
  /** The whole text in Markdown, without front matter; search results quote its best passage. */
  readonly description: string;
  readonly publicUrl: string | null;
  readonly publishedAt: string | null;
}

export type CatalogItem = Offering | Context;

/** A name of an offering or of one of its variants. */
export interface OfferingName {
  /** Decides between offerings that share a name: the lowest kind wins. */
  readonly kind: number;
  readonly name: string;
  /** Null if the name refers to the offering as a whole. */
  readonly variantId: string | null;
}

const NAME_KINDS = { externalId: 1, variantId: 2, sku: 3, slug: 4, publicUrl: 5 } as const;

/** Every name that finds an offering, besides its id. A variant's names come with the variant's id. */
export function offeringNames(offering: Offering): OfferingName[] {
  const names: OfferingName[] = [];
  const add = (kind: keyof typeof NAME_KINDS, name: string | null, variantId: string | null) => {
    if (name !== null) names.push({ kind: NAME_KINDS[kind], name, variantId });
  };
  add('externalId', offering.externalId, null);
  add('sku', offering.sku, null);
  add('slug', offering.slug, null);
  add('publicUrl', offering.publicUrl?.replace(/\/+$/, '') ?? null, null);
  for (const { id, sku } of offering.variants) {
    add('variantId', id, id);
    add('sku', sku, id);
  }
  return names;
}

/**
 * The price that an offering shows: the lowest of its available variants, or of all variants if none
 * is available, with that variant's compare-at price if it is greater.
 */
export function leadingPrice(
  variants: readonly Variant[],
): Pick<Offering, 'priceMinor' | 'compareAtPriceMinor'> {
  const priced = variants.filter(({ priceMinor }) => priceMinor !== null);
  const available = priced.filter(({ availability }) => isAvailable(availability));
  let leading: Variant | null = null;
  for (const variant of available.length > 0 ? available : priced) {
    if (leading === null || variant.priceMinor! < leading.priceMinor!) leading = variant;
  }
  if (leading === null) return { priceMinor: null, compareAtPriceMinor: null };
  return {
    priceMinor: leading.priceMinor,
    compareAtPriceMinor: comparable(leading.priceMinor, leading.compareAtPriceMinor),
  };
}

/** The compare-at price, or null unless it is greater than the price. */
export function comparable(
  priceMinor: number | null,
  compareAtPriceMinor: number | null,
): number | null {
  if (priceMinor === null || compareAtPriceMinor === null) return null;
  return compareAtPriceMinor > priceMinor ? compareAtPriceMinor : null;
}

/** The best availability of any variant, for an offering that has none of its own. */
export function leadingAvailability(variants: readonly Variant[]): Availability {
  for (const availability of AVAILABILITIES) {
    if (variants.some((variant) => variant.availability === availability)) return availability;
  }
  return 'unknown';
}

/**
 * The same item with its members in a fixed order, whatever its format, so that equal items have equal
 * JSON. The order within `attributes`, `options` and lists is significant and stays.
 */
export function canonicalItem(item: CatalogItem): CatalogItem {
  if (item.type === 'context') {
    const { type, externalId, name, description, publicUrl, publishedAt } = item;
    return { type, externalId, name, description, publicUrl, publishedAt };
  }
  return {
    type: item.type,
    kind: item.kind,
    externalId: item.externalId,
    name: item.name,
    description: item.description,
    image: item.image,
    images: item.images,
    slug: item.slug,
    publicUrl: item.publicUrl,
    publishedAt: item.publishedAt,
    vendor: item.vendor,
    tags: item.tags,
    productType: item.productType,
    currency: item.currency,
    priceMinor: item.priceMinor,
    compareAtPriceMinor: item.compareAtPriceMinor,
    availability: item.availability,
    sku: item.sku,
    mpn: item.mpn,
    gtins: item.gtins,
    bookingUrl: item.bookingUrl,
    checkoutUrl: item.checkoutUrl,
    attributes: item.attributes,
    variants: item.variants.map(canonicalVariant),
  };
}

function canonicalVariant(variant: Variant): Variant {
  const { id, title, sku, gtin, priceMinor, compareAtPriceMinor, availability, options, image } =
    variant;
  return { id, title, sku, gtin, priceMinor, compareAtPriceMinor, availability, options, image };
}
