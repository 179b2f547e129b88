import type { CatalogItem, Offering } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { findVisibleBodies } from '../../storage/catalog/items.ts';
import type { BaseServices } from '../base-services.ts';
import { domainsOf, type LinkedOffering, productUrl } from './offering-links.ts';

/** Offerings that assistants can describe but not link to. */
export interface MissingAddress {
  readonly count: number;
  /** The name of one of them, with its external id: `Beanie (50)`. */
  readonly example: string;
  /** The command that gives it an address. Words in capitals are for the operator to replace. */
  readonly command: string;
}

/** Where organizations and shops are looked up. */
export type Placed = Pick<BaseServices, 'directory'>;

/** Offerings read at once: a few milliseconds. */
const PAGE_ROWS = 200;

/** Stands in for the domain of a shop that has none. */
const ANY_DOMAIN = 'shop.example';

/** `offering` must have no address. `host` is where the shop may be, if its own settings do not say. */
function commandForAddress(
  { directory }: Placed,
  shop: Shop,
  { offering, host }: { offering: LinkedOffering; host: string | null },
): string {
  const { handle, domain, organizationKey, furtherDomains } = shop;
  const isOnly = directory.organizations().length === 1;
  const organization = isOnly ? '' : ` --org ${directory.organization(organizationKey).slug}`;
  const command = `vitrine shop set ${handle}${organization}`;
  const known = offering.publicUrl === null ? host : hostOf(offering.publicUrl);
  if (domain !== null && offering.publicUrl !== null)
    return `${command} --further-domains ${[...furtherDomains, known ?? 'YOUR-DOMAIN'].join(',')}`;
  const withDomain = { ...shop, domain: domain ?? ANY_DOMAIN };
  const hasPage = productUrl({ id: '', shop: withDomain, offering }, []) !== null;
  const placeholder = offering.slug === null ? '{external_id}' : '{slug}';
  return [
    command,
    ...(domain === null ? [`--domain ${known ?? 'YOUR-DOMAIN'}`] : []),
    ...(hasPage ? [] : [`--product-url-template "https://{domain}/YOUR-PATH/${placeholder}"`]),
  ].join(' ');
}

/**
 * The host of an address; null if it has characters that no domain name has. An operator may paste it into
 * a shell, and a feed may name `$(reboot)`.
 */
export function hostOf(address: string): string | null {
  const { host } = new URL(address);
  return /^[a-z0-9.-]+(?::\d+)?$/.test(host) ? host : null;
}

/** Reads the whole catalogue of a shop. */
export async function findMissingAddresses(
  { db, directory, platform }: BaseServices,
  shop: Shop,
): Promise<{ total: number; missing: MissingAddress | null }> {
  const domains = domainsOf({ directory }, shop.organizationKey);
  let total = 0;
  let count = 0;
  let first: Offering | null = null;
  for (let after = ''; ; ) {
    const page = await findVisibleBodies(db, shop, { after, limit: PAGE_ROWS * db.batchFactor });
    if (page.length === 0) break;
    for (const { id, body } of page) {
      const offering = db.parse<CatalogItem>(body);
      if (offering?.type !== 'product') continue;
      total += 1;
      if (productUrl({ id, shop, offering }, domains) !== null) continue;
      count += 1;
      first ??= offering;
    }
    after = page.at(-1)!.id;
    await platform.yield();
  }
  if (first === null) return { total, missing: null };
  return { total, missing: describeMissing({ directory }, shop, { count, offering: first }) };
}

export function describeMissing(
  services: Placed,
  shop: Shop,
  {
    count,
    offering,
    host = null,
  }: { count: number; offering: LinkedOffering & Pick<Offering, 'name'>; host?: string | null },
): MissingAddress {
  const example = `${offering.name} (${offering.externalId})`;
  return { count, example, command: commandForAddress(services, shop, { offering, host }) };
}
