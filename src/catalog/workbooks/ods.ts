import type { Archive } from './archive.ts';
import { GENERAL, numberText, percentText } from './number-format.ts';
import { RowCells, type Sheet, type SheetRow } from './sheet.ts';
import { parseXml } from './xml-events.ts';

/** LibreOffice's own limits; empty rows and cells are stored as one that repeats to the end of the sheet. */
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

/** Most spaces that `<text:s>` can stand for. */
const SPACES_MAX = 1000;

const CONTENT = 'content.xml';

/** The visible sheets of an OpenDocument spreadsheet (ISO/IEC 26300), in their order. */
export async function* odsSheets(archive: Archive): AsyncGenerator<Sheet> {
  for (let index = 0; ; index += 1) {
    const table = await findTable(archive, index);
    if (table === null) return;
    if (table.isHidden) continue;
    yield { name: table.name, rows: () => readRows(archive.read(CONTENT), index) };
  }
}

/** Reads no further than the start of the table, because all tables are in one file. */
async function findTable(
  archive: Archive,
  index: number,
): Promise<{ name: string; isHidden: boolean } | null> {
  const hidden = new Set<string>();
  let style = '';
  let count = 0;
  let found: { name: string; isHidden: boolean } | null = null;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'style') style = attributes['style:name'] ?? '';
    if (name === 'table-properties' && attributes['table:display'] === 'false') hidden.add(style);
    if (name !== 'table') return;
    count += 1;
    if (count !== index + 1) return;
    const isHidden = hidden.has(attributes['table:style-name'] ?? '');
    found = { name: attributes['table:name'] ?? '', isHidden };
  };
  for await (const _ of parseXml(archive.read(CONTENT), { open })) if (found !== null) break;
  return found;
}

async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  table: number,
): AsyncGenerator<SheetRow> {
  const reader = new TableReader(table);
  for await (const _ of parseXml(bytes, reader)) {
    yield* reader.takeRows();
    if (reader.isDone) return;
  }
}

class TableReader {
  isDone = false;
  readonly #wanted: number;
  readonly #cells = new RowCells();
  #table = -1;
  #rows: SheetRow[] = [];
  #row = 0;
  #rowRepeats = 1;
  #column = 0;
  #cell: Readonly<Record<string, string>> = {};
  /** The text that the cell shows; its paragraphs become lines. */
  #shown = '';
  #isParagraph = false;
  #noteDepth = 0;

  constructor(table: number) {
    this.#wanted = table;
  }

  takeRows(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'table') this.#table += 1;
    if (this.#table !== this.#wanted) return;
    if (name === 'table-row') {
      this.#column = 0;
      this.#rowRepeats = repeats(attributes['table:number-rows-repeated'], ROW_MAX);
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = attributes;
      this.#shown = '';
    } else if (name === 'annotation') this.#noteDepth += 1;
    else if (this.#noteDepth === 0) this.#openText(name, attributes);
  }

  text(text: string): void {
    if (this.#isParagraph && this.#noteDepth === 0) this.#shown += text;
  }

  close(name: string): void {
    if (this.#table !== this.#wanted) return;
    if (name === 'annotation') this.#noteDepth -= 1;
    else if (name === 'p' || name === 'h') this.#isParagraph = false;
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#closeCell();
    else if (name === 'table-row') this.#closeRow();
    else if (name === 'table') this.isDone = true;
  }

  #openText(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'p' || name === 'h') {
      if (this.#shown !== '') this.#shown += '\n';
      this.#isParagraph = true;
    } else if (name === 's') this.#shown += ' '.repeat(repeats(attributes['text:c'], SPACES_MAX));
    else if (name === 'tab') this.#shown += '\t';
    else if (name === 'line-break') this.#shown += '\n';
  }

  #closeCell(): void {
    const count = repeats(this.#cell['table:number-columns-repeated'], COLUMN_MAX);
    const text = cellText(this.#cell, this.#shown);
    if (text !== '') {
      const end = Math.min(this.#column + count, COLUMN_MAX);
      for (let column = this.#column; column < end; column += 1) this.#cells.set(column, text);
    }
    this.#column += count;
  }

  #closeRow(): void {
    const cells = this.#cells.take();
    const end = Math.min(this.#row + this.#rowRepeats, ROW_MAX);
    if (cells.length > 0)
      for (let row = this.#row; row < end; row += 1) this.#rows.push({ number: row + 1, cells });
    this.#row = end;
  }
}

/** The value of a cell, not how the sheet's locale writes it. */
function cellText(cell: Readonly<Record<string, string>>, shown: string): string {
  const value = cell['office:value'] ?? '';
  switch (cell['office:value-type']) {
    case 'float':
      return /^0\d+$/.test(shown) ? shown : numberText(value, { ...GENERAL, ...shownAs(shown) });
    case 'currency': {
      const currency = cell['office:currency'] ?? '';
      return numberText(value, { ...GENERAL, ...shownAs(shown), currency });
    }
    case 'percentage':
      return percentText(value);
    case 'date':
      return cell['office:date-value'] ?? shown;
    case 'boolean':
      return cell['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
    default:
      return cell['office:string-value'] ?? shown;
  }
}

/** The decimals that the cell shows; none if it shows an exponent. */
function shownAs(shown: string): { decimals: number | null } {
  const decimals = /^[^E]*\d[.,](\d{1,2})(?:\D*)$/i.exec(shown)?.[1];
  return { decimals: decimals?.length ?? null };
}

function repeats(text: string | undefined, max: number): number {
  const count = Number(text ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, max) : 1;
}
