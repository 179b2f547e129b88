import { type Availability, comparable, type Variant } from '../../domain/catalog.ts';
import { ownLink } from '../../domain/own-link.ts';
import { leadingVariant } from '../../domain/variants.ts';
import type { BaseServices } from '../base-services.ts';
import { cartLink } from './cart-link.ts';
import type { FoundOffering } from './find-offering.ts';
import { domainsOf, fromTemplate, productUrl, QUANTITY, variantUrl } from './offering-links.ts';

/** How a checkout link is made. */
export const CHECKOUT_METHODS = [
  'shopify_cart',
  'ucp_permalink',
  'woo_checkout_link',
  'payment_link',
  'template',
  'product_page',
] as const;
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number];

export interface ExpressCheckout {
  /** The variant to buy: the requested one, otherwise the one whose price the offering shows. */
  readonly variant: Variant | null;
  readonly priceMinor: number | null;
  readonly compareAtPriceMinor: number | null;
  readonly availability: Availability;
  readonly quantity: number;
  /** Null if no link on the organization's own hosts is known. */
  readonly checkout: { readonly url: string; readonly method: CheckoutMethod } | null;
  readonly productUrl: string | null;
}

/**
 * The shortest way to buy one unit: the offering's payment link, then the shop's template, then its cart,
 * then the product page. The link places no order.
 */
export function expressCheckout(services: BaseServices, found: FoundOffering): ExpressCheckout {
  const { shop, offering } = found;
  const variant = found.variant ?? leadingVariant(offering);
  const { priceMinor, compareAtPriceMinor, availability } = found.variant ?? offering;
  const domains = domainsOf(services, shop.organizationKey);
  const own = productUrl(found, domains);
  const page = own === null ? null : variantUrl(shop, own, found.variant);
  const url = checkoutUrl({ ...found, variant }, domains);
  const fallback = page === null ? null : ({ url: page, method: 'product_page' } as const);
  return {
    variant,
    priceMinor,
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
    availability,
    quantity: QUANTITY,
    checkout: url ?? fallback,
    productUrl: page,
  };
}

function checkoutUrl(
  found: FoundOffering,
  domains: readonly string[],
): ExpressCheckout['checkout'] {
  const { shop, offering, variant } = found;
  const { checkoutUrlTemplate: template } = shop;
  const own = ownLink(offering.checkoutUrl, domains);
  if (own !== null) return { url: own, method: 'payment_link' };
  const filled = template === null ? null : ownLink(fromTemplate(template, found), domains);
  if (filled !== null) return { url: filled, method: 'template' };
  return cartLink(shop, [{ offering, variant, quantity: QUANTITY }], domains);
}
