import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { dataFiles, localUrl, signInUrl } from '../config.ts';
import { AppError } from '../domain/errors.ts';
import type { CheckedStep } from '../mcp/check.ts';
import { ASSISTANTS, type Assistant } from '../operations/assistants/assistant.ts';
import {
  type AssistantSetup,
  assistantSetup,
  publicEndpoint,
} from '../operations/assistants/assistant-setup.ts';
import { noSuchOrganization } from '../operations/tenants/absent-tenants.ts';
import { listOrganizations, type OrganizationView } from '../operations/tenants/organizations.ts';
import { type ApiKeyOptions, addApiKeyOptions, apiKeyOf } from './command/api-key.ts';
import {
  type Cli,
  type CommonOptions,
  configOf,
  organizationOf,
  printResult,
} from './command/cli.ts';
import { operate } from './command/operator.ts';
import { converseOverStdio } from './mcp-stdio.ts';

/** Time limit for all checks together. */
const CHECK_TIMEOUT_MS = 60_000;

const FAILED = 1;

interface McpOptions extends CommonOptions, ApiKeyOptions {}

export function mcpCommand(cli: Cli): Command {
  return new Command('mcp')
    .description('connect AI assistants and check the connection')
    .addCommand(stdioCommand(cli))
    .addCommand(configCommand(cli))
    .addCommand(checkCommand(cli));
}

function stdioCommand(cli: Cli): Command {
  return new Command('stdio')
    .description('serve an assistant on this machine over standard input and output')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine mcp stdio --data /srv/vitrine\n\nThe assistant starts this command; "vitrine mcp config claude-desktop" prints the configuration.',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      await converseOverStdio(cli, options, organizationOf(options));
    });
}

function configCommand(cli: Cli): Command {
  const command = new Command('config')
    .addArgument(new Argument('<assistant>').choices(ASSISTANTS))
    .description('print what to paste into an assistant');
  return addApiKeyOptions(command, 'to include; a placeholder if none is given')
    .option('--public-url <url>', 'address at which the assistant reaches the service')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine mcp config claude-code --api-key-file key.txt\n\nExit code: 0 if there is a way in, 1 if not.',
    )
    .action(async (assistant: Assistant, _options: object, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      const setup = await setupOf(cli, options, assistant);
      printResult(cli, options, setup, renderSetup);
      if (setup.obstacle !== null) cli.setExitCode(FAILED);
    });
}

async function setupOf(
  cli: Cli,
  options: McpOptions,
  assistant: Assistant,
): Promise<AssistantSetup> {
  const config = configOf(cli, options);
  const base = config.publicUrl ?? localUrl(config.listen);
  const hasData = config.databaseUrl !== null || existsSync(dataFiles(config.dataFolder).database);
  const organizations = hasData ? await operate(cli, options, listOrganizations, {}) : [];
  const organization = meantBy(options, organizations);
  // A key in the environment is for commands. It is printed only if someone asks for it.
  const isKeyGiven = (options.apiKey ?? options.apiKeyFile) !== undefined;
  const isPublic = organization?.publicAssistants.isOn === true;
  return assistantSetup(assistant, {
    url: `${base}/mcp`,
    publicUrl: isPublic ? publicEndpoint(base, organization) : null,
    canSignIn: signInUrl(config) !== null && !isPublic,
    apiKey: isKeyGiven ? apiKeyOf(cli, options) : null,
    local: hasData ? { program: cli.command, dataFolder: resolve(config.dataFolder) } : null,
    organization: organizations.length > 1 ? organization!.slug : null,
    toolSets: organization?.toolSets ?? [],
  });
}

/** The organization that `--org` names, or the only one; null if there is none to look at. */
function meantBy(
  { org }: McpOptions,
  organizations: readonly OrganizationView[],
): OrganizationView | null {
  const named = org?.toLowerCase();
  const meant = organizations.filter(
    ({ id, slug }) => named === undefined || named === id || named === slug,
  );
  if (meant.length > 1)
    throw new AppError('invalid_input', 'Several organizations: name one with --org.');
  if (meant.length === 0 && organizations.length > 0) throw noSuchOrganization(`${org}`);
  return meant[0] ?? null;
}

function renderSetup({ steps, remarks, obstacle }: AssistantSetup): string {
  if (obstacle !== null)
    return `${obstacle.reason}\nThis command opens a way:\n\n${obstacle.command}`;
  const shown = steps.map(({ where, paste }) => `${where}\n\n${paste}`);
  return [...shown, ...(remarks.length > 0 ? [remarks.join('\n')] : [])].join('\n\n');
}

function checkCommand(cli: Cli): Command {
  const check = new Command('check')
    .argument('<url>', 'address of the service, with or without /mcp')
    .description('check everything that an assistant does, and say how to fix each failure');
  return addApiKeyOptions(check, 'for the check; without one, as a customer’s assistant')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine mcp check https://catalogue.shop.example --api-key-file key.txt',
    )
    .action(async (address: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      const apiKey = apiKeyOf(cli, options);
      const signal = AbortSignal.any([cli.stop, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
      // The MCP client is large, and only this command needs it.
      const { checkServer } = await import('../mcp/check.ts');
      const steps: CheckedStep[] = [];
      for await (const step of checkServer({ url: endpointOf(address), apiKey, signal })) {
        steps.push(step);
        if (options.json !== true) cli.print(renderStep(step));
      }
      if (options.json === true) cli.print(JSON.stringify(steps, null, 2));
      if (steps.some(({ ok }) => !ok)) cli.setExitCode(FAILED);
    });
}

function endpointOf(address: string): URL {
  if (!URL.canParse(address) || !/^https?:\/\//i.test(address))
    throw new AppError('invalid_input', 'The address must begin with http:// or https://.');
  const url = new URL(address);
  if (!/\/mcp(?:\/|$)/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/mcp`;
  return url;
}

function renderStep({ name, ok, detail, hint }: CheckedStep): string {
  const shown = detail.length > 100 ? `${detail.slice(0, 99)}…` : detail;
  const line = `${ok ? 'ok  ' : 'fail'}  ${name}: ${shown}`;
  return hint === null ? line : `${line}\n      ${hint}`;
}
