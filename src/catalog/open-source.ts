import { AppError } from '../domain/errors.ts';
import { INFLATED_MAX, openBytes, peekText, readHead } from './bytes/decompress.ts';
import { type Encoding, openText } from './bytes/encoding.ts';
import { detectFormat, FORMATS, formatNamed } from './formats.ts';
import { doubtfulTable, guessTable, table } from './guess-table.ts';
import type { TableGuess } from './mapping/guess-columns.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  Mapping,
  ReaderOptions,
} from './record/reader.ts';
import { openContainer, type WorkbookSheet } from './workbooks/open-container.ts';

/** What the caller says about a file; overrides detection. */
export interface SourceHints {
  readonly format?: string | undefined;
  readonly mapping?: Mapping | undefined;
  readonly encoding?: string | undefined;
  /** Name of a workbook's sheet, in any case. */
  readonly sheet?: string | undefined;
  /** Opens a table even if the guess of its columns is not sure; the caller asks a person. */
  readonly takesDoubtful?: boolean;
}

/** A file whose format is known. */
export interface OpenedSource {
  readonly format: CatalogFormat;
  /** How the format was determined, and the encoding unless it is UTF-8, for messages. */
  readonly evidence: string;
  /** What the columns of a table of unknown origin were taken for; null for every other format. */
  readonly guess: TableGuess | null;
  /** Can be read once. */
  rows(options: Omit<ReaderOptions, 'mapping'>): AsyncIterable<CatalogRow>;
}

/**
 * Opens a file: compressed or not, text in any encoding that can be detected, or a workbook. Of a workbook's
 * sheets it reads the one that `hints` names, or the first with a known format, or the first whose columns
 * can be guessed. Throws `unsupported_media_type` if the format is unknown or the guess is not sure; reading
 * rows throws `too_large` beyond `inflatedMax` decompressed bytes.
 */
export async function openSource(
  source: CatalogSource,
  hints: SourceHints = {},
  inflatedMax = INFLATED_MAX,
): Promise<OpenedSource> {
  const { name } = source;
  const named = hints.format === undefined ? null : knownFormat(hints.format);
  const container = await openContainer(openBytes(source.bytes, inflatedMax), {
    name,
    inflatedMax,
  });
  if (container.sheets !== null) return openSheet(name, container.sheets, { named, hints });
  if (hints.sheet !== undefined)
    throw new AppError('invalid_input', `${name} is not a workbook: --sheet needs one.`);
  const text = await openText(container.bytes, hints.encoding ?? null);
  const { head, bytes } = await peekText(text.bytes);
  const identified =
    identify({ name, head }, { named, hints }) ??
    (await guessed(head, hints)) ??
    unknownFormat(name, head);
  const evidence = `${identified.evidence}${encodingNote(text.encoding)}`;
  return opened(name, { identified: { ...identified, evidence }, hints, bytes: () => bytes });
}

/** What a file or sheet is, and how that was determined. */
interface Identified {
  readonly format: CatalogFormat;
  readonly evidence: string;
  readonly guess: TableGuess | null;
  readonly mapping: Mapping | undefined;
}

interface Wishes {
  /** The format that the caller names. */
  readonly named: CatalogFormat | null;
  readonly hints: SourceHints;
}

