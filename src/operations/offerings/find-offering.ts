import type { Offering, Variant } from '../../domain/catalog.ts';
import { isUuid } from '../../domain/ids.ts';
import type { Shop } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import {
  findAlias,
  findItemById,
  findOfferingByReference,
  type ReferencedOffering,
} from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';
import { domainsOf } from './offering-links.ts';

/** The result of a lookup. */
export interface FoundOffering {
  readonly id: string;
  readonly shop: Shop;
  readonly offering: Offering;
  /** The referenced variant; null if the reference names the whole offering. */
  readonly variant: Variant | null;
}

/** Parameters of an address that may name an offering. */
const PARAMETERS_MAX = 5;

/** A product or variant id as Shopify's APIs write it. */
const SHOPIFY_ID = /^gid:\/\/shopify\/\w+\/(\d+)$/;

/**
 * Finds the organization's offering by anything that a model may have seen: id, current or former
 * external id, variant id, SKU, slug or public URL. Null if there is no match. Never finds another
 * organization's offering.
 */
export async function findOffering(
  services: BaseServices,
  organizationKey: number,
  reference: string,
): Promise<FoundOffering | null> {
  const { db, directory } = services;
  const text = reference.trim();
  const stored =
    (isUuid(text) ? await findById(services, organizationKey, text) : null) ??
    (await findOfferingByReference(
      db,
      organizationKey,
      namesOf(text, domainsOf(services, organizationKey)),
    )) ??
    (await findByAlias(services, organizationKey, text));
  if (stored === null) return null;
  const { id, shopKey, offering, variantId } = stored;
  const variant = offering.variants.find((candidate) => candidate.id === variantId) ?? null;
  return { id, shop: directory.shop(shopKey), offering, variant };
}

async function findById(
  { db }: BaseServices,
  organizationKey: number,
  id: string,
): Promise<ReferencedOffering | null> {
  const found = await findItemById(db, organizationKey, id);
  if (found?.item.type !== 'product') return null;
  return { id: found.id, shopKey: found.shopKey, offering: found.item, variantId: null };
}

async function findByAlias(
  services: BaseServices,
  organizationKey: number,
  externalId: string,
): Promise<ReferencedOffering | null> {
  const id = await findAlias(services.db, organizationKey, externalId);
  return id === null ? null : findById(services, organizationKey, id);
}

/**
 * The forms in which the text may be stored, most likely first. An address of the organization itself may
 * have been made of a template or by its storefront, from a name in its query or at the end of its path.
 */
function namesOf(text: string, domains: readonly string[]): string[] {
  const [, shopifyId] = SHOPIFY_ID.exec(text) ?? [];
  if (shopifyId !== undefined) return [shopifyId, text];
  const address = /^https?:\/\//i.test(text) ? parseWebUrl(text) : null;
  if (address === null) return [text];
  const url = new URL(address);
  const variant = url.searchParams.get('variant');
  const parameters = [...url.searchParams.values()].slice(0, PARAMETERS_MAX);
  url.hash = '';
  const exact = url.href;
  url.search = '';
  const names = [exact, url.href].map((name) => name.replace(/\/+$/, ''));
  const given = variant === null ? [] : [variant];
  if (domains.length === 0 || ownLink(address, domains) === null) return [...given, ...names];
  return [...given, ...names, ...parameters, ...lastOfPath(url)];
}

function lastOfPath({ pathname }: URL): string[] {
  const last = pathname.split('/').findLast((part) => part !== '');
  // URLSearchParams decodes as decodeURIComponent does, but never throws.
  const encoded = last?.replaceAll('+', '%2B').replaceAll('&', '%26');
  return encoded === undefined ? [] : [...new URLSearchParams(`name=${encoded}`).values()];
}
