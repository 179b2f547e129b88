import { Command } from 'commander';
import { rollbackCatalog } from '../../operations/imports/rollback-catalog.ts';
import { type Cli, type CommonOptions, printResult, shopOf } from '../command/cli.ts';
import { operate } from '../command/operator.ts';

export function rollbackCommand(cli: Cli): Command {
  return new Command('rollback')
    .description('bring back what searchers saw before the last import, at once')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog rollback\n\nIt goes back one import, once.',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const result = await operate(cli, options, rollbackCatalog, shopOf(options));
      printResult(cli, options, result, ({ shop, takenBack, offerings, contexts }) => {
        const what =
          takenBack === null
            ? 'the last import'
            : `the import of ${takenBack.source} (${takenBack.startedAt})`;
        return `${shop}: took back ${what}; searchers see ${offerings} offerings and ${contexts} contexts again.`;
      });
    });
}
