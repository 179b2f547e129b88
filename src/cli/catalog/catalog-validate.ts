import { Command } from 'commander';
import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { Fault } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import { type Cli, printResult } from '../command/cli.ts';
import { openCatalog } from '../command/read-files.ts';
import {
  addReadingOptions,
  announceColumns,
  announceInput,
  hintsOf,
  type ReadingOptions,
} from './catalog-input.ts';
import { FaultLines } from './fault-report.ts';

/** Faults in the result of `--json`. */
const LISTED_FAULTS_MAX = 1000;

/** Exit codes, the same as an import's: 2 if part of the catalogue is good, 1 if nothing is. */
const PARTLY = 2;
const NOTHING = 1;

interface ValidateOptions extends ReadingOptions {
  readonly currency: string;
}

interface Validation {
  readonly format: string;
  readonly good: number;
  readonly rejected: number;
  readonly warnings: number;
  readonly faults: readonly Omit<Fault, 'raw'>[];
}

export function validateCommand(cli: Cli): Command {
  return addReadingOptions(new Command('validate'))
    .description(
      'check a catalogue file as an import would, without a service and without writing anything',
    )
    .argument('<path>', 'file (.gz too) or folder')
    .option('--currency <code>', 'ISO 4217 code for prices without a currency', 'USD')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog validate products.csv --currency EUR\n\nExit code: 0 if everything is valid, 2 if part of it is, 1 if nothing is.',
    )
    .action(async (path: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<ValidateOptions>();
      if (!isCurrency(options.currency))
        throw new AppError(
          'invalid_input',
          `${options.currency} is not an ISO 4217 code in capitals.`,
        );
      const result = await validate(cli, command, path);
      printResult(
        cli,
        options,
        result,
        ({ format, good, rejected, warnings }) =>
          `${path}: ${format}, ${good} good, ${rejected} rejected, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
      );
      if (result.good === 0) cli.setExitCode(NOTHING);
      else if (result.rejected > 0) cli.setExitCode(PARTLY);
    });
}

async function validate(cli: Cli, command: Command, path: string): Promise<Validation> {
  const options = command.optsWithGlobals<ValidateOptions>();
  const { currency, json } = options;
  const input = await openCatalog(path, hintsOf(options));
  announceInput(cli, command, { path, input });
  const counts = { good: 0, rejected: 0, warnings: 0 };
  const faults: Omit<Fault, 'raw'>[] = [];
  const lines = new FaultLines((line) => cli.print(line));
  for await (const row of withoutDuplicates(
    input.rows({
      currency,
      shopUrl: null,
      now: cli.clock.now(),
      onColumns: (use) => {
        if (json !== true && input.guess === null) announceColumns(cli, use);
      },
    }),
  )) {
    if (!('fault' in row)) {
      counts.good += 1;
      continue;
    }
    const { raw: _, ...fault } = row.fault;
    counts[fault.severity === 'error' ? 'rejected' : 'warnings'] += 1;
    if (json !== true) lines.add(fault);
    else if (faults.length < LISTED_FAULTS_MAX) faults.push(fault);
  }
  if (lines.hiddenCount > 0)
    cli.print(`… and ${lines.hiddenCount} more: --json lists the first ${LISTED_FAULTS_MAX}`);
  return { format: input.format.name, ...counts, faults };
}
