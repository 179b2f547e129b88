import { Command, InvalidArgumentError, Option } from 'commander';
import { SCOPES, type Scope } from '../domain/api-key.ts';
import {
  type ApiKeyView,
  createApiKey,
  listApiKeys,
  listAuditEntries,
  revokeApiKey,
  rotateApiKey,
} from '../operations/tenants/api-keys.ts';
import type { GrantView } from '../operations/tenants/grants.ts';
import {
  bold,
  type Cli,
  type CommonOptions,
  defined,
  organizationOf,
  printResult,
} from './command/cli.ts';
import { parseDuration } from './command/duration.ts';
import { wholeNumber } from './command/numbers.ts';
import { operate } from './command/operator.ts';
import { table } from './command/table.ts';

interface KeyOptions extends CommonOptions {
  readonly name?: string;
  readonly scopes?: Scope[];
  readonly expires?: string;
  readonly overlap: number;
  readonly limit: number;
}

export function keyCommand(cli: Cli): Command {
  const create = new Command('create')
    .description('create a key; it is shown only once')
    .option('--name <name>', 'purpose of the key')
    .option(
      '--scopes <list>',
      `comma-separated: ${SCOPES.join(', ')} (default: all but catalog)`,
      parseScopes,
    )
    .option('--expires <date>', 'expiry date, such as 2027-01-31')
    .addHelpText('after', '\nExample:\n  vitrine key create --name website --scopes search,hits')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>();
      const { name, scopes, expires: expiresAt } = options;
      const input = { ...organizationOf(options), ...defined({ name, scopes, expiresAt }) };
      const created = await operate(cli, options, createApiKey, input);
      printResult(
        cli,
        options,
        created,
        (_, width) =>
          `API key, shown only now: ${bold(created.apiKey)}\n\n${renderKeys([created], width)}`,
      );
    });
  const list = new Command('list')
    .description(
      'list the keys of an organization without their secrets, and the assistants that were signed in',
    )
    .addHelpText('after', '\nExample:\n  vitrine key list')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>();
      printResult(
        cli,
        options,
        await operate(cli, options, listApiKeys, organizationOf(options)),
        renderKeys,
      );
    });
  const rotate = new Command('rotate')
    .argument('<id>', 'the twelve characters after vk_')
    .description('create a successor; the old key works until the overlap ends')
    .addOption(
      new Option('--overlap <time>', 'how long the old key stays valid, such as 24h, 30m or 0s')
        .argParser(parseDuration)
        .default(24 * 3_600_000, '24h'),
    )
    .addHelpText('after', '\nExample:\n  vitrine key rotate 4fT0aZ81kQpx --overlap 24h')
    .action(async (id: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>();
      const input = { ...organizationOf(options), id, overlapMs: options.overlap };
      const created = await operate(cli, options, rotateApiKey, input);
      printResult(cli, options, created, () => `API key, shown only now: ${bold(created.apiKey)}`);
    });
  const revoke = new Command('revoke')
    .argument('<id>', 'the twelve characters after vk_, or the id of a sign-in')
    .description('revoke a key, or end a sign-in, immediately')
    .addHelpText('after', '\nExample:\n  vitrine key revoke 4fT0aZ81kQpx')
    .action(async (id: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>();
      const revoked = await operate(cli, options, revokeApiKey, { ...organizationOf(options), id });
      printResult(cli, options, revoked, (view, width) => renderKeys([view], width));
    });
  const key = new Command('key').description('manage the API keys of an organization');
  for (const command of [create, list, rotate, revoke]) key.addCommand(command);
  return key;
}

export function auditCommand(cli: Cli): Command {
  return new Command('audit')
    .description('list operator actions, newest first')
    .option('--limit <count>', 'number of entries', wholeNumber(1, 1000), 50)
    .addHelpText('after', '\nExample:\n  vitrine audit --limit 20')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>();
      const entries = await operate(cli, options, listAuditEntries, {
        ...organizationOf(options),
        limit: options.limit,
      });
      printResult(cli, options, entries, (found, width) =>
        table(
          ['at', 'event', 'details'],
          found.map(({ at, event, details }) => [at, event, JSON.stringify(details)]),
          width,
        ),
      );
    });
}

function renderKeys(keys: readonly (ApiKeyView | GrantView)[], width: number): string {
  const rows = keys.map(({ kind, id, name, state, scopes, createdAt, expiresAt, lastUsedAt }) => [
    id,
    kind === 'key' ? name || '–' : `${name} (sign-in)`,
    state,
    scopes.join(','),
    createdAt,
    expiresAt ?? 'never',
    lastUsedAt ?? 'never',
  ]);
  return table(['id', 'name', 'state', 'scopes', 'created', 'expires', 'last used'], rows, width);
}

function parseScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${SCOPES.join(', ')}.`);
  return [...new Set(scopes)] as Scope[];
}
