import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Static, TObject } from 'typebox';
import packageJson from '../../package.json' with { type: 'json' };
import { sampleFiles } from '../assets/sample-files.ts';
import { formatNamed } from '../catalog/formats.ts';
import type { CatalogRow } from '../catalog/record/reader.ts';
import type { Config } from '../config.ts';
import type { Offering } from '../domain/catalog.ts';
import { slugify } from '../domain/organization.ts';
import { SAMPLE_PICTURES_PATH, samplePictureRoutes } from '../http/sample-pictures.ts';
import { assistantSetup } from '../operations/assistants/assistant-setup.ts';
import { type OperatorOperation, SILENT } from '../operations/define-operation.ts';
import { catalogStats } from '../operations/imports/catalog-stats.ts';
import { type ImportSummary, importCatalog } from '../operations/imports/import-catalog.ts';
import { jsonBlocks } from '../operations/imports/json-blocks.ts';
import { runOperation } from '../operations/run-operation.ts';
import { searchForOperator } from '../operations/search/search-for-operator.ts';
import { createApiKey } from '../operations/tenants/api-keys.ts';
import { createOrganization } from '../operations/tenants/organizations.ts';
import { setShop } from '../operations/tenants/set-shop.ts';
import { type Platform, systemPlatform } from '../platform.ts';
import { type OpenServices, openServices } from '../services.ts';
import { embeddingProgress } from './catalog/catalog-stats.ts';
import { bold, type Cli, configOf, dim, withSettings } from './command/cli.ts';
import { isAddressInUse } from './command/failure.ts';
import { startProgress } from './command/progress.ts';
import { renderSearch } from './search.ts';
import { type RunningService, startService, untilStopped } from './serve.ts';

const ORGANIZATION = { name: 'Harbour & Pine', currency: 'EUR', domain: 'shop.example.com' };
/** Where its services can be booked. */
const FURTHER_DOMAINS = ['book.example.com'];

const QUESTION = 'a waterproof jacket under 150 euros';

const POLL_MS = 100;

