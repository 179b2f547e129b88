import type { Offering, Variant } from '../../domain/catalog.ts';
import { fillTemplate } from '../../domain/link-template.ts';
import type { Shop } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { leadingVariant } from '../../domain/variants.ts';
import type { BaseServices } from '../base-services.ts';

/** The quantity in a new checkout. */
export const QUANTITY = 1;

/** An offering and where it is sold: everything that its links are made of. */
export interface Linked {
  readonly id: string;
  readonly shop: Pick<Shop, 'domain' | 'storefront' | 'productUrlTemplate'>;
  readonly offering: LinkedOffering;
  /** The variant that is meant; if none, templates use the leading one. */
  readonly variant?: Variant | null;
}

export type LinkedOffering = Pick<
  Offering,
  'externalId' | 'slug' | 'sku' | 'publicUrl' | 'variants' | 'priceMinor'
>;

/**
 * The offering's page: the URL from the catalogue if it belongs to the organization, otherwise the shop's
 * template, otherwise the URL that its storefront is known to answer. Null if none of them is known.
 */
export function productUrl(linked: Linked, domains: readonly string[]): string | null {
  const { shop, offering } = linked;
  const { productUrlTemplate: template } = shop;
  const own = ownLink(offering.publicUrl, domains);
  if (own !== null) return own;
  const filled = template === null ? null : ownLink(fromTemplate(template, linked), domains);
  return filled ?? storefrontUrl(shop, offering);
}

function storefrontUrl(
  { domain, storefront }: Linked['shop'],
  { externalId, slug }: LinkedOffering,
): string | null {
  if (domain === null) return null;
  const name = slug === null ? null : encodeURIComponent(slug);
  if (storefront === 'shopify') return name && `https://${domain}/products/${name}`;
  if (storefront !== 'woo') return null;
  // WordPress redirects it to the page, whatever the shop calls the folder of its products.
  if (isNumber(externalId)) return `https://${domain}/?p=${externalId}`;
  return name && `https://${domain}/product/${name}/`;
}

/** The offering's page, with a variant preselected if the storefront supports it. */
export function variantUrl(
  { storefront }: Linked['shop'],
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

/** By an organization's shops, which become another list whenever one of them changes. */
const DOMAINS = new WeakMap<readonly Shop[], readonly string[]>();

/**
 * The hosts that `ownLink` accepts as the organization's own. The same list until a shop changes, so that
 * callers can cache links with it.
 */
export function domainsOf(
  { directory }: Pick<BaseServices, 'directory'>,
  organizationKey: number,
): readonly string[] {
  const shops = directory.shopsOf(organizationKey);
  let domains = DOMAINS.get(shops);
  if (domains === undefined) {
    domains = [...new Set(shops.flatMap((shop) => domainsOfShop(shop)))];
    DOMAINS.set(shops, domains);
  }
  return domains;
}

export function domainsOfShop({ domain, furtherDomains }: Shop): string[] {
  return [...(domain === null ? [] : [domain]), ...furtherDomains];
}

/** A shop's template filled in for an offering; null if the offering lacks a required value. */
export function fromTemplate(
  template: string,
  { id, shop, offering, variant = null }: Linked,
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
