import { Command } from 'commander';
import {
  type CatalogSourceView,
  listSources,
  removeSource,
  type SourceResult,
} from '../../operations/sources/catalog-sources.ts';
import { type Cli, type CommonOptions, printResult, shopOf } from '../command/cli.ts';
import { operate } from '../command/operator.ts';
import { table } from '../command/table.ts';

const MINUTE_MS = 60_000;

export function sourcesCommand(cli: Cli): Command {
  return new Command('sources')
    .description(
      'list the addresses that catalogues are imported from, with the result of each last import',
    )
    .option('--remove <url>', 'remove an address; items imported from it stay')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog import https://shop.example/feed.xml --every 6h\n  vitrine catalog sources',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { remove?: string }>();
      const place = shopOf(options);
      if (options.remove !== undefined) {
        const removed = await operate(cli, options, removeSource, {
          ...place,
          url: options.remove,
        });
        printResult(cli, options, removed, ({ url }) => `Removed ${url}.`);
        return;
      }
      const sources = await operate(cli, options, listSources, place);
      printResult(cli, options, sources, render);
    });
}

function render(sources: readonly CatalogSourceView[], width: number): string {
  if (sources.length === 0) return 'No catalogue has been imported from an address.';
  const rows = sources.map(({ shop, url, everyMs, nextAt, lastAt, lastResult, failures }) => [
    shop,
    url,
    everyMs === null ? 'manually' : `every ${duration(everyMs)}`,
    nextAt ?? '–',
    lastAt ?? '–',
    lastResult === null ? '–' : describe(lastResult, failures),
  ]);
  return table(['shop', 'address', 'when', 'next', 'last', 'result'], rows, width);
}

function duration(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${Math.round(minutes)}m`;
}

function describe(result: SourceResult, failures: number): string {
  if (result.state === 'unchanged') return 'unchanged';
  if (result.state === 'failed') return `failed ${failures} times: ${result.message}`;
  const { new: added = 0, changed = 0, same = 0, rejected = 0 } = result.summary;
  return `${added} new, ${changed} changed, ${same} same, ${rejected} rejected`;
}
