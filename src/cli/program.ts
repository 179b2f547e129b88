import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { AppError, type ErrorCode } from '../domain/errors.ts';
import { catalogCommand } from './catalog.ts';
import type { Cli } from './cli.ts';
import { configCommand } from './config.ts';
import { demoCommand } from './demo.ts';
import { evalCommand } from './eval.ts';
import { hitsCommand } from './hits.ts';
import { initCommand } from './init.ts';
import { auditCommand, keyCommand } from './keys.ts';
import { landingCommand } from './landing.ts';
import { mcpCommand } from './mcp.ts';
import { orgCommand, shopCommand } from './organizations.ts';
import { searchCommand } from './search.ts';
import { isAddressInUse, serveCommand } from './serve.ts';

/** From sysexits.h where it has a fitting one. Complete by construction. */
const EXIT_CODES: Record<ErrorCode, number> = {
  missing_parameter: 64,
  invalid_input: 64,
  cursor_expired: 64,
  too_large: 65,
  unsupported_media_type: 65,
  not_found: 66,
  session_required: 64,
  session_not_found: 66,
  unavailable: 69,
  rate_limited: 69,
  internal: 70,
  conflict: 73,
  idempotency_key_reused: 64,
  damaged: 74,
  already_running: 75,
  unauthorized: 77,
  forbidden: 77,
  method_not_allowed: 64,
  not_initialized: 78,
};

const BAD_CONFIGURATION = 78;
const INTERNAL = 70;

/** The command line: `vitrine <command> …`. */
export function createProgram(cli: Cli, version: string): Command {
  const program = new Command('vitrine')
    .description('Puts a product catalogue in front of AI assistants and of your own programs.')
    .version(version)
    .option('--data <folder>', 'data folder (default: ./vitrine-data, or VITRINE_DATA)')
    .option('--json', 'print results as JSON')
    .showHelpAfterError('(run with --help for the options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.print(text.trimEnd()),
      writeErr: (text) => cli.note(text),
    });
  const commands = [
    initCommand(cli),
    serveCommand(cli),
    catalogCommand(cli),
    searchCommand(cli),
    orgCommand(cli),
    shopCommand(cli),
    keyCommand(cli),
    hitsCommand(cli),
    auditCommand(cli),
    landingCommand(cli),
    mcpCommand(cli),
    configCommand(cli),
    evalCommand(cli),
    demoCommand(cli),
  ];
  for (const command of commands) program.addCommand(inherit(command, program));
  return program;
}

/** What went wrong, in one line for a person and one number for a program. */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof AppError)
    return { message: error.message, exitCode: EXIT_CODES[error.code] };
  if (error instanceof ConfigError) return { message: error.message, exitCode: BAD_CONFIGURATION };
  if (isAddressInUse(error))
    return {
      message: 'Another program is listening on that address: choose one with --listen.',
      exitCode: EXIT_CODES.unavailable,
    };
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    exitCode: INTERNAL,
  };
}

/** `--data`, `--json`, `--org` and `--shop` may stand behind every command too. */
function inherit(command: Command, program: Command): Command {
  command.copyInheritedSettings(program);
  const has = (flag: string) => command.options.some(({ long }) => long === flag);
  if (command.commands.length === 0) {
    if (!has('--data')) command.option('--data <folder>', 'data folder');
    if (!has('--json')) command.option('--json', 'print results as JSON');
    if (!has('--org'))
      command.option('--org <organization>', 'id or slug; the only one there is if left out');
    if (!has('--shop'))
      command.option('--shop <shop>', 'id or handle; the only one there is if left out');
  }
  for (const child of command.commands) inherit(child, program);
  return command;
}
