import type { Offering, Variant } from '../../domain/catalog.ts';
import { fillTemplate, isHostOf } from '../../domain/link-template.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Services } from '../services.ts';
import { leadingVariant } from './find-offering.ts';

/** How many of it a checkout begins with. */
export const QUANTITY = 1;

/** Where a person sees the offering: its own page, else where its storefront keeps it; null if nobody knows. */
export function productUrl(
  { domain, storefront }: Pick<Shop, 'domain' | 'storefront'>,
  { publicUrl, slug }: Pick<Offering, 'publicUrl' | 'slug'>,
): string | null {
  if (publicUrl !== null) return publicUrl;
  if (domain === null || slug === null || storefront === 'other') return null;
  const folder = storefront === 'shopify' ? 'products' : 'product';
  return `https://${domain}/${folder}/${encodeURIComponent(slug)}`;
}

/** Hosts that the organization's checkouts and bookings may be at. */
export function domainsOf({ directory }: Services, organizationKey: number): string[] {
  const shops = directory.shopsOf(organizationKey);
  return [...new Set(shops.flatMap((shop) => domainsOfShop(shop)))];
}

export function domainsOfShop({ domain, furtherDomains }: Shop): string[] {
  return [...(domain === null ? [] : [domain]), ...furtherDomains];
}

/**
 * Whether a link of the catalogue leads to the organization itself. Where no domain is known, there is
 * nothing to hold it against, and the operator's own catalogue is believed.
 */
export function isOwnLink(services: Services, organizationKey: number, url: string): boolean {
  const domains = domainsOf(services, organizationKey);
  return domains.length === 0 || isHostOf(new URL(url).host, domains);
}

/** A shop's template filled in for an offering; null when the offering lacks what it names. */
export function fromTemplate(
  template: string,
  {
    id,
    shop,
    offering,
    variant,
  }: { id: string; shop: Shop; offering: Offering; variant: Variant | null },
): string | null {
  const chosen = variant ?? leadingVariant(offering);
  return fillTemplate(template, {
    product_id: id,
    external_id: offering.externalId,
    variant_id: chosen?.id ?? null,
    sku: chosen?.sku ?? offering.sku,
    slug: offering.slug,
    domain: shop.domain,
    quantity: String(QUANTITY),
  });
}
