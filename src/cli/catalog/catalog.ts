import { Command, Option } from 'commander';
import { AppError } from '../../domain/errors.ts';
import {
  countsOf,
  type ImportEvent,
  type ImportSummary,
  importCatalog,
} from '../../operations/imports/import-catalog.ts';
import type { PreparingRows } from '../../operations/imports/row-streams.ts';
import { noSuchShop } from '../../operations/tenants/absent-tenants.ts';
import { listShops, type ShopView } from '../../operations/tenants/organizations.ts';
import { type Cli, organizationOf, printResult } from '../command/cli.ts';
import { operate } from '../command/operator.ts';
import { startProgress } from '../command/progress.ts';
import { exportCommand } from './catalog-export.ts';
import {
  addInputOptions,
  announceColumns,
  announceInput,
  type InputOptions,
  openInput,
} from './catalog-input.ts';
import { rollbackCommand } from './catalog-rollback.ts';
import { sourcesCommand } from './catalog-sources.ts';
import { statsCommand } from './catalog-stats.ts';
import { validateCommand } from './catalog-validate.ts';
import { FaultReport } from './fault-report.ts';
import { type RowReader, readBlocks } from './read-blocks.ts';
import type { RowBlock } from './row-blocks.ts';

/** Exit codes of an import: 0 all imported, 2 part of it, 1 nothing. */
const PARTLY = 2;
const NOTHING = 1;

const STOREFRONT_NAMES = {
  shopify: 'Shopify',
  woo: 'WooCommerce',
  other: 'no known shop',
} as const;

interface ImportOptions extends InputOptions {
  readonly full?: boolean;
  readonly allowShrink?: boolean;
  readonly strict?: boolean;
  readonly progress: 'auto' | 'json' | 'off';
}

export function catalogCommand(cli: Cli): Command {
  return new Command('catalog')
    .description('import, check, export and inspect catalogues')
    .addCommand(importCommand(cli))
    .addCommand(validateCommand(cli))
    .addCommand(exportCommand(cli))
    .addCommand(rollbackCommand(cli))
    .addCommand(statsCommand(cli))
    .addCommand(sourcesCommand(cli));
}

