import { Command } from 'commander';
import { CHECK_PAGES, checkPages } from '../../operations/upkeep/page-check.ts';

/** What a running service starts for a database too large to be checked by itself. Not for people. */
export function checkPagesCommand(): Command {
  return new Command(CHECK_PAGES)
    .argument('<file>', 'a database that its service does not write to meanwhile')
    .description('check every page of a database')
    .action((file: string) => checkPages(file));
}
