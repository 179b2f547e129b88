import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Config, dataFiles } from '../config.ts';
import { AppError } from '../domain/errors.ts';
import { commandForPublicUrl } from '../operations/assistants/assistant-setup.ts';
import { SILENT } from '../operations/define-operation.ts';
import { readInput, runOperation } from '../operations/run-operation.ts';
import { createApiKey } from '../operations/tenants/api-keys.ts';
import {
  checkNewOrganization,
  createOrganization,
  type OrganizationView,
  setOrganization,
} from '../operations/tenants/organizations.ts';
import { systemPlatform } from '../platform.ts';
import { isInitialised, openServices } from '../services.ts';
import {
  bold,
  type Cli,
  type CommonOptions,
  configOf,
  defined,
  printResult,
} from './command/cli.ts';
import { agrees } from './command/confirm.ts';
import { publicAssistantsOption } from './organizations.ts';

interface InitOptions extends CommonOptions {
  readonly org: string;
  readonly currency: string;
  readonly slug?: string;
  readonly locale?: string;
  readonly domain?: string;
  readonly publicAssistants?: 'on' | 'off';
  readonly publicUrl?: string;
}

const PUBLIC_QUESTION = `Customers’ assistants (ChatGPT, Claude, Gemini) have no key. They can be answered without one:
they then see what your shop’s own site shows, products, prices and policies, and nothing else.
They share a rate limit of their own. “vitrine org set --public-assistants on|off” changes it.
Answer customers’ assistants without a key?`;

export function initCommand(cli: Cli): Command {
  return new Command('init')
    .description('create the data folder, the first organization, its shop and its API key')
    .requiredOption('--org <name>', 'name of the organization')
    .option('--currency <code>', 'ISO 4217 code of its shop', 'USD')
    .option('--slug <slug>', 'short name for URLs (default: derived from the name)')
    .option('--locale <tag>', 'language of its shop', 'en')
    .option('--domain <host>', 'host name of its shop, used in product links')
    .addOption(publicAssistantsOption())
    .option(
      '--public-url <url>',
      'https address at which assistants reach it; kept in vitrine.toml',
    )
    .addHelpText(
      'after',
      '\nExample:\n  vitrine init --org "Acme" --currency EUR --domain shop.example',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<InitOptions>();
      const config = configOf(cli, options);
      // Before anything is created, or upgraded to this version's schema.
      if (await isInitialised(config)) throw alreadyInitialised(config);
      refuseSecondUrl(config, options);
      const { org: name, currency, slug, locale, domain } = options;
      const input = { name, currency, ...defined({ slug, locale, domain }) };
      checkNewOrganization(readInput(createOrganization, input));
      const services = await openServices({
        config,
        platform: systemPlatform('error'),
        create: true,
        note: cli.note,
        embedder: null,
      });
      try {
        // An organization may be on a database server, or in a write-ahead log that has no checkpoint yet.
        if (services.directory.organizations().length > 0) throw alreadyInitialised(config);
        const created = await runOperation(services, createOrganization, input, SILENT);
        const publicAssistants = await wantsPublicAssistants(cli, options);
        const organization = publicAssistants
          ? await runOperation(services, setOrganization, { publicAssistants }, SILENT)
          : created;
        const { apiKey } = await runOperation(
          services,
          createApiKey,
          { name: 'first key' },
          SILENT,
        );
        if (options.publicUrl !== undefined) keepUrl(config);
        printResult(cli, options, { organization, apiKey }, (made) => render(made, config));
      } finally {
        await services.close();
      }
    });
}

function render(
  { organization, apiKey }: { organization: OrganizationView; apiKey: string },
  config: Config,
): string {
  const { name, slug, id, shops, publicAssistants } = organization;
  const [shop] = shops;
  return [
    `${bold(name)} is ready in ${config.dataFolder}: organization "${slug}" (${id}), shop "${shop!.handle}".`,
    '',
    `API key (shown only once): ${bold(apiKey)}`,
    `Prices that name no currency are ${shop!.currency}: "vitrine shop set --currency CODE" changes that.`,
    '',
    publicAssistants.isOn
      ? 'Public assistants are on: customers’ assistants are answered without a key.'
      : 'Public assistants are off: an assistant needs a key.',
    '',
    'Next:',
    ...nextCommands(config, publicAssistants.isOn).map((line) => `  ${line}`),
  ].join('\n');
}

function keepUrl({ dataFolder, publicUrl }: Config): void {
  appendFileSync(dataFiles(dataFolder).settings, `public_url = "${publicUrl}"\n`, { mode: 0o600 });
}

function alreadyInitialised({ dataFolder }: Config): AppError {
  return new AppError(
    'conflict',
    `${dataFolder} is already initialised. To add an organization, run "vitrine org create".`,
  );
}

/** Throws `conflict` if the settings already name the address that is to be added to them. */
function refuseSecondUrl({ dataFolder }: Config, { publicUrl }: InitOptions): void {
  const { settings } = dataFiles(dataFolder);
  if (publicUrl === undefined || !existsSync(settings)) return;
  if (/^\s*public_url\s*=/m.test(readFileSync(settings, 'utf8')))
    throw new AppError('conflict', `${settings} already names a public_url: change it there.`);
}

/** The way from here to a first assistant. */
function nextCommands({ publicUrl, dataFolder }: Config, publicAssistants: boolean): string[] {
  const needsUrl = publicAssistants && publicUrl === null;
  return [
    'vitrine catalog import FILE',
    ...(needsUrl ? [commandForPublicUrl(resolve(dataFolder))] : []),
    'vitrine serve',
    `vitrine mcp config ${publicAssistants ? 'chatgpt' : 'claude-code'}`,
  ];
}

/** As the option says, else as the person at the terminal does, else no. */
async function wantsPublicAssistants(
  cli: Cli,
  { publicAssistants, json }: InitOptions,
): Promise<boolean> {
  if (publicAssistants !== undefined) return publicAssistants === 'on';
  return cli.canAsk && json !== true && (await agrees(cli, PUBLIC_QUESTION));
}