export function demoCommand(cli: Cli): Command {
  return withSettings(new Command('demo'))
    .description(
      'load the sample catalogue into a temporary folder, serve it, and ask it a question',
    )
    .option('--once', 'stop after the answer')
    .addHelpText('after', '\nExample:\n  vitrine demo')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<{
        once?: boolean;
        listen?: string;
        logLevel?: string;
      }>();
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-demo-'));
      try {
        const quiet = { logLevel: 'warn', opsListen: '127.0.0.1:0', ...options };
        // Temporary data never goes to a database server.
        const thrownAway = { ...quiet, data: folder, databaseUrl: '' };
        const config = configOf(cli, thrownAway);
        await runDemo(cli, config, options);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
}

async function runDemo(
  cli: Cli,
  config: Config,
  { once, listen }: { once?: boolean; listen?: string },
): Promise<void> {
  const platform = systemPlatform(config.logLevel);
  const services = await openServices({ config, platform, create: true });
  try {
    await show(cli, services, {
      config,
      platform,
      once: once === true,
      isChosen: listen !== undefined,
    });
  } finally {
    await services.close();
  }
}

interface Show {
  readonly config: Config;
  readonly platform: Platform;
  readonly once: boolean;
  /** Whether the user chose this address. */
  readonly isChosen: boolean;
}

async function show(
  cli: Cli,
  services: OpenServices,
  { config, platform, once, isChosen }: Show,
): Promise<void> {
  const { shops } = await run(services, createOrganization, ORGANIZATION);
  await run(services, setShop, { shop: shops[0]!.id, furtherDomains: FURTHER_DOMAINS });
  const { apiKey } = await run(services, createApiKey, { name: 'demo' });
  const pictured = new Map<string, Offering>();
  const start = (address: Config['listen']) =>
    startService(services, {
      config: { ...config, listen: address },
      platform,
      further: [samplePictureRoutes((slug) => pictured.get(slug) ?? null)],
    });
  const service = await startOnFreePort(config, { start, isChosen });
  const offerings = await importSample(services, {
    source: 'offerings.jsonl',
    rows: offeringRows(service.url, pictured),
  });
  const contexts = await importSample(services, { source: 'contexts', rows: contextRows() });
  cli.print(
    `${bold(ORGANIZATION.name)}: ${offerings.new} offerings and ${contexts.new} contexts loaded.`,
  );
  await untilEmbedded(cli, services);
  const answer = await run(services, searchForOperator, {
    question: QUESTION,
    productsOnly: false,
    skipScoring: false,
    limit: 5,
  });
  cli.print(`\n${renderSearch(answer, { explain: true, columns: cli.columns })}\n`);
  cli.print(nextSteps(cli, service, apiKey));
  if (!once) {
    const link = services.adminSessions.createLink();
    if (link !== null) cli.print(`\n${bold('Open the admin page:')}\n  ${link}`);
    cli.print(dim('\nServing until Ctrl-C. Nothing is kept.'));
    await untilStopped(cli);
  }
  await service.stop();
}

/**
 * Listens on the default address, or on any free port if the default is in use and the user chose
 * none.
 */
async function startOnFreePort(
  { listen }: Config,
  {
    start,
    isChosen,
  }: { start(address: Config['listen']): Promise<RunningService>; isChosen: boolean },
): Promise<RunningService> {
  try {
    return await start(listen);
  } catch (error) {
    if (isChosen || !isAddressInUse(error)) throw error;
    return start({ ...listen, port: 0 });
  }
}

async function* offeringRows(
  url: string,
  pictured: Map<string, Offering>,
): AsyncGenerator<CatalogRow> {
  const text = sampleFiles().offerings.replaceAll('"pictures/', `"${url}${SAMPLE_PICTURES_PATH}/`);
  for await (const row of readText('json-lines', { name: 'offerings.jsonl', text })) {
    if ('item' in row && row.item.type === 'product' && row.item.slug !== null)
      pictured.set(row.item.slug, row.item);
    yield row;
  }
}

async function* contextRows(): AsyncGenerator<CatalogRow> {
  for (const file of sampleFiles().contexts) yield* readText('markdown', file);
}

function readText(
  format: string,
  { name, text }: { name: string; text: string },
): AsyncIterable<CatalogRow> {
  const bytes = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  const { currency, domain } = ORGANIZATION;
  return formatNamed(format)!.read(
    { name, bytes },
    { currency, shopUrl: `https://${domain}`, now: 0 },
  );
}

function importSample(
  services: OpenServices,
  { source, rows }: { source: string; rows: AsyncIterable<CatalogRow> },
): Promise<ImportSummary> {
  const input = { source: `sample/${source}`, format: 'sample', dryRun: false };
  return runOperation(services, importCatalog, input, {
    lines: jsonBlocks(rows),
    emit: () => undefined,
  });
}

async function untilEmbedded(cli: Cli, services: OpenServices): Promise<void> {
  const progress = startProgress(cli);
  while (services.embeddings.isOn && !cli.stop.aborted) {
    const stats = await run(services, catalogStats, {});
    if (stats.embedded === stats.offerings + stats.contexts) break;
    progress.update({ ...embeddingProgress(stats), stage: 'indexing for search by meaning' });
    await cli.clock.sleep(POLL_MS, cli.stop);
  }
  progress.end();
}

function nextSteps({ command }: Cli, { url }: RunningService, apiKey: string): string {
  // From source, nothing has put the program on the PATH yet.
  const isCompiled = command.length === 1;
  const bun = packageJson.engines.bun.replace('>=', '');
  const claude = assistantSetup('claude-code', {
    url: `${url}/mcp`,
    publicUrl: null,
    canSignIn: false,
    apiKey,
    local: null,
    toolSets: [],
    organization: null,
  });
  return [
    bold('Query it from a program:'),
    `  curl -G ${url}/rest/search/v3/ -H 'X-API-Key: ${apiKey}' --data-urlencode 'q=rain jacket under 150'`,
    '',
    bold('Paste into a terminal to connect Claude (other assistants: vitrine mcp config --help):'),
    `  ${claude.steps[0]!.paste}`,
    '',
    bold('Read the page that assistants read:'),
    `  curl ${url}/rest/org/ai/${slugify(ORGANIZATION.name)}/ -H 'X-API-Key: ${apiKey}'`,
    '',
    bold('Your own catalogue:'),
    ...(isCompiled ? [] : [`  npx -y bun@${bun} run build && export PATH="$PWD/dist:$PATH"`]),
    '  vitrine init --org "Acme" --currency EUR',
    '  vitrine catalog import products.csv',
    '  vitrine serve',
  ].join('\n');
}

function run<Input extends TObject, Output>(
  services: OpenServices,
  operation: OperatorOperation<Input, Output>,
  input: Static<Input>,
): Promise<Output> {
  return runOperation(services, operation, input, SILENT);
}