async function openSheet(
  name: string,
  sheets: AsyncIterable<WorkbookSheet>,
  wishes: Wishes,
): Promise<OpenedSource> {
  const wanted = wishes.hints.sheet?.toLowerCase();
  const names: string[] = [];
  let filled: { sheet: WorkbookSheet; head: string } | null = null;
  let fallback: { sheet: WorkbookSheet; identified: Identified } | null = null;
  const openAs = (sheet: WorkbookSheet, identified: Identified) => {
    const evidence = `${identified.evidence}; sheet "${sheet.name}"`;
    const bytes = () => sheet.csv();
    return opened(name, { identified: { ...identified, evidence }, hints: wishes.hints, bytes });
  };
  for await (const sheet of sheets) {
    names.push(sheet.name);
    if (wanted !== undefined && sheet.name.toLowerCase() !== wanted) continue;
    const head = await readHead(sheet.csv());
    if (head.trim() === '') continue;
    filled ??= { sheet, head };
    const identified = identify({ name, head }, wishes);
    if (identified !== null) return openAs(sheet, identified);
    const guess = await guessed(head, wishes.hints);
    if (guess !== null) fallback ??= { sheet, identified: guess };
  }
  if (fallback !== null) return openAs(fallback.sheet, fallback.identified);
  if (wanted !== undefined && !names.some((each) => each.toLowerCase() === wanted))
    throw new AppError(
      'invalid_input',
      `${name} has the sheets ${names.join(', ')}: --sheet names one.`,
    );
  if (filled === null)
    throw new AppError('unsupported_media_type', `${name} has no sheet with text.`);
  return unknownFormat(`${name}, sheet "${filled.sheet.name}"`, filled.head);
}

function knownFormat(name: string): CatalogFormat {
  const format = formatNamed(name);
  if (format !== null) return format;
  const names = FORMATS.map((each) => each.name).join(', ');
  throw new AppError('invalid_input', `There is no format "${name}": ${names}.`);
}

/** By the format that the caller names, or the signs of a known one; null if it has none. */
function identify(
  { name, head }: { name: string; head: string },
  { named, hints }: Wishes,
): Identified | null {
  const { mapping } = hints;
  const known = { guess: null, mapping };
  if (named === table) return null;
  if (named !== null) return { ...known, format: named, evidence: 'as --format says' };
  const detection = detectFormat({ text: head, fileName: name, ...(mapping && { mapping }) });
  return detection && { ...known, format: detection.format, evidence: evidenceOf(detection) };
}

/** As a table whose columns are guessed; null if it is no list of products. */
async function guessed(head: string, { mapping: given }: SourceHints): Promise<Identified | null> {
  const found = await guessTable(head, given);
  return found && { ...found, format: table, evidence: 'columns guessed by headings and values' };
}

function opened(
  name: string,
  {
    identified: { format, evidence, guess, mapping },
    hints,
    bytes,
  }: { identified: Identified; hints: SourceHints; bytes: () => AsyncIterable<Uint8Array> },
): OpenedSource {
  if (guess !== null && guess.doubts.length > 0 && hints.takesDoubtful !== true)
    throw doubtfulTable(name, guess);
  return {
    format,
    evidence,
    guess,
    rows: (options) =>
      format.read({ name, bytes: bytes() }, { ...options, ...(mapping && { mapping }) }),
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

/** Members of a JSON object that a message names. */
const MEMBERS_NAMED = 12;

/** Suggests a remedy: most unknown files have another encoding or other columns. */
function unknownFormat(name: string, head: string): never {
  const fault = (message: string) => new AppError('unsupported_media_type', `${name} ${message}.`);
  if (head.trim() === '') throw fault('is empty');
  if (head.includes('\0'))
    throw fault('is not text: if it is UTF-16 without a byte order mark, use --encoding utf-16le');
  if (/^[\s\ufeff]*[[{]/.test(head)) throw fault(`has an unknown format: ${jsonRemedy(head)}`);
  throw fault(
    'has an unknown format: name the format with --format (also for Markdown, if the file name does not end in .md), or map the columns of a table with --map "Heading=id" --map "…=title" --map "…=price"',
  );
}

/** What JSON needs in order to be read as products. */
function jsonRemedy(head: string): string {
  const members = [...head.matchAll(/"([\w -]{1,40})"[ \t]*:/g)].map(([, name]) => name);
  const named = [...new Set(members)].slice(0, MEMBERS_NAMED).join(', ');
  return `JSON ${named === '' ? 'without members' : `with the members ${named}`}. Each product needs an id, a title, and a price or a link: if they have other names, map them, as in --map "article_number=id"`;
}
