import type { Availability, Offering } from '../../domain/catalog.ts';
import type { Issue } from '../../domain/errors.ts';
import { parsePrice } from '../../domain/money.ts';
import type { OfferChange } from '../../domain/offer-change.ts';

/** New values as a program sends them; absent ones stay. A price is a decimal in major units. */
export interface OfferPatch {
  readonly price?: string | number | null;
  readonly compareAtPrice?: string | number | null;
  readonly availability?: Availability;
  /** In stock or out of stock; `availability` is more precise and takes precedence. */
  readonly available?: boolean;
}

/** A change of an offering's prices and availability, or of those of some of its variants. */
export interface ItemPatch extends OfferPatch {
  readonly variants?: readonly (OfferPatch & { readonly id: string })[];
}

const NO_PRICE =
  'is not a price: write digits and a decimal point, with no symbol or sign and no more decimals than the currency has';

const OF_VARIANTS = 'is that of the variants: name them in variants';

/** What a patch changes in an offering. Adds faults to `issues`. */
export function readOfferChange(
  { variants = [], ...own }: ItemPatch,
  offering: Offering,
  issues: Issue[],
): OfferChange {
  const isPriced = offering.variants.some(({ priceMinor }) => priceMinor !== null);
  if (isPriced)
    for (const path of ['price', 'compareAtPrice'] as const)
      if (own[path] !== undefined) issues.push({ path, message: OF_VARIANTS });
  if (offering.variants.length > 0)
    for (const path of ['availability', 'available'] as const)
      if (own[path] !== undefined) issues.push({ path, message: OF_VARIANTS });
  const known = new Set(offering.variants.map(({ id }) => id));
  const { currency } = offering;
  const read = variants.map(({ id, ...patch }, index) => {
    const path = `variants[${index}].`;
    if (!known.has(id))
      issues.push({ path: `${path}id`, message: 'names no variant of this offering' });
    return { id, ...readOffer(patch, { path, currency, issues }) };
  });
  const change = readOffer(own, { path: '', currency, issues });
  return read.length === 0 ? change : { ...change, variants: read };
}

function readOffer(
  { price, compareAtPrice, availability, available }: OfferPatch,
  place: { path: string; currency: string; issues: Issue[] },
): Omit<OfferChange, 'variants'> {
  const stated =
    available === undefined
      ? undefined
      : available
        ? ('in_stock' as const)
        : ('out_of_stock' as const);
  const known = availability ?? stated;
  return {
    ...(price === undefined ? {} : { priceMinor: readPrice('price', price, place) }),
    ...(compareAtPrice === undefined
      ? {}
      : { compareAtPriceMinor: readPrice('compareAtPrice', compareAtPrice, place) }),
    ...(known === undefined ? {} : { availability: known }),
  };
}

/** Reads a JSON number as the decimal that is written. */
function readPrice(
  name: string,
  value: string | number | null,
  { path, currency, issues }: { path: string; currency: string; issues: Issue[] },
): number | null {
  if (value === null) return null;
  const minor = parsePrice(String(value), currency);
  if (minor === null) issues.push({ path: `${path}${name}`, message: NO_PRICE });
  return minor;
}
