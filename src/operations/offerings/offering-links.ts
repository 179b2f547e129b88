import type { Offering, Variant } from '../../domain/catalog.ts';
import { fillTemplate } from '../../domain/link-template.ts';
import type { Shop } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { leadingVariant } from '../../domain/variants.ts';
import type { BaseServices } from '../base-services.ts';

/** The quantity in a new checkout. */
export const QUANTITY = 1;

/**
 * The offering's page: the URL from the catalogue if it belongs to the organization, otherwise the URL
 * that its storefront derives from the slug. Null if neither is known.
 */
export function productUrl(
  { domain, storefront }: Pick<Shop, 'domain' | 'storefront'>,
  { publicUrl, slug }: Pick<Offering, 'publicUrl' | 'slug'>,
  domains: readonly string[],
): string | null {
  const own = ownLink(publicUrl, domains);
  if (own !== null) return own;
  if (domain === null || slug === null || storefront === 'other') return null;
  const folder = storefront === 'shopify' ? 'products' : 'product';
  return `https://${domain}/${folder}/${encodeURIComponent(slug)}`;
}

/** The offering's page, with a variant preselected if the storefront supports it. */
export function variantUrl(
  { storefront }: Pick<Shop, 'storefront'>,
  page: string,
  variant: Variant | null,
): string {
  if (storefront !== 'shopify' || variant === null || !isNumber(variant.id)) return page;
  const url = new URL(page);
  url.searchParams.set('variant', variant.id);
  return url.href;
}

/** Storefronts identify products and variants by number. Any other id comes from a feed that renamed them. */
export function isNumber(id: string): boolean {
  return /^\d{1,20}$/.test(id);
}

/** The hosts that `ownLink` accepts as the organization's own. */
export function domainsOf(
  { directory }: Pick<BaseServices, 'directory'>,
  organizationKey: number,
): string[] {
  const shops = directory.shopsOf(organizationKey);
  return [...new Set(shops.flatMap((shop) => domainsOfShop(shop)))];
}

export function domainsOfShop({ domain, furtherDomains }: Shop): string[] {
  return [...(domain === null ? [] : [domain]), ...furtherDomains];
}

/** A shop's template filled in for an offering; null if the offering lacks a required value. */
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
