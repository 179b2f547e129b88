import { Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '../domain/errors.ts';
import { PLACEHOLDERS } from '../domain/link-template.ts';
import {
  type RateLimit,
  STOREFRONTS,
  type Storefront,
  TOOL_SETS,
  type ToolSet,
} from '../domain/organization.ts';
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
import {
  type Cli,
  type CommonOptions,
  defined,
  organizationOf,
  printResult,
  readSecret,
} from './command/cli.ts';
import { wholeNumber } from './command/numbers.ts';
import { operate } from './command/operator.ts';
import { table } from './command/table.ts';
import { deleteOrganizationCommand } from './delete-organization.ts';

const parseRate = wholeNumber(1, 1_000_000);

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
  readonly tools?: ToolSet[];
  readonly description?: string;
  readonly contactEmail?: string;
  readonly contactPhone?: string;
  readonly address?: string;
  readonly openingHours?: string;
  readonly storefront?: Storefront;
  readonly furtherDomains?: string;
  readonly productUrlTemplate?: string;
  readonly bookingUrlTemplate?: string;
  readonly checkoutUrlTemplate?: string;
  readonly ucpEndpoint?: string;
  readonly webhookSecret?: boolean;
  readonly webhookSecretFile?: string;
}

export function orgCommand(cli: Cli): Command {
  const create = new Command('create')
    .argument('<name>', 'its name, as assistants show it')
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
      printResult(cli, options, organization, (created, width) =>
        renderOrganizations([created], width),
      );
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
    .description('create, list, change and delete organizations')
    .addCommand(create)
    .addCommand(list)
    .addCommand(setOrganizationCommand(cli))
    .addCommand(deleteOrganizationCommand(cli));
}

function setOrganizationCommand(cli: Cli): Command {
  return new Command('set')
    .description(
      'change name, rate limits, public assistants, tools or landing page; takes effect at once',
    )
    .option('--name <name>', 'its new name')
    .option('--rate-per-minute <count>', 'requests per minute', parseRate)
    .option('--burst <count>', 'requests allowed in a burst', parseRate)
    .option('--unlimited', 'remove the rate limit')
    .addOption(publicAssistantsOption())
    .option('--public-rate-per-minute <count>', 'requests a minute without a key', parseRate)
    .option('--public-burst <count>', 'requests at once without a key', parseRate)
    .option(
      '--tools <sets>',
      `tools beyond the five, comma-separated: ${TOOL_SETS.join(', ')}; "" for none`,
      parseToolSets,
    )
    .option('--description <text>', 'one or two sentences about the shop and what it sells')
    .option('--contact-email <address>', 'email address for customers')
    .option('--contact-phone <number>', 'phone number for customers')
    .option('--address <text>', 'postal address')
    .option('--opening-hours <text>', 'opening hours')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine org set --rate-per-minute 1200 --burst 200\n  vitrine org set --public-assistants on\n  vitrine org set --tools chatgpt,cart\n\nAn empty value removes a line from the landing page.',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { name, ratePerMinute, burst, unlimited, description } = options;
      const { publicAssistants, publicRatePerMinute, publicBurst, tools } = options;
      const { contactEmail, contactPhone, address, openingHours } = options;
      const input = {
        ...organizationOf(options),
        ...defined({ name, ratePerMinute, burst, unlimited, description }),
        ...defined({ contactEmail, contactPhone, address, openingHours }),
        ...defined({ publicRatePerMinute, publicBurst, toolSets: tools }),
        ...(publicAssistants && { publicAssistants: publicAssistants === 'on' }),
      };
      printResult(
        cli,
        options,
        await operate(cli, options, setOrganization, input),
        (changed, width) => renderOrganizations([changed], width),
      );
    });
}

export function shopCommand(cli: Cli): Command {
  const create = new Command('create')
    .argument('<name>', 'its name, as assistants show it')
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
      printResult(cli, options, await operate(cli, options, createShop, input), (shop, width) =>
        renderShops([shop], width),
      );
    });
  const list = new Command('list')
    .description('list the shops of an organization')
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
    .description('create, list and change the shops of an organization')
    .addCommand(create)
    .addCommand(list)
    .addCommand(setShopCommand(cli));
}

