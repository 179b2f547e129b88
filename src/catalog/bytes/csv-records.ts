import type { Line } from './lines.ts';

/**
 * Limits for the characters and lines of one record. Without them, an unclosed quote would swallow the
 * rest of the file.
 */
const RECORD_LENGTH_MAX = 10 * 1024 * 1024;
const RECORD_LINE_COUNT_MAX = 10_000;

export type CsvProblem =
  | 'invalid_utf8'
  | 'line_too_long'
  | 'forbidden_text'
  | 'stray_quote'
  | 'unclosed_quote'
  | 'column_count';

/** One record of a CSV file. */
export interface CsvRecord {
  /** Physical line on which the record begins, from 1. */
  readonly line: number;
  /** One per column. If there is a problem, the record is split as well as possible. */
  readonly fields: readonly string[];
  readonly problem: CsvProblem | null;
}

/**
 * Joins lines into records as RFC 4180 defines them. A broken record costs only its first line: parsing
 * resumes on its second, so that a stray quote damages nothing else. Lines after a broken quote that
 * form no record belong to the broken one and count as one problem.
 *
 * csv-parse is no replacement because it cannot backtrack: a stray quote swallows everything up to the
 * next one, or the whole file. Here every line of an open record is read at most twice.
 */
export class CsvRecords {
  #delimiter: string;
  /** Number of columns; zero until the first record. */
  #width = 0;
  #open: Line[] = [];
  #openLength = 0;
  #fields: string[] = [];
  /** The start of a quoted field that continues on the next line; null outside quotes. */
  #quoted: string | null = null;
  /** A record with a broken quote that later lines may belong to. */
  #broken: { problem: CsvProblem; lines: Line[] } | null = null;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Returns the records that this line completes. Skips blank lines. */
  push(line: Line): CsvRecord[] {
    const done: CsvRecord[] = [];
    const waiting = [line];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.#take(next, waiting, done);
    }
    return done;
  }

  /** Returns the records that the end of the file completes. */
  end(): CsvRecord[] {
    const done: CsvRecord[] = [];
    while (this.#open.length > 0) {
      const waiting: Line[] = [];
      this.#fail('unclosed_quote', waiting, done);
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        this.#take(next, waiting, done);
      }
    }
    this.#flushBroken(done);
    return done;
  }

  #take(line: Line, waiting: Line[], done: CsvRecord[]): void {
    if (this.#open.length === 0 && line.problem === null && isBlank(line.text, this.#delimiter))
      return;
    this.#open.push(line);
    this.#openLength += line.text.length;
    if (line.problem !== null) {
      if (this.#open.length === 1) this.#emit(line.problem, done);
      else this.#fail('unclosed_quote', waiting, done);
      return;
    }
    const state = this.#scan(line.text);
    if (state === 'stray') {
      this.#fail('stray_quote', waiting, done);
    } else if (state === 'open') {
      const isTooLong = this.#openLength > RECORD_LENGTH_MAX;
      if (isTooLong || this.#open.length >= RECORD_LINE_COUNT_MAX) {
        this.#fail('unclosed_quote', waiting, done);
      }
    } else if (this.#width === 0 || hasWidth(this.#fields, this.#width)) {
      this.#emit(null, done);
    } else {
      this.#fail('column_count', waiting, done);
    }
  }

  /** Scans the next line of the open record. */
  #scan(text: string): 'done' | 'open' | 'stray' {
    if (this.#quoted === null && !text.includes('"')) {
      this.#fields = text.split(this.#delimiter);
      return 'done';
    }
    const scan = scanLine({ text, delimiter: this.#delimiter, quoted: this.#quoted }, this.#fields);
    this.#quoted = scan.quoted;
    return scan.state;
  }

  /** Reports the first line of the open record as broken and puts the others back. */
  #fail(problem: CsvProblem, waiting: Line[], done: CsvRecord[]): void {
    const [first, ...others] = this.#open as [Line, ...Line[]];
    waiting.push(...others.reverse());
    this.#open = [first];
    if (problem === 'stray_quote') {
      const loose = splitLoosely(first.text, this.#delimiter);
      if (loose.isClean && this.#width > 0 && hasWidth(loose.fields, this.#width)) {
        this.#fields = loose.fields;
        this.#emit(null, done);
        return;
      }
    }
    this.#emit(others.length > 0 && problem === 'column_count' ? 'stray_quote' : problem, done);
  }

  #emit(problem: CsvProblem | null, done: CsvRecord[]): void {
    const [line] = this.#open as [Line];
    const fields = this.#fields;
    this.#open = [];
    this.#openLength = 0;
    this.#fields = [];
    this.#quoted = null;
    if (problem === null) {
      this.#flushBroken(done);
      if (this.#width === 0) this.#width = fields.length;
      done.push({
        line: line.number,
        fields: fields.slice(0, this.#width),
        problem: checked(fields),
      });
    } else if (this.#broken !== null && isMalformed(problem)) {
      this.#broken.lines.push(line);
      if (this.#broken.lines.length >= RECORD_LINE_COUNT_MAX) this.#flushBroken(done);
    } else {
      this.#flushBroken(done);
      this.#broken = { problem, lines: [line] };
      if (problem !== 'stray_quote' && problem !== 'unclosed_quote') this.#flushBroken(done);
    }
  }

  #flushBroken(done: CsvRecord[]): void {
    if (this.#broken === null) return;
    const { problem, lines } = this.#broken;
    this.#broken = null;
    const text = lines.map((line) => line.text).join('\n');
    const { fields } = splitLoosely(text, this.#delimiter);
    done.push({ line: lines[0]!.number, fields: this.#padded(fields), problem });
  }

  /** Pads to the number of columns; the last column takes any excess. */
  #padded(fields: readonly string[]): string[] {
    const width = Math.max(this.#width, 1);
    const kept = fields.slice(0, width);
    if (fields.length > width) kept[width - 1] = fields.slice(width - 1).join(this.#delimiter);
    while (kept.length < width) kept.push('');
    return kept;
  }
}

interface LineScan {
  readonly text: string;
  readonly delimiter: string;
  /** As `CsvRecords.#quoted`. */
  readonly quoted: string | null;
}

/** Appends the fields that end on this line to `fields`, strictly by RFC 4180. */
function scanLine(
  { text, delimiter, quoted }: LineScan,
  fields: string[],
): { state: 'done' | 'open' | 'stray'; quoted: string | null } {
  let field = quoted;
  let index = 0;
  for (;;) {
    if (field === null && text.charAt(index) !== '"') {
      const next = text.indexOf(delimiter, index);
      const value = text.slice(index, next === -1 ? undefined : next);
      if (value.includes('"')) return { state: 'stray', quoted: null };
      fields.push(value);
      if (next === -1) return { state: 'done', quoted: null };
      index = next + 1;
      continue;
    }
    if (field === null) index += 1;
    field ??= '';
    const quote = text.indexOf('"', index);
    if (quote === -1) return { state: 'open', quoted: `${field}${text.slice(index)}\n` };
    field += text.slice(index, quote);
    index = quote + 1;
    const after = text.charAt(index);
    if (after === '"') {
      field += '"';
      index += 1;
    } else if (after === '' || after === delimiter) {
      fields.push(field);
      if (after === '') return { state: 'done', quoted: null };
      field = null;
      index += 1;
    } else {
      return { state: 'stray', quoted: null };
    }
  }
}

/**
 * Splits a broken record leniently: a quote opens only at the start of a field and closes only at its
 * end. Clean if no quoted field contains a stray quote or stays open, so that the only misplaced quotes
 * are inside unquoted text (`5" pipe`).
 */
function splitLoosely(text: string, delimiter: string): { fields: string[]; isClean: boolean } {
  const fields: string[] = [];
  let isClean = true;
  let index = 0;
  while (index <= text.length) {
    if (text.charAt(index) !== '"') {
      const next = text.indexOf(delimiter, index);
      const end = next === -1 ? text.length : next;
      fields.push(text.slice(index, end));
      index = end + 1;
      continue;
    }
    const { end, isStrict } = closingQuote(text, index + 1, delimiter);
    isClean &&= isStrict;
    fields.push(text.slice(index + 1, end).replaceAll('""', '"'));
    index = end + 2;
  }
  return { fields, isClean };
}

function closingQuote(
  text: string,
  start: number,
  delimiter: string,
): { end: number; isStrict: boolean } {
  let isStrict = true;
  for (let quote = text.indexOf('"', start); quote !== -1; ) {
    const after = text.charAt(quote + 1);
    if (after === '' || after === delimiter || after === '\n') return { end: quote, isStrict };
    if (after !== '"') isStrict = false;
    quote = text.indexOf('"', quote + (after === '"' ? 2 : 1));
  }
  return { end: text.length, isStrict: false };
}

/** Whether a record has `width` fields, or more that are all blank. */
function hasWidth(fields: readonly string[], width: number): boolean {
  if (fields.length < width) return false;
  for (let index = width; index < fields.length; index += 1) {
    if (fields[index]!.trim() !== '') return false;
  }
  return true;
}

function isBlank(text: string, delimiter: string): boolean {
  if (text.length > 1000) return false;
  return text.replaceAll(delimiter, '').trim() === '';
}

function isMalformed(problem: CsvProblem): boolean {
  return problem === 'stray_quote' || problem === 'unclosed_quote' || problem === 'column_count';
}

function checked(fields: readonly string[]): CsvProblem | null {
  return fields.some((field) => field.includes('\0')) ? 'forbidden_text' : null;
}
