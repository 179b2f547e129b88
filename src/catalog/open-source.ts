import { AppError } from '../domain/errors.ts';
import { openBytes, peekText } from './bytes/decompress.ts';
import { type Encoding, openText } from './bytes/encoding.ts';
import { detectFormat, FORMATS, formatNamed } from './formats.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  Mapping,
  ReaderOptions,
} from './record/reader.ts';

/** What the caller says about a file; overrides detection. */
export interface SourceHints {
  readonly format?: string | undefined;
  readonly mapping?: Mapping | undefined;
  readonly encoding?: string | undefined;
}

/** A file whose format is known. */
export interface OpenedSource {
  readonly format: CatalogFormat;
  /** How the format was determined, and the encoding unless it is UTF-8, for messages. */
  readonly evidence: string;
  /** Can be read once. */
  rows(options: Omit<ReaderOptions, 'mapping'>): AsyncIterable<CatalogRow>;
}

/**
 * Opens a file, compressed or not, in any encoding that can be detected. Throws `unsupported_media_type`
 * if its format is unknown; reading rows throws `too_large` beyond `inflatedBytesMax` decompressed bytes.
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
  const text = await openText(openBytes(source.bytes, inflatedBytesMax), encoding ?? null);
  const { head, bytes } = await peekText(text.bytes);
  const file = { text: head, fileName: source.name, ...(mapping && { mapping }) };
  const detection = named === null ? detectFormat(file) : null;
  const format = named ?? detection?.format ?? null;
  if (format === null) throw unknownFormat(source.name, head);
  return {
    format,
    evidence: `${detection === null ? 'as --format says' : evidenceOf(detection)}${encodingNote(text.encoding)}`,
    rows: (options) =>
      format.read({ name: source.name, bytes }, { ...options, ...(mapping && { mapping }) }),
  };
}

function evidenceOf({ evidence, others }: { evidence: string; others: readonly string[] }): string {
  if (others.length === 0) return `detected by ${evidence}`;
  return `detected by ${evidence}; it could also be ${others.join(' or ')}: choose with --format`;
}

function encodingNote(encoding: Encoding | null): string {
  if (encoding === null) return '';
  const { label, from } = encoding;
  return `; read as ${label}${from === 'guess' ? ' by its bytes: --encoding names another' : ''}`;
}

/** The first characters of workbooks decoded as UTF-8: zip archives, and older Office files (D0 CF 11 E0 …). */
const WORKBOOKS = ['PK\u0003\u0004', '\ufffd\ufffd\u0011\u0871\u001a'];

/** Suggests a remedy: most unknown files are workbooks, or have another encoding or other columns. */
function unknownFormat(name: string, head: string): AppError {
  const fault = (message: string) => new AppError('unsupported_media_type', `${name} ${message}.`);
  if (WORKBOOKS.some((start) => head.startsWith(start)))
    return fault('is a workbook or an archive, not text: save the sheet as CSV and import that');
  if (head.includes('\0'))
    return fault('is not text: if it is UTF-16 without a byte order mark, use --encoding utf-16le');
  return fault(
    'has an unknown format: name the format with --format (also for Markdown, if the file name does not end in .md), or map the columns of a table with --map "Heading=id", "…=title", "…=price"',
  );
}