function importCommand(cli: Cli): Command {
  return addInputOptions(new Command('import'))
    .description('import a catalogue, or a folder of Markdown contexts, into a shop')
    .argument('<path>', 'file (.gz too), folder, https address, or - for standard input')
    .option('--full', 'treat the file as the whole catalogue: archive items that it lacks')
    .option('--allow-shrink', 'with --full, archive even more than a quarter of the catalogue')
    .option('--dry-run', 'read and check everything without changing anything')
    .option('--strict', 'import nothing if the file has any fault')
    .addOption(
      new Option('--progress <mode>', 'how to show progress')
        .choices(['auto', 'json', 'off'])
        .default('auto'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog import products.csv\n  vitrine catalog import prices.csv --map "VK=price" --map "EK=-"\n  vitrine catalog import https://shop.example/products.json --every 6h\n  vitrine catalog import policies/\n\nExit code: 0 if everything was imported, 2 if part of it was, 1 if nothing was.',
    )
    .action(async (path: string, _options: object, command: Command) => {
      const summary = await importPath(cli, command, path);
      if (summary === null) return;
      const taken = summary.new + summary.changed + summary.same + summary.archived;
      if (summary.rejected > 0) cli.setExitCode(taken > 0 ? PARTLY : NOTHING);
      if (taken === 0) cli.setExitCode(NOTHING);
      if (taken + summary.rejected + summary.warnings === 0)
        cli.note(`${path} holds no items, so nothing was imported.\n`);
    });
}

/**
 * Imports a path into a shop, prints faults and a summary, and writes every fault to
 * `PATH.errors.csv`. Null if the file at an address is unchanged.
 */
async function importPath(cli: Cli, command: Command, path: string): Promise<ImportSummary | null> {
  const options = command.optsWithGlobals<ImportOptions>();
  const shop = await chosenShop(cli, options);
  const input = await openInput(cli, options, { path, shop: shop.handle });
  if (input === null) {
    printResult(
      cli,
      options,
      { unchanged: true },
      () => `${path}: unchanged since the last import`,
    );
    return null;
  }
  announceInput(cli, command, { path, input });
  const progress = startProgress(cli, options.json === true ? 'off' : options.progress);
  const faults = new FaultReport(input.errorsPath, (line) => progress.note(`${line}\n`));
  const reader = readBlocks(input, {
    currency: shop.currency,
    shopUrl: shop.domain === null ? null : `https://${shop.domain}`,
    now: cli.clock.now(),
    onColumns: (use) => {
      if (options.json !== true && input.guess === null) announceColumns(cli, use);
    },
  });
  const { sizeBytes } = input;
  const reading: Reading = { rows: 0, bytes: 0, isEnded: false, isWritten: false };
  const onBlock = (block: RowBlock<unknown>) => {
    for (const fault of block.faults) faults.add(fault);
    reading.rows += block.rows;
    reading.bytes = block.readBytes;
    if (reading.isWritten) return;
    const { bytes: done, rows: count } = reading;
    progress.update({ done, total: sizeBytes, stage: 'reading', count });
  };
  const summary = await operate(
    cli,
    options,
    importCatalog,
    {
      ...organizationOf(options),
      shop: shop.handle,
      source: path,
      format: input.format.name,
      full: options.full === true,
      allowShrink: options.allowShrink === true,
      strict: options.strict === true,
      dryRun: options.dryRun === true,
    },
    {
      exchange: {
        lines: rowsOf(reader, { onBlock, reading }),
        emit: (event) => follow(event as ImportEvent, { progress, reading, sizeBytes, faults }),
      },
    },
  ).finally(() => progress.end());
  await faults.end();
  await input.finished({ state: 'imported', summary: countsOf(summary) });
  printResult(cli, options, summary, (result) => summaryLine(result, options));
  if (options.json !== true) {
    tellLinks(cli, summary, shop.handle);
    tellMemory(cli, summary);
  }
  return summary;
}

async function chosenShop(cli: Cli, options: ImportOptions): Promise<ShopView> {
  const shops = await operate(cli, options, listShops, { ...organizationOf(options) });
  const shop =
    options.shop === undefined
      ? shops[0]
      : shops.find(({ id, handle }) => [id, handle].includes(options.shop!.toLowerCase()));
  if (shop === undefined) throw noSuchShop(`${options.shop}`);
  if (options.shop === undefined && shops.length > 1)
    throw new AppError('invalid_input', 'Several shops: choose one with --shop.');
  return shop;
}

/** How far the input has been read. */
interface Reading {
  rows: number;
  bytes: number;
  isEnded: boolean;
  /** Whether rows are being written: from then on the progress is that of writing. */
  isWritten: boolean;
}

/** The rows for an operation, which may prefer them prepared. */
function rowsOf(
  { lines, prepared }: RowReader,
  followed: { onBlock(block: RowBlock<unknown>): void; reading: Reading },
): AsyncIterable<string> | PreparingRows {
  const asLines = { [Symbol.asyncIterator]: () => contentOf(lines(), followed) };
  return prepared === null
    ? asLines
    : { ...asLines, prepare: (target) => contentOf(prepared(target), followed) };
}

async function* contentOf<Content>(
  blocks: AsyncIterable<RowBlock<Content>>,
  { onBlock, reading }: { onBlock(block: RowBlock<unknown>): void; reading: Reading },
): AsyncGenerator<Content> {
  for await (const block of blocks) {
    onBlock(block);
    yield block.content;
  }
  reading.isEnded = true;
}

function follow(
  event: ImportEvent,
  {
    progress,
    reading,
    sizeBytes,
    faults,
  }: {
    progress: ReturnType<typeof startProgress>;
    reading: Reading;
    sizeBytes: number | null;
    faults: FaultReport;
  },
): void {
  if ('fault' in event) {
    faults.add(event.fault);
    return;
  }
  reading.isWritten = true;
  const { new: added, changed, same, rejected, warnings } = event.progress;
  const done = added + changed + same + rejected + warnings;
  const count = added + changed + same;
  progress.update({
    stage: 'importing',
    count,
    // A command that owns the data folder writes rows while it reads further ones.
    ...(reading.isEnded
      ? { done, total: reading.rows }
      : { done: reading.bytes, total: sizeBytes }),
  });
}

function summaryLine(
  { new: added, changed, same, archived, rejected, warnings, seconds }: ImportSummary,
  { dryRun }: ImportOptions,
): string {
  const counts = `${added} new, ${changed} changed, ${same} same, ${archived} archived, ${rejected} rejected, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${seconds.toFixed(1)} s`;
  return dryRun === true ? `dry run, nothing changed:\n${counts}` : counts;
}

/** Tells what the import found out about links, and how to mend them. */
function tellLinks(cli: Cli, { storefront, withoutAddress }: ImportSummary, handle: string): void {
  if (storefront !== undefined)
    cli.note(
      `Links are made as ${STOREFRONT_NAMES[storefront]} makes them; if that is wrong: vitrine shop set ${handle} --storefront other\n`,
    );
  if (withoutAddress === undefined) return;
  const { count, example, command } = withoutAddress;
  cli.note(
    `${count === 1 ? '1 offering has' : `${count} offerings have`} no address to link to, such as ${example}. To mend it:\n  ${command}\n`,
  );
}

function tellMemory(cli: Cli, { shortOfMemory }: ImportSummary): void {
  if (shortOfMemory === undefined) return;
  const { of, neededMb, allowedMb } = shortOfMemory;
  cli.note(
    of === 'index'
      ? `The index of this catalogue takes about ${neededMb} MB, and index_memory_mb allows ${allowedMb}. No other catalogue stays in memory beside it.\n`
      : `To build the index of this catalogue takes about ${neededMb} MB, and the machine or control group leaves ${allowedMb} for that. Until there is more, the catalogue cannot be searched.\n`,
  );
}
