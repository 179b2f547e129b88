import { AppError } from '../../domain/errors.ts';
import type { Archive } from './archive.ts';
import {
  builtInFormat,
  dateText,
  GENERAL,
  type NumberFormat,
  numberText,
  parseFormat,
  percentText,
} from './number-format.ts';
import { RowCells, type Sheet, type SheetRow } from './sheet.ts';
import { parseXml, readXml } from './xml-events.ts';

/** Characters and number of the texts that cells share; they stay in memory. */
const SHARED_LENGTH_MAX = 128 * 1024 * 1024;
const SHARED_COUNT_MAX = 4_000_000;

/** Excel's own limits. */
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

interface Book {
  readonly texts: readonly string[];
  /** By the style index of a cell. */
  readonly formats: readonly NumberFormat[];
  /** Whether dates count from 1904. */
  readonly is1904: boolean;
}

/** The visible sheets of an Office Open XML workbook (ECMA-376), in their order. */
export async function* xlsxSheets(archive: Archive): AsyncGenerator<Sheet> {
  const path = archive.names.find((name) => /(?:^|\/)workbook\.xml$/i.test(name));
  if (path === undefined) return;
  const folder = path.slice(0, path.length - 'workbook.xml'.length);
  const { sheets, is1904 } = await readBook(archive, path);
  const parts = await readParts(archive, folder);
  let book: Promise<Book> | null = null;
  const openBook = async (): Promise<Book> => ({
    texts: await readTexts(archive, `${folder}sharedStrings.xml`),
    formats: await readFormats(archive, `${folder}styles.xml`),
    is1904,
  });
  for (const { name, id } of sheets) {
    const part = parts.get(id);
    if (part === undefined || !archive.has(part)) continue;
    const rows = async function* () {
      book ??= openBook();
      yield* readRows(archive.read(part), await book);
    };
    yield { name, rows };
  }
}

async function readBook(
  archive: Archive,
  path: string,
): Promise<{ sheets: { name: string; id: string }[]; is1904: boolean }> {
  const sheets: { name: string; id: string }[] = [];
  let is1904 = false;
  await readXml(archive.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet' || /hidden/i.test(attributes['state'] ?? '')) return;
      const id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? '';
      sheets.push({ name: attributes['name'] ?? '', id });
    },
  });
  return { sheets, is1904 };
}

/** The workbook's parts by their relationship ids. */
async function readParts(archive: Archive, folder: string): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  await readXml(archive.read(`${folder}_rels/workbook.xml.rels`), {
    open(name, { Id: id = '', Target: target = '' }) {
      if (name === 'Relationship')
        parts.set(id, target.startsWith('/') ? target.slice(1) : `${folder}${target}`);
    },
  });
  return parts;
}

/** The shared texts; formatting inside a text and its phonetic guides are left out. */
async function readTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  const collector = new TextCollector();
  await readXml(archive.read(path), {
    open(name) {
      if (name === 'si') collector.begin();
      collector.open(name);
    },
    text: (text) => collector.add(text),
    close(name) {
      collector.close(name);
      if (name !== 'si') return;
      const text = collector.take();
      texts.push(text);
      length += text.length;
      if (length > SHARED_LENGTH_MAX || texts.length > SHARED_COUNT_MAX)
        throw new AppError('too_large', 'The workbook has too much text: save the sheet as CSV.');
    },
  });
  return texts;
}

async function readFormats(archive: Archive, path: string): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isCellStyle = false;
  await readXml(archive.read(path), {
    open(name, attributes) {
      const id = Number(attributes['numFmtId']);
      if (name === 'numFmt') own.set(id, parseFormat(attributes['formatCode'] ?? ''));
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'xf' && isCellStyle) formats.push(own.get(id) ?? builtInFormat(id));
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formats;
}

async function* readRows(bytes: AsyncIterable<Uint8Array>, book: Book): AsyncGenerator<SheetRow> {
  const reader = new RowReader(book);
  for await (const _ of parseXml(bytes, reader)) yield* reader.takeRows();
}

class RowReader {
  readonly #book: Book;
  readonly #cells = new RowCells();
  readonly #collector = new TextCollector();
  #rows: SheetRow[] = [];
  #row = 0;
  #column = -1;
  #type = '';
  #style = '';

  constructor(book: Book) {
    this.#book = book;
  }

  takeRows(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#row = Math.max(this.#row + 1, Number(attributes['r']) || 0);
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = columnOf(attributes['r']) ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#style = attributes['s'] ?? '';
      this.#collector.begin();
    } else this.#collector.open(name);
  }

  text(text: string): void {
    this.#collector.add(text);
  }

  close(name: string): void {
    if (name === 'c') {
      const text = this.#cellText(this.#collector.take());
      if (this.#column < COLUMN_MAX) this.#cells.set(this.#column, text);
    } else if (name === 'row') {
      const cells = this.#cells.take();
      if (cells.length > 0 && this.#row <= ROW_MAX) this.#rows.push({ number: this.#row, cells });
    } else this.#collector.close(name);
  }

  #cellText(value: string): string {
    if (value === '') return '';
    if (this.#type === 's') return this.#book.texts[Number(value)] ?? '';
    if (this.#type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (this.#type !== 'n') return value;
    const format = this.#book.formats[Number(this.#style)] ?? GENERAL;
    if (format.kind === 'date') return dateText(value, this.#book.is1904);
    return format.kind === 'percent' ? percentText(value) : numberText(value, format);
  }
}

/** Collects what stands in `<v>` or `<t>`, but not the phonetic guides. */
class TextCollector {
  #text = '';
  #isValue = false;
  #isGuide = false;

  begin(): void {
    this.#text = '';
    this.#isValue = false;
    this.#isGuide = false;
  }

  open(name: string): void {
    if (name === 'rPh') this.#isGuide = true;
    this.#isValue = name === 'v' || name === 't';
  }

  add(text: string): void {
    if (this.#isValue && !this.#isGuide) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isGuide = false;
    this.#isValue = false;
  }

  /** With Excel's escapes for characters that XML forbids: `_x000D_`. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    if (!text.includes('_x')) return text;
    return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}

/** The column of a reference such as `AB12`, from 0; null if there is none. */
function columnOf(reference: string | undefined): number | null {
  let column = 0;
  for (const letter of reference ?? '') {
    const digit = letter.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
  }
  return column === 0 ? null : column - 1;
}
