import Type, { type Static } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { templateFault } from '../../domain/link-template.ts';
import { type Shop, STOREFRONTS } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { forgetValidators } from '../../storage/catalog/catalog-sources.ts';
import { saveWebhookSecret } from '../../storage/catalog/webhooks.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { type ShopChanges, updateShop } from '../../storage/organizations.ts';
import { defineOperation } from '../define-operation.ts';
import { domainsOf, domainsOfShop } from '../offerings/offering-links.ts';
import { commit } from './commit.ts';
import {
  checkName,
  Name,
  OrganizationReference,
  resolveOrganization,
  resolveShop,
  viewShop,
} from './organizations.ts';
import { parseCurrency, parseDomain, parseLocale } from './shop-fields.ts';
import type { TenantServices } from './tenant-services.ts';

/** Most additional host names of a shop. */
const FURTHER_DOMAINS_MAX = 20;

/** Characters of a webhook secret. */
const SECRET_LENGTH_MIN = 16;
const SECRET_LENGTH_MAX = 256;

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
  productUrlTemplate: Link,
  bookingUrlTemplate: Link,
  checkoutUrlTemplate: Link,
  ucpEndpoint: Link,
  webhookSecret: Type.Optional(
    Type.String({ description: 'Signs the webhooks of the shop’s system. Empty for none.' }),
  ),
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
    const secret = readWebhookSecret(input.webhookSecret);
    if (Object.keys(changes).length === 0 && secret === undefined)
      throw new AppError('invalid_input', 'There is nothing to set.');
    checkLinks(services, shop, changes);
    const statements: Statement[] = [];
    if (Object.keys(changes).length > 0)
      statements.push(updateShop(services.db, shop.key, changes));
    if (secret !== undefined)
      statements.push(saveWebhookSecret(shop.key, secret, services.platform.now()));
    // Otherwise an unchanged file would not be read again and would keep the old currency.
    if (changes.currency !== undefined && changes.currency !== shop.currency)
      statements.push(forgetValidators(services.db, shop.key));
    await commit(services, statements, {
      organization,
      event: 'shop.changed',
      details: {
        handle: shop.handle,
        ...changes,
        ...(secret === undefined ? {} : { webhookSecret: secret === null ? 'removed' : 'set' }),
      },
    });
    return viewShop(services.directory.shop(shop.key));
  },
});

function readChanges(input: Static<typeof Input>): ShopChanges {
  const { name, domain, locale, currency, storefront, furtherDomains } = input;
  const { productUrlTemplate, bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } = input;
  if (name !== undefined) checkName(name);
  const changes = {
    name: name?.trim(),
    domain: domain === undefined ? undefined : parseDomain(domain),
    locale: locale === undefined ? undefined : parseLocale(locale),
    currency: currency === undefined ? undefined : parseCurrency(currency),
    storefront,
    furtherDomains: furtherDomains?.map(parseDomain),
    productUrlTemplate: orNone(productUrlTemplate),
    bookingUrlTemplate: orNone(bookingUrlTemplate),
    checkoutUrlTemplate: orNone(checkoutUrlTemplate),
    ucpEndpoint: orNone(ucpEndpoint?.trim().replace(/\/+$/, '')),
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as ShopChanges;
}

/** Null to remove it, undefined to leave it. Throws `invalid_input` for one that can be guessed. */
function readWebhookSecret(text: string | undefined): string | null | undefined {
  const secret = text?.trim();
  if (secret === undefined) return undefined;
  if (secret === '') return null;
  if (secret.length >= SECRET_LENGTH_MIN && secret.length <= SECRET_LENGTH_MAX) return secret;
  throw new AppError(
    'invalid_input',
    `A webhook secret has ${SECRET_LENGTH_MIN} to ${SECRET_LENGTH_MAX} characters.`,
  );
}

function orNone(text: string | undefined): string | null | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? null : trimmed;
}

/** Throws if a link would lead buyers to a host outside the shop's domains after the changes. */
function checkLinks(services: TenantServices, shop: Shop, changes: ShopChanges): void {
  const changed = { ...shop, ...changes };
  const others = domainsOf(services, shop.organizationKey).filter(
    (domain) => !domainsOfShop(shop).includes(domain),
  );
  const domains = [...new Set([...domainsOfShop(changed), ...others])];
  const { domain, productUrlTemplate, bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } =
    changed;
  const templates = [
    ['product URL template', productUrlTemplate],
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
