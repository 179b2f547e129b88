import { Command } from 'commander';
import { AppError } from '../../domain/errors.ts';
import {
  type CatalogStats,
  catalogStats,
  type LastImport,
} from '../../operations/imports/catalog-stats.ts';
import {
  bold,
  type Cli,
  type CommonOptions,
  configOf,
  printResult,
  shopOf,
} from '../command/cli.ts';
import { operate } from '../command/operator.ts';
import { type ProgressState, startProgress } from '../command/progress.ts';
import { table } from '../command/table.ts';

const WAIT_EVERY_MS = 1000;

export function statsCommand(cli: Cli): Command {
  return new Command('stats')
    .description('count what searches see, and how much of it is indexed for search by meaning')
    .option('--wait', 'wait until the running service has indexed everything for search by meaning')
    .addHelpText('after', '\nExample:\n  vitrine catalog stats --json')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { wait?: boolean }>();
      const input = shopOf(options);
      // Only a service embeds. With a database server, that may be another instance.
      const onlyRunning = configOf(cli, options).databaseUrl === null;
      const progress = startProgress(cli, options.wait === true ? 'auto' : 'off');
      let stats = await operate(cli, options, catalogStats, input);
      while (options.wait === true && isBusy(stats) && !cli.stop.aborted) {
        stats = await operate(cli, options, catalogStats, input, { onlyRunning });
        if (onlyRunning && !stats.meaning)
          throw new AppError('unavailable', 'The running service searches by words alone.');
        progress.update(embeddingProgress(stats));
        await cli.clock.sleep(WAIT_EVERY_MS, cli.stop);
      }
      progress.end();
      if (cli.stop.aborted)
        throw new AppError('unavailable', 'Stopped: not everything is searchable by meaning yet.');
      printResult(cli, options, stats, renderStats);
    });
}

function isBusy(stats: CatalogStats): boolean {
  const { offerings, contexts, embedded, loadingModel, replacement } = stats;
  return embedded < offerings + contexts || loadingModel || replacement !== null;
}

/** First each item gets a vector, then each a new one if the model has changed. */
export function embeddingProgress(stats: CatalogStats): ProgressState {
  const { offerings, contexts, embedded, replacement, textsPerSecond, remainingSeconds } = stats;
  const perSecond = textsPerSecond === null ? null : Math.round(textsPerSecond);
  const pace = { perSecond, remainingSeconds };
  if (embedded < offerings + contexts || replacement === null)
    return { done: embedded, total: offerings + contexts, stage: 'meaning', count: embedded, pace };
  const { done, total } = replacement;
  return { done, total, stage: 'replacing vectors', count: done, pace };
}

function renderStats(
  { offerings, contexts, embedded, replacement, shops }: CatalogStats,
  width: number,
): string {
  const rows = shops.map((shop) => [
    shop.handle,
    String(shop.offerings),
    String(shop.contexts),
    `${shop.embedded} of ${shop.offerings + shop.contexts}`,
    shop.lastImport === null ? 'never' : describeImport(shop.lastImport),
  ]);
  const sum = `${bold(String(offerings))} offerings, ${bold(String(contexts))} contexts, ${bold(String(embedded))} of them searchable by meaning`;
  const changing =
    replacement === null
      ? ''
      : `\nVectors of ${replacement.former ?? 'a former model'} answer until those of ${replacement.model} are made: ${replacement.done} of ${replacement.total}`;
  return `${sum}${changing}\n\n${table(['shop', 'offerings', 'contexts', 'by meaning', 'last import'], rows, width)}`;
}

function describeImport({ source, state, startedAt, faults }: LastImport): string {
  return `${startedAt} ${source} (${state.replace('_', ' ')}${faults === 0 ? '' : `, ${faults} faults`})`;
}
