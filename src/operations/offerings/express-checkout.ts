import { type Availability, comparable, type Variant } from '../../domain/catalog.ts';
import { ownLink } from '../../domain/own-link.ts';
import { leadingVariant } from '../../domain/variants.ts';
import type { BaseServices } from '../base-services.ts';
import type { FoundOffering } from './find-offering.ts';
import { domainsOf, fromTemplate, isNumber, productUrl, QUANTITY } from './offering-links.ts';

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
 * The shortest way to buy one unit: the offering's payment link, then the shop's configuration (template,
 * then UCP), then a link that its storefront is known to support, then the product page. The link places
 * no order.
 */
export function expressCheckout(services: BaseServices, found: FoundOffering): ExpressCheckout {
  const { shop, offering } = found;
  const variant = found.variant ?? leadingVariant(offering);
  const { priceMinor, compareAtPriceMinor, availability } = found.variant ?? offering;
  const domains = domainsOf(services, shop.organizationKey);
  const page = productUrl(shop, offering, domains);
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
  const { domain, storefront, checkoutUrlTemplate: template, ucpEndpoint } = shop;
  const own = ownLink(offering.checkoutUrl, domains);
  if (own !== null) return { url: own, method: 'payment_link' };
  const filled = template === null ? null : ownLink(fromTemplate(template, found), domains);
  if (filled !== null) return { url: filled, method: 'template' };
  const endpoint = variant === null ? null : ownLink(ucpEndpoint, domains);
  if (endpoint !== null)
    return {
      url: `${endpoint}/${encodeURIComponent(variant!.id)}:${QUANTITY}`,
      method: 'ucp_permalink',
    };
  if (domain === null) return null;
  if (storefront === 'shopify' && variant !== null && isNumber(variant.id))
    return { url: `https://${domain}/cart/${variant.id}:${QUANTITY}`, method: 'shopify_cart' };
  if (storefront === 'woo' && isNumber(variant?.id ?? offering.externalId))
    return {
      url: `https://${domain}/checkout-link/?products=${variant?.id ?? offering.externalId}:${QUANTITY}`,
      method: 'woo_checkout_link',
    };
  return null;
}
