import { Command, Option } from 'commander';
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

/** What a command acts on; `--org` and `--shop` choose it. */
type Target = 'everything' | 'organization' | 'shop';

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
  const commands: readonly (readonly [Command, Target])[] = [
    [initCommand(cli), 'everything'],
    [serveCommand(cli), 'everything'],
    [readyCommand(cli), 'everything'],
    [catalogCommand(cli), 'shop'],
    [searchCommand(cli), 'shop'],
    [tuneCommand(cli), 'shop'],
    [learnCommand(cli), 'organization'],
    [adminCommand(cli), 'everything'],
    [orgCommand(cli), 'organization'],
    [shopCommand(cli), 'organization'],
    [keyCommand(cli), 'organization'],
    [hitsCommand(cli), 'organization'],
    [auditCommand(cli), 'organization'],
    [landingCommand(cli), 'organization'],
    [mcpCommand(cli), 'organization'],
    [modelCommand(cli), 'everything'],
    [configCommand(cli), 'everything'],
    [doctorCommand(cli), 'everything'],
    [backupCommand(cli), 'everything'],
    [restoreCommand(cli), 'everything'],
    [systemdCommand(cli), 'everything'],
    [completionCommand(cli), 'everything'],
    [judgementsCommand(cli), 'organization'],
    [benchCommand(cli), 'everything'],
    [evalCommand(cli), 'shop'],
    [demoCommand(cli), 'everything'],
    [versionCommand(cli, version), 'everything'],
  ];
  for (const [command, target] of commands) program.addCommand(inherit(command, program, target));
  program.addCommand(checkPagesCommand().copyInheritedSettings(program), { hidden: true });
  return program;
}

/** Help with its paragraphs in lines of 80 characters; indented lines and blank ones stay as they are. */
function reflowed(help: string): string {
  const [blank] = /^\n*/.exec(help)!;
  const parts = help.slice(blank.length).split('\n\n');
  const lines = parts.map((part) =>
    /(?:^|\n) /.test(part) ? part : wrapped(part.replaceAll('\n', ' '), HELP_WIDTH).join('\n'),
  );
  return blank + lines.join('\n\n');
}

/**
 * Lets `--data`, `--json`, `--org` and `--shop` follow every command, too. Help leaves out the last two where
 * they choose nothing.
 */
function inherit(command: Command, program: Command, target: Target): Command {
  command.copyInheritedSettings(program);
  if (command.commands.length === 0) {
    const has = (flag: string) => command.options.some(({ long }) => long === flag);
    const one = 'may be omitted if there is only one';
    const options = [
      new Option('--data <folder>', 'data folder'),
      new Option('--json', 'print results as JSON'),
      new Option('--org <organization>', `id or slug; ${one}`).hideHelp(target === 'everything'),
      new Option('--shop <shop>', `id or handle; ${one}`).hideHelp(target !== 'shop'),
    ];
    for (const option of options) if (!has(option.long!)) command.addOption(option);
  }
  for (const child of command.commands) inherit(child, program, target);
  return command;
}