function setShopCommand(cli: Cli): Command {
  return new Command('set')
    .argument('[shop]', 'id or handle; may be omitted if there is only one')
    .description('change name, domain, language, currency or link templates of a shop')
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
    .option('--product-url-template <url>', `page of one product, with ${PLACEHOLDER_HELP}`)
    .option('--booking-url-template <url>', 'booking link of a service, with the same placeholders')
    .option(
      '--checkout-url-template <url>',
      'checkout link of one product, with the same placeholders',
    )
    .option('--ucp-endpoint <url>', 'address of the Universal Commerce Protocol checkout')
    .option(
      '--webhook-secret',
      'take the secret that signs its webhooks from VITRINE_WEBHOOK_SECRET, or from standard input',
    )
    .option('--webhook-secret-file <file>', 'take it from a file')
    .option('--no-webhook-secret', 'take no more webhooks')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine shop set --currency EUR\n  vitrine shop set shop-1 --domain shop.acme.example --storefront shopify\n  vitrine shop set shop-1 --product-url-template "https://{domain}/item/{sku}"\n  vitrine shop set shop-1 --webhook-secret < secret.txt\n\nAn empty value removes a template or an endpoint.',
    )
    .action(async (shop: string | undefined, _options: object, command: Command) => {
      const options = command.optsWithGlobals<OrgOptions>();
      const { name, domain, locale, currency, storefront, furtherDomains } = options;
      const { productUrlTemplate, bookingUrlTemplate, checkoutUrlTemplate, ucpEndpoint } = options;
      const input = {
        ...organizationOf(options),
        ...defined({ shop: shop ?? options.shop }),
        ...defined({ name, domain, locale, currency, storefront }),
        ...defined({ webhookSecret: await readWebhookSecret(cli, options) }),
        ...defined({ productUrlTemplate, bookingUrlTemplate }),
        ...defined({ checkoutUrlTemplate, ucpEndpoint }),
        ...defined({
          furtherDomains: furtherDomains?.split(',').filter((host) => host.trim() !== ''),
        }),
      };
      printResult(cli, options, await operate(cli, options, setShop, input), (changed, width) =>
        renderShops([changed], width),
      );
      if (currency !== undefined) cli.note(CURRENCY_NOTE);
    });
}

/** Never an argument, which other users of the machine can see. Empty to remove it. */
async function readWebhookSecret(
  cli: Cli,
  { webhookSecret, webhookSecretFile: file }: OrgOptions,
): Promise<string | undefined> {
  if (file !== undefined) return readSecret('--webhook-secret-file', file);
  if (webhookSecret === undefined) return undefined;
  if (!webhookSecret) return '';
  const given = cli.environment['VITRINE_WEBHOOK_SECRET'];
  if (given !== undefined && given.trim() !== '') return given;
  const parts: Uint8Array[] = [];
  for await (const part of cli.input()) parts.push(part);
  const secret = Buffer.concat(parts).toString('utf8').trim();
  if (secret === '') throw new AppError('invalid_input', 'Standard input holds no secret.');
  return secret;
}

function renderOrganizations(organizations: readonly OrganizationView[], width: number): string {
  const told = ({ perMinute, burst }: RateLimit) => `${perMinute}/min, burst ${burst}`;
  const rows = organizations.map(
    ({ slug, name, id, rateLimit, publicAssistants, toolSets, shops }) => [
      slug,
      name,
      id,
      rateLimit === 'unlimited' ? rateLimit : told(rateLimit),
      publicAssistants.isOn ? told(publicAssistants.rateLimit) : 'off',
      toolSets.length === 0 ? '–' : toolSets.join(', '),
      shops.map(({ handle, currency }) => `${handle} (${currency})`).join(', '),
    ],
  );
  return table(
    ['slug', 'name', 'id', 'rate limit', 'public assistants', 'tool sets', 'shops'],
    rows,
    width,
  );
}

function renderShops(shops: readonly ShopView[], width: number): string {
  const rows = shops.map(({ handle, name, id, currency, locale, domain }) => [
    handle,
    name,
    id,
    currency,
    locale,
    domain ?? '–',
  ]);
  return table(['handle', 'name', 'id', 'currency', 'language', 'domain'], rows, width);
}

/** Of `org set` and of `init`. */
export function publicAssistantsOption(): Option {
  return new Option(
    '--public-assistants <on|off>',
    'whether customers’ assistants are answered without a key',
  ).choices(['on', 'off']);
}

/** `chatgpt,cart`; an empty text is no set. */
function parseToolSets(text: string): ToolSet[] {
  const names = text.split(',').map((name) => name.trim());
  const sets = TOOL_SETS.filter((set) => names.includes(set));
  if (names.every((name) => name === '' || sets.some((set) => set === name))) return sets;
  throw new InvalidArgumentError(`The sets are ${TOOL_SETS.join(', ')}.`);
}
