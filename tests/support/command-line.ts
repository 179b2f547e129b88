import { mkdirSync } from 'node:fs';
import { CommanderError } from 'commander';
import type { Cli } from '../../src/cli/command/cli.ts';
import { describeFailure } from '../../src/cli/command/failure.ts';
import { createProgram } from '../../src/cli/program.ts';
import { dataFiles } from '../../src/config.ts';
import { systemPlatform } from '../../src/platform.ts';
import { copyNewDatabase } from './new-database.ts';
import type { Finished } from './processes.ts';

export interface CommandLineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
  readonly canAsk?: boolean;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** Standard input. */
  readonly input?: string | AsyncIterable<Uint8Array>;
  readonly clock?: Cli['clock'];
  /** Receives output to stderr as it is written. */
  onNote?(text: string): void;
}

const CLOCK = systemPlatform('error');

/** A process without a terminal, input or environment. */
export const SILENT: Cli = {
  environment: {},
  runtime: 'Bun 0',
  command: ['/usr/local/bin/vitrine'],
  clock: CLOCK,
  input: async function* () {},
  stop: new AbortController().signal,
  print: () => undefined,
  note: () => undefined,
  canAsk: false,
  isTerminal: false,
  columns: 80,
  tableWidth: 80,
  setExitCode: () => undefined,
};

/** Runs a command in this process, as `main.ts` would: the real command line with streams that the test controls. */
export async function vitrine(
  args: readonly string[],
  options: CommandLineOptions = {},
): Promise<Finished> {
  const { environment = {}, stop = new AbortController().signal, onNote } = options;
  const { canAsk = false, isTerminal = false, columns = 100, input = '', clock = CLOCK } = options;
  let stdout = '';
  let stderr = '';
  let exitCode = 0;
  const note = (text: string) => {
    stderr += text;
    onNote?.(text);
  };
  const cli: Cli = {
    environment,
    runtime: 'Bun 0',
    command: SILENT.command,
    clock,
    stop,
    print(text) {
      stdout += `${text}\n`;
    },
    input: async function* () {
      if (typeof input === 'string') yield new TextEncoder().encode(input);
      else yield* input;
    },
    note,
    canAsk,
    isTerminal,
    columns,
    tableWidth: options.columns ?? Number.POSITIVE_INFINITY,
    setExitCode(code) {
      exitCode = code;
    },
  };
  try {
    await createProgram(cli, '0.0.0').parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? 0 : 64;
    else {
      const failure = describeFailure(error);
      note(`vitrine: ${failure.message}\n`);
      exitCode = failure.exitCode;
    }
  }
  return { exitCode, stdout, stderr };
}

/** The output of a command with `--json`. Throws its error message if it fails. */
export async function vitrineJson<Result>(...args: readonly string[]): Promise<Result> {
  const { exitCode, stdout, stderr } = await vitrine([...args, '--json']);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
  return JSON.parse(stdout) as Result;
}

/**
 * The output of `vitrine init` in `folder`, which holds an empty database already: running every
 * migration would take two thirds of its time.
 */
export async function initializeFolder<Result>(
  folder: string,
  ...args: readonly string[]
): Promise<Result> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await copyNewDatabase(dataFiles(folder).database);
  return vitrineJson<Result>('init', ...args, '--data', folder);
}
