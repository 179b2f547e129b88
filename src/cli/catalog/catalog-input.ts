import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS } from '../../catalog/formats.ts';
import type { SourceHints } from '../../catalog/open-source.ts';
import type { ColumnUse } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import {
  findSourceValidators,
  type SourceResult,
  saveSource,
  storedHints,
} from '../../operations/sources/catalog-sources.ts';
import { type CatalogUrl, openCatalogUrl } from '../../operations/sources/open-catalog-url.ts';
import { type Cli, type CommonOptions, organizationOf } from '../command/cli.ts';
import { parseDuration } from '../command/duration.ts';
import { operate } from '../command/operator.ts';
import { openCatalog, openStream } from '../command/read-files.ts';
import type { ReadableInput } from './read-blocks.ts';
import { announceGuess } from './table-guess.ts';

/** Column headings listed in the message that names the columns; feeds can have hundreds. */
const NAMED_COLUMNS_MAX = 40;

export interface ReadingOptions extends CommonOptions {
  readonly format?: string;
  readonly map?: ReadonlyMap<string, string>;
  readonly encoding?: string;
  readonly sheet?: string;
}

export interface InputOptions extends ReadingOptions {
  readonly every?: number;
  readonly allowPrivate?: boolean;
  readonly dryRun?: boolean;
  readonly full?: boolean;
}

/** Options that say how to read a catalogue. */
export function addReadingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <name>',
        'format of the input (default: detected from its content)',
      ).choices(FORMATS.map(({ name }) => name)),
    )
    .option(
      '--map <heading=name>',
      'what a column of the file holds, such as id, title, price or link; "-" leaves it out; repeatable',
      addMapping,
    )
    .option('--encoding <name>', 'encoding of text that is not UTF-8, such as windows-1252')
    .option('--sheet <name>', 'sheet of a workbook (default: the first with a catalogue)');
}

/** Adds the reading options and those that say where a catalogue comes from. */
export function addInputOptions(command: Command): Command {
  return addReadingOptions(command)
    .option(
      '--every <time>',
      'repeat the import from this address at an interval, such as 6h',
      parseDuration,
    )
    .option('--allow-private', 'accept http and private network addresses');
}

/** Hints that let the caller announce a doubtful guess before it refuses it. */
export function hintsOf({ format, map, encoding, sheet }: ReadingOptions): SourceHints {
  return { format, mapping: map, encoding, sheet, takesDoubtful: true };
}

function addMapping(
  text: string,
  mapping: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const [, heading = '', name = ''] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (heading.trim() === '' || name.trim() === '') {
    throw new InvalidArgumentError('It must look like "Preis=price".');
  }
  return new Map([...mapping, [heading.trim().toLowerCase(), name.trim().toLowerCase()]]);
}

/** A catalogue to import, with what to do once the import has ended. */
export interface ImportInput extends ReadableInput {
  /** Path of the errors file: beside the input file, otherwise in the current folder. */
  readonly errorsPath: string;
  /** Records how the import ended. */
  finished(result: SourceResult): Promise<void>;
}

/**
 * Opens a file, a folder, an address or, for `-`, standard input. Null if the file at an address
 * has not changed since the last import.
 */
export async function openInput(
  cli: Cli,
  options: InputOptions,
  { path, shop }: { path: string; shop: string },
): Promise<ImportInput | null> {
  const hints = hintsOf(options);
  if (/^https?:\/\//i.test(path)) return openAddress(cli, options, { url: path, shop, hints });
  if (options.every !== undefined) {
    throw new AppError('invalid_input', '--every works only with an address, not with a file.');
  }
  const finished = () => Promise.resolve();
  if (path !== '-') {
    const errorsPath = `${path.replace(/[\\/]+$/, '')}.errors.csv`;
    return { ...(await openCatalog(path, hints)), file: { path, hints }, errorsPath, finished };
  }
  const input = { name: 'stdin', stream: cli.input(), sizeBytes: null };
  return {
    ...(await openStream(input, hints)),
    file: null,
    errorsPath: 'stdin.errors.csv',
    finished,
  };
}

async function openAddress(
  cli: Cli,
  options: InputOptions,
  { url, shop, hints }: { url: string; shop: string; hints: SourceHints },
): Promise<ImportInput | null> {
  const allowPrivate = options.allowPrivate === true;
  const place = { ...organizationOf(options), shop };
  const known = { ...place, url, hints: storedHints(hints, options.full === true) };
  const isTrial = options.dryRun === true;
  const validators = isTrial ? null : await operate(cli, options, findSourceValidators, known);
  const save = async (opened: CatalogUrl | null, result: SourceResult) => {
    if (isTrial) return;
    await operate(cli, options, saveSource, {
      ...known,
      allowPrivate,
      ...(options.every === undefined ? {} : { everyMs: options.every }),
      validators: opened === null ? validators : opened.validators,
      result,
    });
  };
  const opened = await openCatalogUrl(url, hints, {
    allowPrivate,
    signal: cli.stop,
    ...(validators === null ? {} : { validators }),
  });
  if (opened === null) {
    await save(null, { state: 'unchanged' });
    return null;
  }
  const { pathname, hostname } = new URL(url);
  return {
    ...opened.source,
    sizeBytes: opened.sizeBytes,
    readBytes: () => opened.readBytes(),
    file: null,
    errorsPath: `${basename(pathname) || hostname}.errors.csv`,
    finished: (result) => save(opened, result),
  };
}

/**
 * Reports the detected format, the evidence for it, and what the columns of a table of unknown origin were
 * taken for. Throws `unsupported_media_type` if that guess is not sure.
 */
export function announceInput(
  cli: Cli,
  command: Command,
  { path, input }: { path: string; input: Pick<ReadableInput, 'format' | 'evidence' | 'guess'> },
): void {
  const { format, evidence, guess } = input;
  const isSilent = command.optsWithGlobals<CommonOptions>().json === true;
  if (isSilent && (guess === null || guess.doubts.length === 0)) return;
  cli.note(`${path}: ${format.name}, ${evidence}\n`);
  if (guess !== null) announceGuess(cli, command, { path, guess });
}

export function announceColumns(cli: Cli, { used, ignored }: ColumnUse): void {
  if (used.length > 0) cli.note(`  takes ${listed(used)}\n`);
  if (ignored.length > 0) cli.note(`  ignores ${listed(ignored)}\n`);
}

function listed(columns: readonly string[]): string {
  const named = columns.slice(0, NAMED_COLUMNS_MAX).join(', ');
  const rest = columns.length - NAMED_COLUMNS_MAX;
  return rest > 0 ? `${named} and ${rest} more` : named;
}
