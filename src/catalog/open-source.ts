import { AppError } from '../domain/errors.ts';
import { openBytes, peekText } from './bytes/decompress.ts';
import { toUtf8 } from './bytes/encoding.ts';
import { detectFormat, FORMATS, formatNamed } from './formats.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  Mapping,
  ReaderOptions,
} from './record/reader.ts';

/** What its owner says of a file, in place of what can be told by its content. */
export interface SourceHints {
  readonly format?: string | undefined;
  readonly mapping?: Mapping | undefined;
  readonly encoding?: string | undefined;
}

/** A file whose format is known. */
export interface OpenedSource {
  readonly format: CatalogFormat;
  /** How the format was told, for a person. */
  readonly evidence: string;
  /** Can be read once. */
  rows(options: Omit<ReaderOptions, 'mapping'>): AsyncIterable<CatalogRow>;
}

/**
 * Opens a file, compressed or not, in any encoding that can be detected. Throws `unsupported_media_type`
 * if its format is unknown, and `too_large` while rows are read if it unfolds to more than `inflatedBytesMax`.
 */
export async function openSource(
  source: CatalogSource,
  { format: name, mapping, encoding }: SourceHints = {},
  inflatedBytesMax?: number,
): Promise<OpenedSource> {
  const named = name === undefined ? null : formatNamed(name);
  if (name !== undefined && named === null) {
    const names = FORMATS.map((format) => format.name).join(', ');
    throw new AppError('invalid_input', `There is no format "${name}": ${names}.`);
  }
  const { head, bytes } = await peekText(
    toUtf8(openBytes(source.bytes, inflatedBytesMax), encoding ?? null),
  );
  const file = { text: head, fileName: source.name, ...(mapping && { mapping }) };
  const detection = named === null ? detectFormat(file) : null;
  const format = named ?? detection?.format ?? null;
  if (format === null) throw unknownFormat(source.name, head);
  return {
    format,
    evidence: detection === null ? 'as --format says' : evidenceOf(detection),
    rows: (options) =>
      format.read({ name: source.name, bytes }, { ...options, ...(mapping && { mapping }) }),
  };
}

function evidenceOf({ evidence, others }: { evidence: string; others: readonly string[] }): string {
  if (others.length === 0) return `told by ${evidence}`;
  return `told by ${evidence}; it could be ${others.join(' or ')} too: --format chooses`;
}

/** How workbooks begin when they are read as UTF-8: zip archives, and the container of older Office files (D0 CF 11 E0 …). */
const WORKBOOKS = ['PK\u0003\u0004', '\ufffd\ufffd\u0011\u0871\u001a'];

/** Says what might help: most unknown files are workbooks, have another encoding, or other columns. */
function unknownFormat(name: string, head: string): AppError {
  const fault = (message: string) => new AppError('unsupported_media_type', `${name} ${message}.`);
  if (WORKBOOKS.some((start) => head.startsWith(start)))
    return fault('is a workbook or an archive, not text: save the sheet as CSV and import that');
  if (head.includes('\0'))
    return fault(
      'is not text: if it is UTF-16 without a byte order mark, --encoding utf-16le reads it',
    );
  return fault(
    'is of no known format: name one with --format (of Markdown, too, if its name does not end in .md), or the columns of a table with --map "Heading=id", "…=title", "…=price"',
  );
}
