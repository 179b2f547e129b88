import { AppError } from '../domain/errors.ts';
import { csvFinding, csvLine, ERROR_COLUMNS, headColumns, openCsv } from './bytes/csv-table.ts';
import { recordFindings } from './record/findings.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  Fault,
  RawRecord,
  ReaderOptions,
  RecordText,
} from './record/reader.ts';

/**
 * Writes faults as a CSV that opens in a spreadsheet and can be imported again after correction: every
 * rejected record with all its original rows, followed by columns that say what is wrong and where.
 * A table keeps its columns and so its format; other formats put the record into one column named after
 * the format (`json` for vitrine's own).
 * Text that a spreadsheet would evaluate as a formula gets an apostrophe, which reading removes again.
 *
 * Faults of one record must be consecutive, as readers yield them. Holds one record in memory.
 */
export class ErrorsCsv {
  #columns: readonly string[] | null = null;
  /** The faults of the current record. */
  #faults: Fault[] = [];

  /** Returns the text to append to the file; often empty until the record is complete. */
  add(fault: Fault): string {
    const [first] = this.#faults;
    const isSameRecord = first !== undefined && fault.raw !== null && fault.raw === first.raw;
    const text = isSameRecord ? '' : this.end();
    this.#faults.push(fault);
    return text;
  }

  /** Returns the rest of the text. */
  end(): string {
    const [first] = this.#faults;
    if (first === undefined) return '';
    const faults = this.#faults;
    this.#faults = [];
    let text = this.#columns === null ? header(first.raw) : '';
    this.#columns ??= first.raw?.columns ?? [];
    const lines = new Set<number>();
    for (const { line, fields } of first.raw?.rows ?? []) {
      lines.add(line);
      text += csvLine([...fields, ...marks(faults.filter((fault) => fault.line === line))]);
    }
    const blank = this.#columns.map(() => '');
    const others = faults.filter((fault) => !lines.has(fault.line));
    if (others.length > 0) text += csvLine([...blank, ...marks(others)]);
    return text;
  }
}

/** Starts with a byte order mark, because Excel does not recognize UTF-8 without one. */
function header(raw: RawRecord | null): string {
  return `\ufeff${csvLine([...(raw?.columns ?? []), ...ERROR_COLUMNS])}`;
}

/**
 * The values of `ERROR_COLUMNS` for one row; empty if the row has no fault of its own.
 */
function marks(faults: readonly Fault[]): string[] {
  const [first] = faults;
  if (first === undefined) return ERROR_COLUMNS.map(() => '');
  return [
    first.file,
    String(first.line),
    String(first.record),
    first.externalId ?? '',
    faults.map(({ column }) => column ?? '').join(' '),
    faults.map(({ code }) => code).join(' '),
    faults.map(({ message }) => message).join(' '),
  ].map((text) => text.trim());
}

/** Reads a corrected `FILE.errors.csv` of a format that is not a table: one record per row. */
export function errorsCsvOf(formats: readonly CatalogFormat[]): CatalogFormat {
  const byColumn: FormatsByColumn = new Map(
    formats
      .filter(({ readRecords }) => readRecords !== undefined)
      .map((format) => [format.recordColumn ?? format.name, format]),
  );
  return {
    name: 'errors-csv',
    detect(head) {
      const columns = headColumns(head);
      const column = [...byColumn.keys()].find((name) => columns.has(name));
      if (column === undefined || !columns.has('vitrine_code')) return null;
      return `the columns ${column}, vitrine_code`;
    },
    read: (source, options) => readErrorsCsv(byColumn, source, options),
  };
}

type FormatsByColumn = ReadonlyMap<string, CatalogFormat>;

async function* readErrorsCsv(
  formats: FormatsByColumn,
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const { columns, rows } = await openCsv(source.bytes);
  const index = columns.findIndex((column) => formats.has(column));
  const column = columns[index];
  const format = column === undefined ? undefined : formats.get(column);
  if (column === undefined || format === undefined) {
    const names = [...formats.keys()].join(', ');
    throw new AppError('invalid_input', `The first row has none of the columns ${names}.`);
  }
  const broken: Fault[] = [];
  const records = readCells(source.name, { column, index, rows }, broken);
  for await (const row of format.readRecords!(source.name, records, options)) {
    for (const fault of broken.splice(0)) yield { fault };
    yield row;
  }
  for (const fault of broken) yield { fault };
}

/** Yields the records in one column's cells; faults of a row itself go to `broken`. */
async function* readCells(
  file: string,
  {
    column,
    index,
    rows,
  }: { column: string; index: number; rows: Awaited<ReturnType<typeof openCsv>>['rows'] },
  broken: Fault[],
): AsyncGenerator<RecordText> {
  for await (const { line, record, fields, problem } of rows) {
    const text = fields[index] ?? '';
    if (problem === null) {
      yield { line, record, text, problem };
      continue;
    }
    const { findings } = recordFindings(file, { line, record, text }, column);
    findings.error(csvFinding(problem));
    broken.push(...findings.faults);
  }
}
