import { Command, InvalidArgumentError, Option } from 'commander';
import { PLACEHOLDERS } from '../domain/link-template.ts';
import { type RateLimit, STOREFRONTS, type Storefront } from '../domain/organization.ts';
import {
  createOrganization,
  createShop,
  listOrganizations,
  listShops,
  type OrganizationView,
  type ShopView,
  setOrganization,
} from '../operations/tenants/organizations.ts';
import { setShop } from '../operations/tenants/set-shop.ts';
import { organizationOf } from './catalog/catalog.ts';
import { type Cli, type CommonOptions, defined, printResult, table } from './command/cli.ts';
import { operate } from './command/operator.ts';

const PLACEHOLDER_HELP = PLACEHOLDERS.map((name) => `{${name}}`).join(' ');

/** After a change of currency: no stored amount is converted or relabelled. */
const CURRENCY_NOTE =
  'Prices imported so far keep their currency: import files whose prices name none again.\n';

interface OrgOptions extends CommonOptions {
  readonly name?: string;
  readonly slug?: string;
  readonly currency?: string;
  readonly locale?: string;
  readonly domain?: string;
  readonly handle?: string;
  readonly ratePerMinute?: number;
  readonly burst?: number;
  readonly unlimited?: boolean;
  readonly publicAssistants?: 'on' | 'off';
  readonly publicRatePerMinute?: number;
  readonly publicBurst?: number;
  readonly description?: string;
  readonly contactEmail?: string;
  readonly contactPhone?: string;
  readonly address?: string;
  readonly openingHours?: string;
  readonly storefront?: Storefront;
  readonly furtherDomains?: string;
  readonly bookingUrlTemplate?: string;
  readonly checkoutUrlTemplate?: string;
  readonly ucpEndpoint?: string;
}

export function orgCommand(cli: Cli): Command {
  const create = new Command('create')
    .argument('<name>')
    .description('add an organization with a default shop')
    .option('--currency <code>', 'ISO 4217 code of its shop', 'USD')
    .option('--slug <slug>', 'short name for addresses')
    .option('--locale <tag>', 'language of its shop')
    .option('--domain <host>', 'host name of its shop')
    .addHelpText('after', '\nExample:\n  vitrine org create "Harbour" --currency EUR')
    .action(async (name: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { currency = 'USD', slug, locale, domain } = options;
      const organization = await operate(cli, options, createOrganization, {
        name,
        currency,
        ...defined({ slug, locale, domain }),
      });
      printResult(cli, options, organization, (created) => renderOrganizations([created]));
    });
  const list = new Command('list')
    .description('list every organization with its shops')
    .addHelpText('after', '\nExample:\n  vitrine org list --json')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      printResult(
        cli,
        options,
        await operate(cli, options, listOrganizations, {}),
        renderOrganizations,
      );
    });
  return new Command('org')
    .description('organizations')
    .addCommand(create)
    .addCommand(list)
    .addCommand(setOrganizationCommand(cli));
}

function setOrganizationCommand(cli: Cli): Command {
  return new Command('set')
    .description(
      'change name, rate limits, public assistants or what the landing page says, at once; "" takes a line back',
    )
    .option('--name <name>', 'its new name')
    .option('--rate-per-minute <count>', 'requests per minute', parseCount)
    .option('--burst <count>', 'requests allowed in a burst', parseCount)
    .option('--unlimited', 'remove the rate limit')
    .addOption(publicAssistantsOption())
    .option('--public-rate-per-minute <count>', 'requests a minute without a key', parseCount)
    .option('--public-burst <count>', 'requests at once without a key', parseCount)
    .option('--description <text>', 'one or two sentences about the shop and what it sells')
    .option('--contact-email <address>', 'email address for customers')
    .option('--contact-phone <number>', 'phone number for customers')
    .option('--address <text>', 'postal address')
    .option('--opening-hours <text>', 'opening hours')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine org set --rate-per-minute 1200 --burst 200\n  vitrine org set --public-assistants on',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { name, ratePerMinute, burst, unlimited, description } = options;
      const { publicAssistants, publicRatePerMinute, publicBurst } = options;
      const { contactEmail, contactPhone, address, openingHours } = options;
      const input = {
        ...organizationOf(options),
        ...defined({ name, ratePerMinute, burst, unlimited, description }),
        ...defined({ contactEmail, contactPhone, address, openingHours }),
        ...defined({ publicRatePerMinute, publicBurst }),
        ...(publicAssistants && { publicAssistants: publicAssistants === 'on' }),
      };
      printResult(cli, options, await operate(cli, options, setOrganization, input), (changed) =>
        renderOrganizations([changed]),
      );
    });
}

