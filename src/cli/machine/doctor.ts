import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { type Config, dataFiles } from '../../config.ts';
import { type Check, type CheckResult, fail, ok, warn } from '../../domain/check-result.ts';
import { AppError } from '../../domain/errors.ts';
import { withWorkFolder } from '../../operations/upkeep/back-up-database.ts';
import {
  DATA_CHECKS,
  lookAtSchema,
  lookAtServerSchema,
} from '../../operations/upkeep/examine-data.ts';
import { socketPath } from '../../operator/socket-path.ts';
import { type Platform, systemPlatform } from '../../platform.ts';
import type { Services } from '../../services.ts';
import { openServices } from '../../services.ts';
import {
  bold,
  type Cli,
  type CommonOptions,
  configOf,
  dim,
  printResult,
  withSettings,
} from '../command/cli.ts';
import { describeFailure } from '../command/failure.ts';
import { findServiceUrl, isListening } from '../command/operator.ts';
import { wrapped } from '../command/table.ts';
import { copyDatabase } from './database-copy.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';

const DATABASE = 'database';

/** Exit code when something fails. */
const FAILING = 1;

export interface Line extends CheckResult {
  readonly name: string;
}

export function doctorCommand(cli: Cli): Command {
  return withSettings(new Command('doctor'))
    .description('check data, machine and network, and say how to fix each problem')
    .addHelpText(
      'after',
      `
It works whether the service runs or not, because it checks a copy of the database file. Run it with
the settings of the service. With VITRINE_API_KEY, it also opens a stream through the public address.

Example:
  vitrine doctor --public-url https://shop.example

Exit code: 0 nothing fails, 1 something does.`,
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const config = configOf(cli, options);
      const platform = systemPlatform('error');
      const socket = socketPath(config.dataFolder);
      const isServing = await isListening(socket);
      const machine = {
        config,
        platform,
        isServing,
        servesAt: isServing ? await findServiceUrl(socket) : null,
        apiKey: cli.environment['VITRINE_API_KEY'] ?? null,
      };
      const lines = [
        ...(await look(MACHINE_CHECKS, machine)),
        ...(await lookAtData(config, platform)),
      ];
      printResult(cli, options, { isWell: !lines.some(isFailing), checks: lines }, () =>
        render(lines, cli.tableWidth),
      );
      if (lines.some(isFailing)) cli.setExitCode(FAILING);
    });
}

async function lookAtData(config: Config, platform: Platform): Promise<Line[]> {
  const lines: Line[] = [];
  try {
    if (config.databaseUrl !== null) return await lookAtServer(config, platform);
    if (!existsSync(dataFiles(config.dataFolder).database))
      throw new AppError('not_initialized', `There is no database in ${config.dataFolder}.`);
    // Checks a copy, so that a running service neither waits nor shares its file.
    await withWorkFolder(join(config.dataFolder, 'doctor.partial'), async ({ copy }) => {
      await copyDatabase(config, copy);
      lines.push({ name: 'schema', ...(await lookAtSchema(copy)) });
      const copied = { ...config, dataFolder: dirname(copy) };
      const services = await openServices({ config: copied, platform, create: false });
      try {
        await services.db.check();
        lines.push({ name: DATABASE, ...ok('every page is intact') });
        lines.push(...(await look(DATA_CHECKS, services as Services)));
      } finally {
        await services.close();
      }
    });
  } catch (error) {
    lines.push({ name: DATABASE, ...fail(firstLineOf(error), adviceFor(error, config)) });
    const unseen = warn('not checked', 'repair the database first');
    lines.push(...DATA_CHECKS.map(({ name }) => ({ name, ...unseen })));
  }
  return lines;
}

function adviceFor(error: unknown, { dataFolder, databaseUrl }: Config): string {
  if (databaseUrl !== null) return 'check the server, database_url and database_auth_token';
  if (!existsSync(dataFiles(dataFolder).database))
    return 'run "vitrine init", or name the folder with --data';
  return error instanceof AppError && error.code !== 'damaged'
    ? 'fix that problem, then run doctor again'
    : 'stop the service and restore a backup with "vitrine restore FILE"';
}

/** Checks a database server without creating or migrating anything there. */
async function lookAtServer(config: Config, platform: Platform): Promise<Line[]> {
  const { databaseUrl, databaseAuthToken: authToken, dataFolder, publicUrl } = config;
  const url = databaseUrl!;
  const startedMs = platform.monotonicMs();
  const schema = await lookAtServerSchema({ url, authToken });
  const tookMs = Math.ceil(platform.monotonicMs() - startedMs);
  const instances =
    publicUrl === null
      ? warn('each puts its own address in links', 'set the same public_url for all')
      : ok(`all of them put ${publicUrl} in links`);
  const lines = [
    { name: 'schema', ...schema },
    { name: DATABASE, ...ok(`${url} answers in ${tookMs} ms`) },
    { name: 'instances', ...instances },
  ];
  if (schema.state !== 'ok') return lines;
  return withWorkFolder(join(dataFolder, 'doctor.partial'), async ({ path }) => {
    const beside = { ...config, dataFolder: path, bootstrapOrg: '' };
    const services = await openServices({ config: beside, platform, create: false });
    try {
      return [...lines, ...(await look(DATA_CHECKS, services as Services))];
    } finally {
      await services.close();
    }
  });
}

function firstLineOf(error: unknown): string {
  return describeFailure(error).message.split('\n')[0]!;
}

async function look<Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { name, look: lookAt } of checks) {
    try {
      lines.push({ name, ...(await lookAt(subject)) });
    } catch (error) {
      lines.push({ name, ...fail(firstLineOf(error), 'make this check possible') });
    }
  }
  return lines;
}

function isFailing({ state }: Line): boolean {
  return state === 'fail';
}

function render(lines: readonly Line[], tableWidth: number): string {
  const width = Math.max(...lines.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 8);
  const hanging = (text: string, first: string, further: string) =>
    wrapped(text, tableWidth - indent.length - first.length)
      .map((part, at) => (at === 0 ? first : `${indent}${further}`) + part)
      .join('\n');
  const shown = lines.flatMap(({ name, state, message, advice }) => [
    `${state === 'ok' ? 'ok  ' : bold(state)}  ${name.padEnd(width)}  ${hanging(message, '', '')}`,
    ...(advice === null ? [] : [dim(`${indent}${hanging(advice, '→ ', '  ')}`)]),
  ]);
  const failing = lines.filter(isFailing).length;
  const count = (state: CheckResult['state']) =>
    lines.filter((line) => line.state === state).length;
  const sum = failing === 0 ? 'no failures' : `${failing} failed`;
  const warnings = count('warn') === 1 ? '1 warning' : `${count('warn')} warnings`;
  return [...shown, '', `${count('ok')} ok, ${warnings}, ${sum}`].join('\n');
}
