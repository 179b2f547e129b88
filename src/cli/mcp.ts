import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { dataFiles } from '../config.ts';
import { AppError } from '../domain/errors.ts';
import type { CheckedStep } from '../mcp/check.ts';
import {
  ASSISTANTS,
  type Assistant,
  assistantSetup,
  publicEndpoint,
} from '../operations/assistants/assistant-setup.ts';
import { listOrganizations } from '../operations/tenants/organizations.ts';
import { organizationOf } from './catalog/catalog.ts';
import { type Cli, type CommonOptions, configOf, printResult } from './command/cli.ts';
import { operate } from './command/operator.ts';
import { converseOverStdio } from './mcp-stdio.ts';

/** Time limit for all checks together. */
const CHECK_TIMEOUT_MS = 60_000;

const FAILED = 1;

interface McpOptions extends CommonOptions {
  readonly apiKey?: string;
}

export function mcpCommand(cli: Cli): Command {
  return new Command('mcp')
    .description('connect AI assistants, and check the connection')
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
  return new Command('config')
    .addArgument(new Argument('<assistant>').choices(ASSISTANTS))
    .description('print the configuration to paste into an assistant')
    .option('--api-key <key>', 'API key to include (default: a placeholder)')
    .option('--public-url <url>', 'address at which the assistant reaches the service')
    .addHelpText('after', '\nExample:\n  vitrine mcp config claude-code --api-key "$KEY"')
    .action(async (assistant: Assistant, _options: object, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      const config = configOf(cli, options);
      const { hostname, port } = config.listen;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      const base = (config.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '');
      const setup = assistantSetup(assistant, {
        url: `${base}/mcp`,
        publicUrl: await publicUrlOf(cli, options, base),
        apiKey: options.apiKey ?? null,
        dataFolder: resolve(config.dataFolder),
        organization: options.org ?? null,
      });
      printResult(cli, options, setup, ({ where, paste, remarks }) =>
        [where, '', paste, ...(remarks.length > 0 ? ['', ...remarks] : [])].join('\n'),
      );
    });
}

/**
 * Where the organization answers without a key; null where it does not, or where there are no data
 * to look at.
 */
async function publicUrlOf(cli: Cli, options: McpOptions, base: string): Promise<string | null> {
  const { dataFolder, databaseUrl } = configOf(cli, options);
  if (databaseUrl === null && !existsSync(dataFiles(dataFolder).database)) return null;
  const all = await operate(cli, options, listOrganizations, {});
  const named = options.org?.toLowerCase();
  const meant = all.filter(({ id, slug }) => named === undefined || named === id || named === slug);
  return meant.length === 1 && meant[0]!.publicAssistants.isOn
    ? publicEndpoint(base, meant[0]!)
    : null;
}

function checkCommand(cli: Cli): Command {
  return new Command('check')
    .argument('<url>', 'address of the service, with or without /mcp')
    .description('check everything that an assistant does, and say how to fix each failure')
    .option(
      '--api-key <key>',
      'API key for the check (default: VITRINE_API_KEY); without one, as a customer’s assistant',
    )
    .addHelpText(
      'after',
      '\nExample:\n  vitrine mcp check https://catalogue.shop.example --api-key "$KEY"',
    )
    .action(async (address: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      const apiKey = options.apiKey ?? cli.environment['VITRINE_API_KEY'] ?? null;
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