export function shopCommand(cli: Cli): Command {
  const create = new Command('create')
    .argument('<name>')
    .description('add a shop to an organization')
    .requiredOption('--currency <code>', 'ISO 4217 code')
    .option('--handle <handle>', 'short name for addresses')
    .option('--locale <tag>', 'language')
    .option('--domain <host>', 'host name, for product links')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine shop create "Acme UK" --currency GBP --domain uk.acme.example',
    )
    .action(async (name: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { currency = '', handle, locale, domain } = options;
      const input = {
        ...organizationOf(options),
        name,
        currency,
        ...defined({ handle, locale, domain }),
      };
      printResult(cli, options, await operate(cli, options, createShop, input), (shop) =>
        renderShops([shop]),
      );
    });
  const list = new Command('list')
    .description('shops of an organization')
    .addHelpText('after', '\nExample:\n  vitrine shop list')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      printResult(
        cli,
        options,
        await operate(cli, options, listShops, organizationOf(options)),
        renderShops,
      );
    });
  return new Command('shop')
    .description('shops of an organization')
    .addCommand(create)
    .addCommand(list)
    .addCommand(setShopCommand(cli));
}

function setShopCommand(cli: Cli): Command {
  return new Command('set')
    .argument('[shop]', 'id or handle; may be omitted if there is only one')
    .description('change the name, domain, language, currency or link templates of a shop')
    .option('--name <name>', 'its new name')
    .option('--domain <host>', 'host name, for product links')
    .option('--locale <tag>', 'language')
    .option('--currency <code>', 'ISO 4217 code for prices without a currency')
    .addOption(
      new Option(
        '--storefront <kind>',
        'shop software, which decides product and cart links',
      ).choices(STOREFRONTS),
    )
    .option(
      '--further-domains <hosts>',
      'additional hosts for checkout and booking links, comma-separated',
    )
    .option('--booking-url-template <url>', `booking link of a service, with ${PLACEHOLDER_HELP}`)
    .option(
      '--checkout-url-template <url>',
      'checkout link of one product, with the same placeholders',
    )
    .option('--ucp-endpoint <url>', 'address of the Universal Commerce Protocol checkout')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine shop set --currency EUR\n  vitrine shop set shop-1 --domain shop.acme.example --storefront shopify\n  vitrine shop set shop-1 --booking-url-template "https://{domain}/book?item={slug}"\n\nAn empty value removes a template or an endpoint.',
    )
    .action(async (shop: string | undefined, _options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { name, domain, locale, currency, storefront, furtherDomains } = options;
      const { bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } = options;
      const input = {
        ...organizationOf(options),
        ...defined({ shop: shop ?? options.shop }),
        ...defined({ name, domain, locale, currency, storefront }),
        ...defined({ bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint }),
        ...defined({
          furtherDomains: furtherDomains?.split(',').filter((host) => host.trim() !== ''),
        }),
      };
      printResult(cli, options, await operate(cli, options, setShop, input), (changed) =>
        renderShops([changed]),
      );
      if (currency !== undefined) cli.note(CURRENCY_NOTE);
    });
}

function renderOrganizations(organizations: readonly OrganizationView[]): string {
  const told = ({ perMinute, burst }: RateLimit) => `${perMinute}/min, burst ${burst}`;
  const rows = organizations.map(({ slug, name, id, rateLimit, publicAssistants, shops }) => [
    slug,
    name,
    id,
    rateLimit === 'unlimited' ? rateLimit : told(rateLimit),
    publicAssistants.isOn ? told(publicAssistants.rateLimit) : 'off',
    shops.map(({ handle, currency }) => `${handle} (${currency})`).join(', '),
  ]);
  return table(['slug', 'name', 'id', 'rate limit', 'public assistants', 'shops'], rows);
}

function renderShops(shops: readonly ShopView[]): string {
  const rows = shops.map(({ handle, name, id, currency, locale, domain }) => [
    handle,
    name,
    id,
    currency,
    locale,
    domain ?? '–',
  ]);
  return table(['handle', 'name', 'id', 'currency', 'language', 'domain'], rows);
}

/** Of `org set` and of `init`. */
export function publicAssistantsOption(): Option {
  return new Option(
    '--public-assistants <on|off>',
    'whether customers’ assistants are answered without a key',
  ).choices(['on', 'off']);
}

function parseCount(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
