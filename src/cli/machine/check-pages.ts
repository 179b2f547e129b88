import { Command } from 'commander';
import { CHECK_PAGES, checkPages } from '../../operations/upkeep/page-check.ts';

/**
 * Internal command that a running service starts to check a database too large to check in its own
 * process.
 */
export function checkPagesCommand(): Command {
  return new Command(CHECK_PAGES)
    .argument('<file>', 'a database that no process writes to meanwhile')
    .description('check every page of a database')
    .action((file: string) => checkPages(file));
}
