import { Command } from 'commander';
import { deleteOrganization } from '../operations/upkeep/delete-organization.ts';
import { type Cli, type CommonOptions, printResult } from './command/cli.ts';
import { operate } from './command/operator.ts';

interface DeleteOptions extends CommonOptions {
  readonly confirm: string;
}

/** Said after a deletion, because nobody else knows where backups are. */
const WHAT_STAYS =
  'Backups made earlier still hold its data, and restoring one brings it back: delete those that must not keep it. The audit log keeps what operators did to it.';

export function deleteOrganizationCommand(cli: Cli): Command {
  return new Command('delete')
    .argument('<organization>', 'its id or slug')
    .description('delete an organization: its catalogue, hits, keys and pages, for good')
    .requiredOption('--confirm <slug>', 'its slug once more, so that none is deleted by mistake')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine org delete acme --confirm acme\n\nIts keys stop working and its slug is free at once. Its rows are then removed, while the service runs on.\nBackups made earlier keep its data.',
    )
    .action(async (organization: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<DeleteOptions>();
      const { confirm } = options;
      const input = { organization, confirm };
      const deleted = await operate(cli, options, deleteOrganization, input);
      printResult(
        cli,
        options,
        deleted,
        ({ slug, items, hits, keys }) =>
          `Deleted ${slug}: ${items} offerings and contexts, ${hits} hits, ${keys} keys, and all else that belonged to it.\n${WHAT_STAYS}\n`,
      );
    });
}
