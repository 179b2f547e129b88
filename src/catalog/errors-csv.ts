import { AppError } from '../domain/errors.ts';
import { csvFinding, csvLine, ERROR_COLUMNS, headColumns, openCsv } from './csv-table.ts';
import { Findings } from './findings.ts';
import { readJsonRecord } from './json-lines.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  Fault,
  RawRecord,
  ReaderOptions,
} from './reader.ts';

/**
 * Writes faults as a CSV that opens in a spreadsheet and can be imported again once mended: every
 * record at fault with all its rows as they stood in the file, and behind them what is wrong where.
 * A table keeps its columns and so its format; other formats have the record in the column `json`.
 * Text that a spreadsheet would take for a formula gets an apostrophe; reading takes it off again.
 *
 * Faults of one record have to come one after the other, as readers give them. Holds one record.
 */
export class ErrorsCsv {
  #columns: readonly string[] | null = null;
  /** Of one record. */
  #faults: Fault[] = [];

  /** Text to append to the file; often none until the record is complete. */
  add(fault: Fault): string {
    const [first] = this.#faults;
    const isSameRecord = first !== undefined && fault.raw !== null && fault.raw === first.raw;
    const text = isSameRecord ? '' : this.end();
    this.#faults.push(fault);
    return text;
  }

  /** The rest of the text. */
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

/** With the byte order mark without which Excel does not read UTF-8. */
function header(raw: RawRecord | null): string {
  return `\ufeff${csvLine([...(raw?.columns ?? []), ...ERROR_COLUMNS])}`;
}

/**
 * What the columns of `ERROR_COLUMNS` say of one row, nothing if it is only there to be complete.
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

/**
 * `FILE.errors.csv` of a format that is no table, taken back in: vitrine's own JSON, one record a
 * row.
 */
export const errorsCsv: CatalogFormat = {
  name: 'errors-csv',
  detect(head) {
    const columns = headColumns(head);
    return columns.has('json') && columns.has('vitrine_code');
  },
  read: readErrorsCsv,
};

async function* readErrorsCsv(
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const { columns, rows } = await openCsv(source.bytes);
  const index = columns.indexOf('json');
  if (index === -1) throw new AppError('invalid_input', 'The first row has no column json.');
  for await (const { line, record, fields, problem } of rows) {
    const text = fields[index] ?? '';
    if (problem === null) {
      const whole = { number: line, text, problem };
      yield* readJsonRecord({ file: source.name, record, line: whole }, options);
    } else {
      const raw = { columns: ['json'], rows: [{ line, fields: [text] }] };
      const findings = new Findings({ file: source.name, line, record, raw });
      findings.error(csvFinding(problem));
      for (const fault of findings.faults) yield { fault };
    }
  }
}
