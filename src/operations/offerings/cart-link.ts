import type { Offering, Variant } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { isNumber } from './offering-links.ts';

export interface CartLine {
  readonly offering: Pick<Offering, 'externalId'>;
  /** Null if the offering has none. */
  readonly variant: Pick<Variant, 'id'> | null;
  readonly quantity: number;
}

export interface CartLink {
  readonly url: string;
  readonly method: 'shopify_cart' | 'ucp_permalink' | 'woo_checkout_link';
}

/**
 * The link that opens the shop's checkout with these lines in it: of its UCP endpoint, else of its
 * storefront. Null if the shop has no such link or one of the lines has no id that it knows.
 */
export function cartLink(
  { domain, storefront, ucpEndpoint }: Pick<Shop, 'domain' | 'storefront' | 'ucpEndpoint'>,
  lines: readonly CartLine[],
  domains: readonly string[],
): CartLink | null {
  const items = (idOf: (line: CartLine) => string | null): string | null => {
    const pairs = lines.flatMap((line) => {
      const id = idOf(line);
      return id === null ? [] : [`${id}:${line.quantity}`];
    });
    return pairs.length === lines.length ? pairs.join(',') : null;
  };
  const endpoint = ownLink(ucpEndpoint, domains);
  const ofUcp = items(({ variant }) => (variant === null ? null : permalinkToken(variant.id)));
  if (endpoint !== null && ofUcp !== null)
    return { url: `${endpoint}/${ofUcp}`, method: 'ucp_permalink' };
  const numbered = items(({ offering, variant }) => {
    // Shopify sells variants only; a simple product of WooCommerce has none.
    const id = variant?.id ?? (storefront === 'woo' ? offering.externalId : '');
    return isNumber(id) ? id : null;
  });
  if (domain === null || numbered === null) return null;
  if (storefront === 'shopify')
    return { url: `https://${domain}/cart/${numbered}`, method: 'shopify_cart' };
  if (storefront === 'woo')
    return {
      url: `https://${domain}/checkout-link/?products=${numbered}`,
      method: 'woo_checkout_link',
    };
  return null;
}

/** An item's id in the path of a UCP permalink, which takes no percent-encoding. */
function permalinkToken(id: string): string {
  return /^[\w.-]+$/.test(id) ? id : `~${Buffer.from(id).toString('base64url')}`;
}
