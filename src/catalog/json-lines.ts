import { type Finding, Findings } from './findings.ts';
import { hasForbiddenText, isJsonObject } from './json-fields.ts';
import { readItem } from './json-item.ts';
import { type Line, readLines } from './lines.ts';
import type { CatalogFormat, CatalogRow, CatalogSource, ReaderOptions } from './reader.ts';

/** Deepest nesting of objects and lists that is parsed. */
const DEPTH_MAX = 32;

/**
 * Vitrine's own format, and what an export writes: one JSON object a line, products and contexts.
 */
export const jsonLines: CatalogFormat = {
  name: 'json-lines',
  detect: (head) => /^[ \t]*\{.*"externalId"[ \t]*:/m.test(head),
  read: readJsonLines,
};

async function* readJsonLines(
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  let record = 0;
  for await (const line of readLines(source.bytes)) {
    if (line.problem === null && line.text.trim() === '') continue;
    record += 1;
    yield* readJsonRecord({ file: source.name, record, line }, options);
  }
}

/** A record of this format where it stands. */
interface JsonRecord {
  readonly file: string;
  readonly record: number;
  readonly line: Line;
}

/** The item of one JSON text and what is wrong with it: at least one row, the item last. */
export function readJsonRecord(
  { file, record, line }: JsonRecord,
  options: ReaderOptions,
): CatalogRow[] {
  const raw = { columns: ['json'], rows: [{ line: line.number, fields: [line.text] }] };
  const findings = new Findings({ file, line: line.number, record, raw });
  const value = parseLine(line, findings);
  const item = isJsonObject(value) ? readItem(value, findings, options) : null;
  const rows: CatalogRow[] = findings.faults.map((fault) => ({ fault }));
  if (item !== null) rows.push({ item, file, line: line.number, record, raw });
  return rows;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  invalid_utf8: 'The line is not UTF-8.',
  line_too_long: 'The line is longer than 10 MiB.',
  invalid_json: 'The line is not JSON.',
  too_deep: `The line nests objects and lists more than ${DEPTH_MAX} deep.`,
  forbidden_text: 'The line holds a NUL or half a character.',
  wrong_type: 'The line is JSON but no object.',
};

/** The object on the line, or null with the reason in `findings`. */
function parseLine({ text, problem }: Line, findings: Findings): unknown {
  const { code, value } = problem === null ? parseJson(text) : { code: problem, value: null };
  if (code !== null) findings.error(unreadable(code));
  return value;
}

function unreadable(code: string): Finding {
  return { column: null, code, message: UNREADABLE[code] ?? 'The line cannot be read.' };
}

/**
 * `\u0000` and escaped surrogates, which are to be looked at more closely; most lines have none.
 */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function parseJson(text: string): { code: string | null; value: unknown } {
  if (text.includes('\0')) return { code: 'forbidden_text', value: null };
  if (isDeeperThan(DEPTH_MAX, text)) return { code: 'too_deep', value: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'invalid_json', value: null };
  }
  if (SUSPECT_ESCAPE.test(text) && hasForbiddenText(value)) {
    return { code: 'forbidden_text', value: null };
  }
  return isJsonObject(value) ? { code: null, value } : { code: 'wrong_type', value: null };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether brackets outside strings nest deeper than `max`. Right for JSON; anything else fails to
 * parse anyway.
 */
function isDeeperThan(max: number, text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** Index of the quote that closes the string opened at `start`, or of the text's end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
