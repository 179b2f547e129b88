import { existsSync, readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { parse } from 'smol-toml';
import {
  type Config,
  ConfigError,
  dataFiles,
  environmentName,
  flagName,
  isSecret,
  readConfig,
  SETTINGS,
  type SettingName,
} from '../../config.ts';
import type { Platform } from '../../platform.ts';

/** The process as a command sees it. Tests replace it. */
export interface Cli {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runtime and version: `Bun 1.4.5`. */
  readonly runtime: string;
  /** What starts this program: an absolute path, and the arguments that precede its commands. */
  readonly command: readonly string[];
  readonly clock: Pick<Platform, 'now' | 'monotonicMs' | 'sleep'>;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly stop: AbortSignal;
  /** Writes a line to stdout: results. */
  print(text: string): void;
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Writes text to stderr: progress and remarks. */
  note(text: string): void;
  /** Whether a person can answer a question: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal on which a line can be redrawn. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Width that tables keep to: the terminal's, or none if a program reads stdout line by line. */
  readonly tableWidth: number;
  /** Sets the exit code of an outcome that is neither success nor error. */
  setExitCode(code: number): void;
}

/** Options common to all commands. */
export interface CommonOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly logLevel?: string;
  readonly org?: string;
  readonly shop?: string;
}

/** The data folder: `--data`, `VITRINE_DATA`, or `./vitrine-data`. */
function dataFolderOf(cli: Cli, { data }: CommonOptions): string {
  return data ?? cli.environment['VITRINE_DATA'] ?? './vitrine-data';
}

/** The configuration of a command; `options` holds the flags given. Throws `ConfigError`. */
export function configOf(cli: Cli, options: CommonOptions & object): Config {
  const dataFolder = dataFolderOf(cli, options);
  const given = options as Readonly<Record<string, unknown>>;
  const flags: Record<string, string> = {};
  const environment = { ...cli.environment };
  for (const name of Object.keys(SETTINGS)) {
    const flag = given[isSecret(name) ? `${name}File` : name];
    if (typeof flag === 'string')
      flags[name] = isSecret(name) ? readSecret(`--${flagName(name)}`, flag) : flag;
    const variable = environmentName(name);
    const path = isSecret(name) ? environment[`${variable}_FILE`] : undefined;
    if (path !== undefined) environment[variable] ??= readSecret(`${variable}_FILE`, path);
  }
  return readConfig({
    dataFolder,
    flags,
    environment,
    file: readSettings(dataFiles(dataFolder).settings),
  });
}

/**
 * A secret from a file, which is how containers and systemd provide secrets. Throws `ConfigError`.
 */
export function readSecret(givenAs: string, path: string): string {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
  } catch {
    throw new ConfigError(`Bad configuration:\n  ${givenAs}: ${path} cannot be read`);
  }
  throw new ConfigError(`Bad configuration:\n  ${givenAs}: ${path} is empty`);
}

/** The values that must not appear in the log. */
export function secretsOf({ spelled }: Config): string[] {
  return (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => isSecret(name) && spelled[name] !== '')
    .map((name) => spelled[name]);
}

function readSettings(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(
      `Bad configuration:\n  vitrine.toml: ${(error as Error).message.split('\n')[0]}`,
    );
  }
}

/** Prints a result as JSON with `--json`, otherwise as `render` formats it for tables of `width`. */
export function printResult<Result>(
  cli: Cli,
  { json }: CommonOptions,
  result: Result,
  render: (result: Result, width: number) => string,
): void {
  cli.print(json === true ? JSON.stringify(result, null, 2) : render(result, cli.tableWidth));
}

export function bold(text: string): string {
  return styleText('bold', text);
}

export function dim(text: string): string {
  return styleText('dim', text);
}

/** The organization that `--org` names, as operations take it. */
export function organizationOf({ org }: CommonOptions): { organization?: string } {
  return org === undefined ? {} : { organization: org };
}

/** The organization and shop that `--org` and `--shop` name, as operations take them. */
export function shopOf(options: CommonOptions): { organization?: string; shop?: string } {
  const { shop } = options;
  return { ...organizationOf(options), ...(shop === undefined ? {} : { shop }) };
}

/** Adds one flag per setting. Help lists them for `serve` alone, because there are forty. */
export function withSettings(command: Command): Command {
  const isListed = command.name() === 'serve';
  for (const [name, { description, fallback }] of Object.entries(SETTINGS)) {
    const flag = `--${flagName(name)} <${isSecret(name) ? 'path' : 'value'}>`;
    const text = fallback === '' ? description : `${description} (default: ${fallback})`;
    command.addOption(new Option(flag, text).hideHelp(!isListed));
  }
  return isListed
    ? command
    : command.addHelpText(
        'after',
        '\nEach setting of the service is an option, too: see "vitrine serve --help".',
      );
}

/** A copy without the members that are undefined. */
export function defined<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as never;
}
