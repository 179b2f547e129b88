import {
  type Availability,
  comparable,
  leadingAvailability,
  leadingPrice,
  type Offering,
  type Variant,
} from './catalog.ts';

/** New values of what changes by the minute; absent ones stay. Prices are in minor units. */
interface Offer {
  readonly priceMinor?: number | null;
  readonly compareAtPriceMinor?: number | null;
  readonly availability?: Availability;
}

/** A change of prices and availability: of the offering, or of some of its variants. */
export interface OfferChange extends Offer {
  readonly variants?: readonly (Offer & { readonly id: string })[];
}

/**
 * The offering with new prices and availability; the same text, so the same words and the same vector.
 * Where variants have prices or availability, the offering's own follow from them. Ignores variants that
 * it does not have.
 */
export function changeOffer(offering: Offering, { variants = [], ...own }: OfferChange): Offering {
  if (variants.length === 0) return { ...offering, ...changed(offering, own) };
  const changes = new Map(variants.map((change) => [change.id, change]));
  const after = offering.variants.map((variant): Variant => {
    const change = changes.get(variant.id);
    return change === undefined ? variant : { ...variant, ...changed(variant, change) };
  });
  const isPriced = after.some(({ priceMinor }) => priceMinor !== null);
  return {
    ...offering,
    variants: after,
    ...(isPriced ? leadingPrice(after) : changed(offering, own)),
    availability: leadingAvailability(after),
  };
}

function changed(
  present: Pick<Variant, 'priceMinor' | 'compareAtPriceMinor' | 'availability'>,
  { priceMinor, compareAtPriceMinor, availability }: Offer,
) {
  const price = priceMinor === undefined ? present.priceMinor : priceMinor;
  const compareAt =
    compareAtPriceMinor === undefined ? present.compareAtPriceMinor : compareAtPriceMinor;
  return {
    priceMinor: price,
    compareAtPriceMinor: comparable(price, compareAt),
    availability: availability ?? present.availability,
  };
}
