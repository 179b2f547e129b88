import { Command } from 'commander';
import { SCHEMA_VERSION } from '../services.ts';
import { type Cli, type CommonOptions, printResult } from './command/cli.ts';

/** What an installer or an upgrade needs to know about the binary. */
export function versionCommand(cli: Cli, version: string): Command {
  return new Command('version')
    .description('print the version, the database schema it writes, and what it runs on')
    .addHelpText('after', '\nExample:\n  vitrine version --json')
    .action((_options: object, command: Command) => {
      const about = {
        version,
        schema: SCHEMA_VERSION,
        runtime: cli.runtime,
        system: `${process.platform}-${process.arch}`,
      };
      printResult(cli, command.optsWithGlobals<CommonOptions>(), about, () =>
        [
          `vitrine ${version}`,
          `database schema ${about.schema}`,
          `${about.runtime} on ${about.system}`,
        ].join('\n'),
      );
    });
}
