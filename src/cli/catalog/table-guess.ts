import type { Command } from 'commander';
import type { TableGuess } from '../../catalog/mapping/guess-columns.ts';
import { AppError } from '../../domain/errors.ts';
import type { Cli } from '../command/cli.ts';
import { commandAgain } from '../command/command-again.ts';
import { table } from '../command/table.ts';

/** Characters shown of one cell. */
const CELL_LENGTH = 24;
const HEADING_LENGTH = 28;

/** Columns listed; a table can have hundreds, most of them left out. */
const LISTED_MAX = 60;

/**
 * Shows what the columns of a table were taken for, with their first values and the command line that says
 * the same. Throws `unsupported_media_type` if a person must decide.
 */
export function announceGuess(
  cli: Cli,
  command: Command,
  { path, guess }: { path: string; guess: TableGuess },
): void {
  const columns = guess.columns.slice(0, LISTED_MAX);
  const rows = columns.map(({ heading, name, samples }) => [
    shortened(onOneLine(heading), HEADING_LENGTH),
    name ?? '–',
    samples.map((cell) => shortened(onOneLine(cell), CELL_LENGTH)).join(' · '),
  ]);
  const lines = table(['column', 'taken as', 'first values'], rows).split('\n');
  for (const line of lines) cli.note(`  ${shortened(line, cli.columns - 2)}\n`);
  const rest = guess.columns.length - columns.length;
  if (rest > 0) cli.note(`  and ${rest} more columns\n`);
  const isSure = guess.doubts.length === 0;
  const maps = guess.columns.flatMap(({ heading, name }) =>
    name === null ? [] : ['--map', `${heading}=${name}`],
  );
  const intro = isSure ? 'The same, in full:' : 'Correct what is wrong in this guess, then run:';
  cli.note(`${intro}\n  ${commandAgain(command, maps)}\n`);
  if (isSure) return;
  throw new AppError(
    'unsupported_media_type',
    `${path} was not read, because its columns are not sure: ${guess.doubts.join(' ')}`,
  );
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
