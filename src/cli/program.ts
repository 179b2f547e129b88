import { Command } from 'commander';
import { adminCommand } from './admin.ts';
import { catalogCommand } from './catalog/catalog.ts';
import type { Cli } from './command/cli.ts';
import { wrapped } from './command/table.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { demoCommand } from './demo.ts';
import { evalCommand } from './eval/eval.ts';
import { judgementsCommand } from './eval/judgements.ts';
import { hitsCommand } from './hits/hits.ts';
import { initCommand } from './init.ts';
import { auditCommand, keyCommand } from './keys.ts';
import { landingCommand } from './landing.ts';
import { learnCommand } from './learn.ts';
import { backupCommand, restoreCommand } from './machine/backup.ts';
import { benchCommand } from './machine/bench.ts';
import { checkPagesCommand } from './machine/check-pages.ts';
import { doctorCommand } from './machine/doctor.ts';
import { systemdCommand } from './machine/systemd.ts';
import { mcpCommand } from './mcp.ts';
import { modelCommand } from './model/model.ts';
import { orgCommand, shopCommand } from './organizations.ts';
import { readyCommand } from './ready.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { tuneCommand } from './tune.ts';
import { versionCommand } from './version.ts';

const HELP_WIDTH = 80;

/** The command line: `vitrine <command> …`. */
export function createProgram(cli: Cli, version: string): Command {
  const program = new Command('vitrine')
    .description('Puts a product catalogue in front of AI assistants and your own programs.')
    .version(version)
    .option('--data <folder>', 'data folder (default: ./vitrine-data, or VITRINE_DATA)')
    .option('--json', 'print results as JSON')
    .showHelpAfterError('(run with --help for the options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.print(reflowed(text.trimEnd())),
      writeErr: (text) => cli.note(text),
    });
  const commands = [
    initCommand(cli),
    serveCommand(cli),
    readyCommand(cli),
    catalogCommand(cli),
    searchCommand(cli),
    tuneCommand(cli),
    learnCommand(cli),
    adminCommand(cli),
    orgCommand(cli),
    shopCommand(cli),
    keyCommand(cli),
    hitsCommand(cli),
    auditCommand(cli),
    landingCommand(cli),
    mcpCommand(cli),
    modelCommand(cli),
    configCommand(cli),
    doctorCommand(cli),
    backupCommand(cli),
    restoreCommand(cli),
    systemdCommand(cli),
    completionCommand(cli),
    judgementsCommand(cli),
    benchCommand(cli),
    evalCommand(cli),
    demoCommand(cli),
    versionCommand(cli, version),
  ];
  for (const command of commands) program.addCommand(inherit(command, program));
  program.addCommand(checkPagesCommand().copyInheritedSettings(program), { hidden: true });
  return program;
}

/** Help with its paragraphs in lines of 80 characters; indented lines stay as they are. */
function reflowed(help: string): string {
  return help
    .split('\n\n')
    .map((part) =>
      /(?:^|\n) /.test(part)
        ? part
        : wrapped(part.trim().replaceAll('\n', ' '), HELP_WIDTH).join('\n'),
    )
    .join('\n\n');
}

/** Lets `--data`, `--json`, `--org` and `--shop` follow every command, too. */
function inherit(command: Command, program: Command): Command {
  command.copyInheritedSettings(program);
  const has = (flag: string) => command.options.some(({ long }) => long === flag);
  if (command.commands.length === 0) {
    if (!has('--data')) command.option('--data <folder>', 'data folder');
    if (!has('--json')) command.option('--json', 'print results as JSON');
    if (!has('--org'))
      command.option('--org <organization>', 'id or slug; may be omitted if there is only one');
    if (!has('--shop'))
      command.option('--shop <shop>', 'id or handle; may be omitted if there is only one');
  }
  for (const child of command.commands) inherit(child, program);
  return command;
}
