#!/usr/bin/env bun
import { CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Cli } from './cli/command/cli.ts';
import { describeFailure } from './cli/command/failure.ts';
import { createProgram } from './cli/program.ts';
import { runtimeName, systemPlatform } from './platform.ts';

/** Exit code of a wrong command line (EX_USAGE). */
const USAGE = 64;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

// The reader may close the pipe: `vitrine search … | head` is not a failure.
process.stdout.on('error', () => process.exit());

const platform = systemPlatform('error');

const cli: Cli = {
  environment: process.env,
  runtime: runtimeName(),
  command: platform.ownCommand,
  clock: platform,
  stop: stopping.signal,
  print: (text) => void process.stdout.write(`${text}\n`),
  input: () => process.stdin,
  note: (text) => void process.stderr.write(text),
  canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  isTerminal: process.stderr.isTTY === true,
  columns: process.stdout.columns ?? 100,
  tableWidth: process.stdout.columns ?? Number.POSITIVE_INFINITY,
  setExitCode: (code) => {
    process.exitCode = code;
  },
};

try {
  await createProgram(cli, packageJson.version).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else {
    const { message, exitCode } = describeFailure(error);
    cli.note(`vitrine: ${message}\n`);
    process.exitCode = exitCode;
  }
}
// Bun calls back for an empty write while a slow reader still lacks most of what came before it.
await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
// Model threads and client sockets must not keep a finished command alive.
process.exit();
