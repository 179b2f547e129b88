import { AppError } from '../../domain/errors.ts';
import type { Finding } from '../record/findings.ts';
import type { FileHead, Mapping } from '../record/reader.ts';
import type { TableHead } from '../record/table-columns.ts';
import { type CsvProblem, type CsvRecord, CsvRecords } from './csv-records.ts';
import { type Line, readLines } from './lines.ts';
import { findHeader, HEADER_LINES_MAX, heading, headings } from './table-start.ts';

/** The columns that vitrine adds to rejected records in `FILE.errors.csv`. */
export const ERROR_COLUMNS = [
  'vitrine_file',
  'vitrine_line',
  'vitrine_record',
  'vitrine_external_id',
  'vitrine_column',
  'vitrine_code',
  'vitrine_message',
] as const;

/** Most headings that a message lists; tables have hundreds. */
const HEADINGS_SHOWN_MAX = 40;

/** A table of text, such as a CSV file; one of its first records names the columns. */
interface CsvTable extends TableHead {
  /** As written in the file, without those that `FILE.errors.csv` adds. */
  readonly columns: readonly string[];
  /** The records below the header, in file order. Can be read once. */
  readonly rows: AsyncIterable<CsvRow>;
}

export interface CsvRow extends CsvRecord {
  /** From 1. */
  readonly record: number;
}

/** Opens a table. `findHeader` says which line has the headings, and the delimiter. */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  mapping?: Mapping,
): Promise<CsvTable> {
  const records = readRecords(bytes);
  const first = await records.next();
  const all = first.done === true ? [] : first.value.fields.map(heading);
  const own = all.map((name) => !ERROR_COLUMNS.some((added) => added === name));
  const isGivenBack = all.includes('vitrine_code');
  const columns = all.filter((_, index) => own[index]);
  const lower = columns.map((name) => name.toLowerCase());
  if (mapping !== undefined) checkMapping(mapping, columns, lower);
  return {
    columns,
    names: columns.map((name) => mappedName(name, mapping)),
    mapped: new Set([...columns.keys()].filter((index) => mapping?.has(lower[index]!))),
    rows: isGivenBack ? readGivenBack(records, own) : readRows(records),
  };
}

/** Throws `invalid_input` for a heading that the file does not have: most likely a slip of the pen. */
function checkMapping(
  mapping: Mapping,
  columns: readonly string[],
  lower: readonly string[],
): void {
  const missing = [...mapping.keys()].filter((heading) => !lower.includes(heading));
  if (missing.length === 0) return;
  const names = missing.map((heading) => `"${heading}"`).join(', ');
  const present = columns.slice(0, HEADINGS_SHOWN_MAX).join(', ');
  throw new AppError('invalid_input', `--map: the file has no column ${names}. It has ${present}.`);
}

/** The mapped name of a column, in lower case. */
export function mappedName(heading: string, mapping: Mapping | undefined): string {
  const name = heading.toLowerCase();
  return mapping?.get(name) ?? name;
}

/** The columns of the table that a file begins with, in lower case. */
export function headColumns({ text, mapping }: FileHead): Set<string> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/, HEADER_LINES_MAX);
  const { index, delimiter } = findHeader(lines);
  const columns = headings(lines.slice(index), delimiter);
  return new Set(columns.map((name) => mappedName(name, mapping)));
}

async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<CsvRecord, undefined> {
  const lines = readLines(bytes)[Symbol.asyncIterator]();
  try {
    const start: Line[] = [];
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      start.push(next.value);
      if (start.length >= HEADER_LINES_MAX) break;
    }
    const { index, delimiter } = findHeader(start.map(({ text }) => text));
    const records = new CsvRecords(delimiter);
    for (const line of start.splice(0).slice(index)) yield* records.push(line);
    for (let next = await lines.next(); next.done !== true; next = await lines.next())
      yield* records.push(next.value);
    yield* records.end();
  } finally {
    await lines.return?.(undefined);
  }
  return undefined;
}

/** Reads the first rows, fewer at the end of the table; `rows` then yields all of them. */
export async function peekRows(
  rows: AsyncIterable<CsvRow>,
  count: number,
): Promise<{ first: readonly CsvRow[]; rows: AsyncIterable<CsvRow> }> {
  const iterator = rows[Symbol.asyncIterator]();
  const first: CsvRow[] = [];
  while (first.length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  return { first, rows: resumed(first, iterator) };
}

async function* resumed(
  first: readonly CsvRow[],
  iterator: AsyncIterator<CsvRow>,
): AsyncGenerator<CsvRow> {
  try {
    yield* first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* readRows(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRow> {
  let count = 0;
  for await (const record of records) {
    count += 1;
    yield { ...record, record: count };
  }
}

/** Restores the original rows of a `FILE.errors.csv`, without the columns that vitrine added. */
async function* readGivenBack(
  records: AsyncIterable<CsvRecord>,
  own: readonly (boolean | undefined)[],
): AsyncGenerator<CsvRow> {
  for await (const row of readRows(records)) {
    const fields = row.fields.filter((_, index) => own[index]).map(fromSpreadsheet);
    // Undecodable text was written out with U+FFFD, for the shop to correct.
    const isUnmended = fields.some((field) => field.includes('\ufffd'));
    yield { ...row, fields, problem: row.problem ?? (isUnmended ? 'invalid_utf8' : null) };
  }
}

const PROBLEMS: Readonly<Record<CsvProblem, string>> = {
  invalid_utf8: 'The row is not UTF-8.',
  line_too_long: 'The row has a line longer than 10 MiB.',
  forbidden_text: 'The row contains a NUL.',
  stray_quote: 'The row has a misplaced quotation mark.',
  unclosed_quote: 'The row has a quotation mark that is never closed.',
  column_count: 'The row does not have as many fields as the first row has columns.',
};

export function csvFinding(problem: CsvProblem): Finding {
  return { column: null, code: problem, message: PROBLEMS[problem] };
}

/** One CSV record with its line end. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quote(toSpreadsheet(field))).join(',')}\r\n`;
}

function quote(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/**
 * Text that a spreadsheet would evaluate as a formula (OWASP, CSV injection), also after white space or
 * in full-width characters.
 */
const FORMULA = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Prefixes a formula with an apostrophe, so that a spreadsheet shows it instead of evaluating it. */
function toSpreadsheet(field: string): string {
  return FORMULA.test(field) ? `'${field}` : field;
}

function fromSpreadsheet(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}
