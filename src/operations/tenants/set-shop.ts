import Type, { type Static } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { templateFault } from '../../domain/link-template.ts';
import { type Shop, STOREFRONTS } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { forgetValidators } from '../../storage/catalog/catalog-sources.ts';
import { type ShopChanges, updateShop } from '../../storage/organizations.ts';
import { defineOperation } from '../define-operation.ts';
import { domainsOf, domainsOfShop } from '../offerings/offering-links.ts';
import {
  checkName,
  commit,
  Name,
  OrganizationReference,
  parseCurrency,
  parseDomain,
  parseLocale,
  resolveOrganization,
  resolveShop,
  viewShop,
} from './organizations.ts';
import type { TenantServices } from './tenant-services.ts';

/** Most additional host names of a shop. */
const FURTHER_DOMAINS_MAX = 20;

const Link = Type.Optional(Type.String({ description: 'Empty for none.' }));

const Input = Type.Object({
  organization: OrganizationReference,
  shop: Type.Optional(
    Type.String({ description: 'Id or handle; may be omitted if there is only one.' }),
  ),
  name: Type.Optional(Name),
  domain: Type.Optional(Type.String()),
  locale: Type.Optional(Type.String()),
  currency: Type.Optional(
    Type.String({ description: 'ISO 4217 code for prices without a currency.' }),
  ),
  storefront: Type.Optional(Type.Enum([...STOREFRONTS])),
  furtherDomains: Type.Optional(Type.Array(Type.String(), { maxItems: FURTHER_DOMAINS_MAX })),
  bookingUrlTemplate: Link,
  checkoutUrlTemplate: Link,
  ucpEndpoint: Link,
});

export const setShop = defineOperation({
  name: 'shop.set',
  input: Input,
  /**
   * Changes the given settings and checks every link of the shop against its resulting domains. A new
   * currency applies from the next import on. Existing items keep their currency.
   * Throws `invalid_input`.
   */
  async run(services: TenantServices, input) {
    const organization = resolveOrganization(services, input.organization);
    const shop = resolveShop(services, organization, input.shop);
    const changes = readChanges(input);
    if (Object.keys(changes).length === 0)
      throw new AppError('invalid_input', 'There is nothing to set.');
    checkLinks(services, shop, changes);
    const statements = [updateShop(services.db, shop.key, changes)];
    // Otherwise an unchanged file would not be read again and would keep the old currency.
    if (changes.currency !== undefined && changes.currency !== shop.currency)
      statements.push(forgetValidators(services.db, shop.key));
    await commit(services, statements, {
      organizationId: organization.id,
      event: 'shop.changed',
      details: { handle: shop.handle, ...changes },
    });
    return viewShop(services.directory.shop(shop.key));
  },
});

function readChanges(input: Static<typeof Input>): ShopChanges {
  const { name, domain, locale, currency, storefront, furtherDomains } = input;
  const { bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } = input;
  if (name !== undefined) checkName(name);
  const changes = {
    name: name?.trim(),
    domain: domain === undefined ? undefined : parseDomain(domain),
    locale: locale === undefined ? undefined : parseLocale(locale),
    currency: currency === undefined ? undefined : parseCurrency(currency),
    storefront,
    furtherDomains: furtherDomains?.map(parseDomain),
    bookingUrlTemplate: orNone(bookingUrlTemplate),
    checkoutUrlTemplate: orNone(checkoutUrlTemplate),
    ucpEndpoint: orNone(ucpEndpoint),
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as ShopChanges;
}

function orNone(text: string | undefined): string | null | undefined {
  const trimmed = text?.trim().replace(/\/+$/, '');
  return trimmed === '' ? null : trimmed;
}

/** Throws if a link would lead buyers to a host outside the shop's domains after the changes. */
function checkLinks(services: TenantServices, shop: Shop, changes: ShopChanges): void {
  const changed = { ...shop, ...changes };
  const others = domainsOf(services, shop.organizationKey).filter(
    (domain) => !domainsOfShop(shop).includes(domain),
  );
  const domains = [...new Set([...domainsOfShop(changed), ...others])];
  const { domain, bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } = changed;
  const templates = [
    ['booking URL template', bookingUrlTemplate],
    ['checkout URL template', checkoutUrlTemplate],
  ] as const;
  for (const [what, template] of templates) {
    if (template === null) continue;
    const fault =
      domain === null && template.includes('{domain}')
        ? 'needs a shop with a domain: set one with --domain'
        : templateFault(template, domains);
    if (fault !== null) throw new AppError('invalid_input', `The ${what} ${fault}.`);
  }
  if (ucpEndpoint === null) return;
  if (
    domains.length === 0 ||
    !/^https:\/\/[^?#]+$/.test(ucpEndpoint) ||
    ownLink(ucpEndpoint, domains) === null
  ) {
    throw new AppError(
      'invalid_input',
      `The UCP endpoint must be an https address at ${domains.join(' or ') || 'a domain of the shop: set one with --domain'}, without a query.`,
    );
  }
}
