import { AppError } from '../../domain/errors.ts';

/** One row with cells. */
export interface SheetRow {
  /** As the sheet counts them, from 1. */
  readonly number: number;
  /** Texts from the first column on; empty cells at the end are absent. */
  readonly cells: readonly string[];
}

/** A sheet of a workbook. Can be read several times. */
export interface Sheet {
  readonly name: string;
  rows(): AsyncIterable<SheetRow>;
}

/** Rows whose widths decide how many columns the sheet has. */
const WIDTH_ROWS = 50;

/** Longest row, in characters; Excel's own limits allow far more. */
const ROW_LENGTH_MAX = 10 * 1024 * 1024;

/** Length of the chunks of text. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * The rows as CSV, so that a sheet is read as any other table. The line number is the row number: rows without
 * cells become blank lines, and line breaks inside cells become U+2028, which every reader takes for one.
 * Cells to the right of all headings are dropped. Throws `too_large` beyond `bytesMax` bytes, because a
 * cell and a row can be stored once and repeat a million times.
 */
export async function* sheetCsv(
  rows: AsyncIterable<SheetRow>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const writer = new CsvWriter();
  const start: SheetRow[] = [];
  let length = 0;
  for await (const row of rows) {
    if (writer.width > 0) writer.add(row);
    else if (start.push(row) >= WIDTH_ROWS) writer.begin(start.splice(0));
    if (writer.text.length < CHUNK_LENGTH) continue;
    const bytes = writer.take();
    length += bytes.length;
    if (length > bytesMax) throw new AppError('too_large', 'The sheet is too large.');
    yield bytes;
  }
  if (writer.width === 0) writer.begin(start);
  yield writer.take();
}

class CsvWriter {
  text = '';
  /** Number of columns; zero until the first rows are known. */
  width = 0;
  #line = 1;

  begin(rows: readonly SheetRow[]): void {
    this.width = Math.max(1, ...rows.map(({ cells }) => cells.length));
    for (const row of rows) this.add(row);
  }

  add({ number, cells }: SheetRow): void {
    if (number > this.#line) {
      this.text += '\n'.repeat(number - this.#line);
      this.#line = number;
    }
    const fields = cells.length > this.width ? cells.slice(0, this.width) : cells;
    this.text += `${fields.map(csvField).join(',')}${','.repeat(this.width - fields.length)}\n`;
    this.#line += 1;
  }

  take(): Uint8Array {
    const bytes = new TextEncoder().encode(this.text);
    this.text = '';
    return bytes;
  }
}

function csvField(cell: string): string {
  if (/^[\w .-]*$/.test(cell)) return cell;
  return `"${cell.replace(/\r\n?|\n/g, '\u2028').replaceAll('"', '""')}"`;
}

/** Collects the cells of one row. */
export class RowCells {
  #cells: string[] = [];
  #length = 0;

  /** Throws `too_large` beyond 10 MiB of text. */
  set(column: number, text: string): void {
    if (text === '') return;
    this.#length += text.length + Math.max(0, column - this.#cells.length);
    if (this.#length > ROW_LENGTH_MAX)
      throw new AppError('too_large', 'A row of the sheet is longer than 10 MiB.');
    while (this.#cells.length < column) this.#cells.push('');
    this.#cells[column] = text;
  }

  take(): string[] {
    const cells = this.#cells;
    this.#cells = [];
    this.#length = 0;
    return cells;
  }
}
