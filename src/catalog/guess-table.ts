import { AppError } from '../domain/errors.ts';
import { readFeedTable } from './feeds/google-feed.ts';
import { guessColumns, mappingOf, type TableGuess } from './mapping/guess-columns.ts';
import { readTableSample } from './mapping/table-sample.ts';
import type { CatalogFormat, Mapping } from './record/reader.ts';

/** A table of unknown origin. Detected by nothing: it is what no other format is. */
export const table: CatalogFormat = {
  name: 'table',
  detect: () => null,
  read: readFeedTable,
};

/** A table whose columns were guessed. */
export interface GuessedTable {
  readonly guess: TableGuess;
  /** What the caller mapped, and the guess for the rest. */
  readonly mapping: Mapping;
}

/** Guesses the columns of the table that a file begins with; null if it is no list of products. */
export async function guessTable(head: string, given?: Mapping): Promise<GuessedTable | null> {
  const guess = guessColumns(await readTableSample(head), given);
  return guess && { guess, mapping: new Map([...mappingOf(guess), ...(given ?? [])]) };
}

/** Refuses a guess that is not sure, with what to map instead. */
export function doubtfulTable(name: string, { columns, doubts }: TableGuess): AppError {
  const proposed = columns.flatMap((column) =>
    column.name === null ? [] : [`"${column.heading}=${column.name}"`],
  );
  return new AppError(
    'unsupported_media_type',
    `${name} was not read, because its columns are not sure: ${doubts.join(' ')} Map them; the best guess is ${proposed.join(', ')}.`,
  );
}
