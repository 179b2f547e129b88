import { AppError } from '../../domain/errors.ts';
import { peekBytes } from '../bytes/decompress.ts';
import { Archive } from './archive.ts';
import { odsSheets } from './ods.ts';
import { type Sheet, sheetCsv } from './sheet.ts';
import { xlsxSheets } from './xlsx.ts';

/** A table inside a workbook. */
export interface WorkbookSheet {
  readonly name: string;
  /** The sheet as CSV in UTF-8, the row numbers being its line numbers. Can be called several times. */
  csv(): AsyncGenerator<Uint8Array>;
}

/** A file, opened as what it contains: text, or the visible sheets of a workbook. */
export type Container =
  | { readonly sheets: null; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly sheets: AsyncIterable<WorkbookSheet> };

/** `PK`, 3, 4: a zip archive. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** An OLE file: Excel before 2007, or any encrypted workbook. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Opens an .xlsx or .ods workbook, or a zip archive with a single file; all else passes unchanged. Throws
 * `unsupported_media_type` for workbooks that cannot be read, `invalid_input` for damaged ones, and
 * `too_large` beyond `inflatedMax` decompressed bytes of one sheet or the limits of `Archive`.
 */
export async function openContainer(
  stream: AsyncIterable<Uint8Array>,
  { name, inflatedMax }: { name: string; inflatedMax: number },
): Promise<Container> {
  const { head, bytes } = await peekBytes(stream, ZIP.length);
  const fault = (message: string) => new AppError('unsupported_media_type', `${name} ${message}.`);
  if (OLE.every((byte, index) => head[index] === byte))
    throw fault('is a workbook of Excel before 2007 or has a password: save it as .xlsx or CSV');
  if (!ZIP.every((byte, index) => head[index] === byte)) return { sheets: null, bytes };
  const archive = await Archive.open(bytes, inflatedMax);
  const [only] = archive.names;
  if (only !== undefined && archive.names.length === 1)
    return { sheets: null, bytes: archive.read(only) };
  const isOds = archive.has('content.xml') && archive.has('META-INF/manifest.xml');
  const isWorkbook = isOds || archive.names.some((each) => /(?:^|\/)workbook\.xml$/i.test(each));
  if (isWorkbook)
    return { sheets: sheetsOf(isOds ? odsSheets(archive) : xlsxSheets(archive), inflatedMax) };
  throw fault(
    archive.names.some((each) => /^xl\//i.test(each))
      ? 'is a binary or incomplete workbook: save it again as .xlsx or CSV'
      : 'is an archive of several files: extract it and import one of them',
  );
}

async function* sheetsOf(
  sheets: AsyncIterable<Sheet>,
  bytesMax: number,
): AsyncGenerator<WorkbookSheet> {
  for await (const { name, rows } of sheets) yield { name, csv: () => sheetCsv(rows(), bytesMax) };
}
