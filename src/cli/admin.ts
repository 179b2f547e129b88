import { Command } from 'commander';
import { createAdminLink } from '../operations/tenants/create-admin-link.ts';
import { type Cli, type CommonOptions, printResult } from './command/cli.ts';
import { operate } from './command/operator.ts';

export function adminCommand(cli: Cli): Command {
  return new Command('admin')
    .description('print a link to the admin page: search, catalogue, traffic, keys')
    .addCommand(linkCommand(cli), { isDefault: true });
}

function linkCommand(cli: Cli): Command {
  return new Command('link')
    .description(
      'print a sign-in link for one browser; it works once and expires after ten minutes',
    )
    .addHelpText('after', '\nExample:\n  vitrine admin link')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const link = await operate(cli, options, createAdminLink, {}, { onlyRunning: true });
      printResult(cli, options, link, ({ url }) => url);
    });
}
