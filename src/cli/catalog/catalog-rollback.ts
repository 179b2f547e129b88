import { Command } from 'commander';
import { rollbackCatalog } from '../../operations/imports/rollback-catalog.ts';
import { type Cli, type CommonOptions, printResult, shopOf } from '../command/cli.ts';
import { operate } from '../command/operator.ts';

export function rollbackCommand(cli: Cli): Command {
  return new Command('rollback')
    .description('undo the last import: searches immediately see the catalogue as it was before')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog rollback\n\nOnly the last import can be undone, and only once.',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const result = await operate(cli, options, rollbackCatalog, shopOf(options));
      printResult(cli, options, result, ({ shop, takenBack, offerings, contexts }) => {
        const what =
          takenBack === null
            ? 'the last import'
            : `the import of ${takenBack.source} (${takenBack.startedAt})`;
        return `${shop}: rolled back ${what}; searches see ${offerings} offerings and ${contexts} contexts again.`;
      });
    });
}
