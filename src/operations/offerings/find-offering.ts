import type { Offering, Variant } from '../../domain/catalog.ts';
import { isUuid } from '../../domain/ids.ts';
import type { Shop } from '../../domain/organization.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import {
  findAlias,
  findItemById,
  findOfferingByReference,
  type ReferencedOffering,
} from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** An offering that somebody named. */
export interface FoundOffering {
  readonly id: string;
  readonly shop: Shop;
  readonly offering: Offering;
  /** The variant that was named; null when the offering as a whole was. */
  readonly variant: Variant | null;
}

/** As Shopify's own interfaces spell the id of a product or variant. */
const SHOPIFY_ID = /^gid:\/\/shopify\/\w+\/(\d+)$/;

/**
 * The organization's offering that `reference` names, whatever a model has seen of it: id, external
 * id (a former one too), variant id, SKU, slug, public URL. Null if it has none such; another
 * organization's is never found.
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
    (await findOfferingByReference(db, organizationKey, namesOf(text))) ??
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

/** What the text may be stored as, the likeliest first. */
function namesOf(text: string): string[] {
  const [, shopifyId] = SHOPIFY_ID.exec(text) ?? [];
  if (shopifyId !== undefined) return [shopifyId, text];
  const address = /^https?:\/\//i.test(text) ? parseWebUrl(text) : null;
  if (address === null) return [text];
  const url = new URL(address);
  const variant = url.searchParams.get('variant');
  url.hash = '';
  const exact = url.href;
  url.search = '';
  const names = [exact, url.href].map((name) => name.replace(/\/+$/, ''));
  return [...(variant === null ? [] : [variant]), ...names];
}
