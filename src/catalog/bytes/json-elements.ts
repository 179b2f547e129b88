import type { RecordText } from '../record/reader.ts';
import { peekText } from './decompress.ts';
import { readLineRecords, readText } from './lines.ts';

/** Longest element, in characters. */
const ELEMENT_MAX = 10 * 1024 * 1024;

/** Leading keys that identify the start of the next element after a broken one. */
const SIGNATURE_KEYS = 3;

/**
 * Yields the elements of the lists under `listKeys` in a JSON document, or of a document that is a list;
 * any other document is one element. A broken element costs no other: reading resumes where the next
 * one begins, which its leading keys identify.
 *
 * Our own code, because JSON parsers stop at the first fault. A JSON parser reads each element.
 */
export async function* readElements(
  bytes: AsyncIterable<Uint8Array>,
  listKeys: readonly string[],
): AsyncGenerator<RecordText> {
  const splitter = new ElementSplitter(listKeys);
  for await (const text of readText(bytes)) yield* splitter.push(text);
  yield* splitter.end();
}

/** An object whose first list is `products`, after texts, numbers and shallow objects. */
const WRAPPED_PRODUCTS = /^[\s\ufeff]*\{(?:[^{}[\]]|\{[^{}]*\})*?"products"\s*:\s*\[/;

/** Whether a file is one document that wraps its products: `{"feed_id": …, "products": […]}`. */
export function wrapsProducts(head: string): boolean {
  return WRAPPED_PRODUCTS.test(head);
}

/**
 * Yields the products of a list, of a document that wraps one, or of JSON Lines.
 */
export async function* readProductRecords(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<RecordText> {
  const { head, bytes: all } = await peekText(bytes);
  const isDocument = /^[\s\ufeff]*\[/.test(head) || wrapsProducts(head);
  yield* isDocument ? readElements(all, ['products']) : readLineRecords(all);
}

export class ElementSplitter {
  readonly #listKeys: ReadonlySet<string>;
  #text = '';
  /** The line on which `#text` begins. */
  #line: number;
  #record = 0;
  #state: 'document' | 'list' | 'rest' = 'document';
  #signature: readonly string[] = [];
  #indent: string | null = null;
  /** Length of `#text` below which scanning again is pointless. */
  #wanted = 0;
  /** Whether the rest of an overlong element is being skipped. */
  #isTooLong = false;

  constructor(listKeys: readonly string[], firstLine = 1) {
    this.#listKeys = new Set(listKeys);
    this.#line = firstLine;
  }

  *push(text: string): Generator<RecordText> {
    this.#text += text;
    if (this.#text.length >= this.#wanted) yield* this.#take(false);
  }

  *end(): Generator<RecordText> {
    yield* this.#take(true);
  }

  *#take(isLast: boolean): Generator<RecordText> {
    for (;;) {
      this.#dropBlank();
      if (this.#text === '') return;
      const step = this.#state === 'list' ? this.#inList(isLast) : this.#outside(isLast);
      if (step === 'more') {
        // Half as much again, so that an element in many chunks is not rescanned for each.
        this.#wanted = Math.ceil(this.#text.length * 1.5);
        return;
      }
      this.#wanted = 0;
      if (step !== 'moved') yield step;
    }
  }

  /** Scans outside a list: at the start of a document, or after a list in it. */
  #outside(isLast: boolean): RecordText | 'moved' | 'more' {
    if (this.#state === 'document' && this.#text.startsWith('[')) {
      this.#drop(1);
      this.#state = 'list';
      return 'moved';
    }
    if (this.#state === 'rest' && /^[\]}]/.test(this.#text)) {
      this.#drop(1);
      this.#state = 'document';
      return 'moved';
    }
    const list = findList(this.#text, this.#state === 'rest' ? 1 : 0, this.#listKeys);
    if (list.kind === 'list') {
      this.#drop(list.index);
      this.#state = 'list';
      return 'moved';
    }
    if (list.kind === 'more' && !isLast && this.#text.length <= ELEMENT_MAX) return 'more';
    const end = list.kind === 'end' ? list.index : this.#text.length;
    if (this.#state === 'rest') {
      this.#drop(end);
      this.#state = 'document';
      return 'moved';
    }
    return this.#element(end);
  }

  #inList(isLast: boolean): RecordText | 'moved' | 'more' {
    if (this.#text.startsWith(']')) {
      this.#drop(1);
      this.#state = 'rest';
      return 'moved';
    }
    const scan = scanValue(this.#text, 0);
    const isCutOff = scan.kind === 'more';
    if (isCutOff && !isLast && this.#text.length <= ELEMENT_MAX) return 'more';
    if (scan.kind === 'end') {
      const next = /\S/.exec(this.#text.slice(scan.index, scan.index + 1024))?.[0];
      if (next === undefined && !isLast) return 'more';
      if (next === undefined || next === ',' || next === ']') {
        this.#signature = leadingKeys(this.#text) ?? this.#signature;
        return this.#element(scan.index);
      }
    }
    return this.#broken(isLast);
  }

  /** Handles a broken element, which ends where the next one begins. */
  #broken(isLast: boolean): RecordText | 'moved' | 'more' {
    const signature =
      this.#signature.length > 0 ? this.#signature : (leadingKeys(this.#text) ?? []);
    this.#signature = signature;
    const next = findNext(this.#text, { signature, indent: this.#indent });
    if (next !== null) return this.#element(next);
    if (isLast) return this.#element(this.#text.length);
    if (this.#text.length <= ELEMENT_MAX) return 'more';
    const lines = lineCount(this.#text);
    // Its end may be the start of the next one.
    const kept = this.#text.slice(-1024);
    this.#text = `{${'\n'.repeat(lines - lineCount(kept))}${kept}`;
    this.#isTooLong = true;
    return 'more';
  }

  #element(end: number): RecordText {
    const text = this.#text.slice(0, end).replace(/[\s,]+$/, '');
    this.#record += 1;
    const isTooLong = this.#isTooLong || text.length > ELEMENT_MAX;
    const element: RecordText = {
      line: this.#line,
      record: this.#record,
      text: isTooLong ? '' : text,
      problem: isTooLong ? 'line_too_long' : text.includes('\ufffd') ? 'invalid_utf8' : null,
    };
    this.#isTooLong = false;
    this.#drop(end);
    return element;
  }

  #dropBlank(): void {
    const blank = /^[\s,]*/.exec(this.#text)![0];
    if (blank === '') return;
    const lineFeed = blank.lastIndexOf('\n');
    this.#indent = lineFeed === -1 ? null : blank.slice(lineFeed + 1);
    this.#drop(blank.length);
  }

  #drop(count: number): void {
    this.#line += lineCount(this.#text.slice(0, count));
    this.#text = this.#text.slice(count);
  }
}

function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

type Scan = { readonly kind: 'end' | 'broken'; readonly index: number } | { readonly kind: 'more' };

/** A bare word: a number, true, false, null, or garbage. */
const WORD = /[^\s{}[\]:,"]+/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Iterates over the tokens of a JSON text, starting at `from`. */
class Tokens {
  readonly #text: string;
  /** Index after the token and the white space that follows it. */
  end: number;
  start = 0;
  /** Index after the token. */
  tokenEnd = 0;
  /** Index of the first line feed after `end`, cached. */
  #lineFeed = -1;

  constructor(text: string, from: number) {
    this.#text = text;
    this.end = from;
  }

  /** Returns a bracket, a punctuation mark, a bare word, `"` for a string, or why there is no token. */
  next(): string | { readonly none: 'more' | 'broken' } {
    this.start = this.end;
    const code = this.#text.charCodeAt(this.start);
    if (Number.isNaN(code)) return { none: 'more' };
    if (code === QUOTE) {
      const end = this.#closingQuote();
      const lineFeed = this.#nextLineFeed();
      // A JSON string cannot contain a line end.
      if (lineFeed !== -1 && (end === -1 || lineFeed < end)) return { none: 'broken' };
      if (end === -1) return { none: 'more' };
      this.#endAt(end + 1);
      return '"';
    }
    WORD.lastIndex = this.start;
    const word = WORD.exec(this.#text)?.[0] ?? this.#text.charAt(this.start);
    this.#endAt(this.start + word.length);
    return word;
  }

  #endAt(index: number): void {
    this.tokenEnd = index;
    this.end = index;
    while (isBlank(this.#text.charCodeAt(this.end))) this.end += 1;
  }

  #closingQuote(): number {
    const text = this.#text;
    for (
      let end = text.indexOf('"', this.start + 1);
      end !== -1;
      end = text.indexOf('"', end + 1)
    ) {
      let backslashes = 0;
      while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return end;
    }
    return -1;
  }

  #nextLineFeed(): number {
    if (this.#lineFeed !== Number.POSITIVE_INFINITY && this.#lineFeed < this.start) {
      const found = this.#text.indexOf('\n', this.start);
      this.#lineFeed = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#lineFeed === Number.POSITIVE_INFINITY ? -1 : this.#lineFeed;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * Finds the end of the value that begins at `from`. Not a parser, but strict about what damage breaks:
 * the token after a string, commas between values, and matching brackets.
 */
function scanValue(text: string, from: number): Scan {
  const tokens = new Tokens(text, from);
  const open: string[] = [];
  let previous = '';
  for (;;) {
    const token = tokens.next();
    if (typeof token !== 'string') return scanEnd(token, tokens.start);
    if (!mayFollow(previous, token, open.at(-1))) return { kind: 'broken', index: tokens.start };
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    if (open.length === 0) {
      // A bare value may continue in the next chunk.
      const isOver = tokens.end < text.length || /["\]}]/.test(token);
      return isOver ? { kind: 'end', index: tokens.tokenEnd } : { kind: 'more' };
    }
    previous = token;
  }
}

function scanEnd({ none }: { readonly none: 'more' | 'broken' }, index: number): Scan {
  return none === 'more' ? { kind: 'more' } : { kind: 'broken', index };
}

function mayFollow(previous: string, token: string, top: string | undefined): boolean {
  const isBetween = previous === '' || previous === '{' || previous === '[';
  const isStart = isBetween || previous === ',' || previous === ':';
  if (token === ':') return previous === '"' && top === '{';
  if (token === ',') return !isStart;
  if (token === '}') return top === '{' && previous !== ',' && previous !== ':';
  if (token === ']') return top === '[' && previous !== ',' && previous !== ':';
  if (!isStart) return false;
  // In an object, only names follow a bracket or a comma.
  return token === '"' || top !== '{' || previous === ':';
}

/** Finds the first list among an object's members, or the object's end. `depth` 1: `text` begins inside it. */
function findList(
  text: string,
  depth: 0 | 1,
  keys: ReadonlySet<string>,
): Scan | { readonly kind: 'list'; readonly index: number } {
  const tokens = new Tokens(text, 0);
  let open: number = depth;
  let key = '';
  let previous = '';
  let name = '';
  for (;;) {
    const token = tokens.next();
    if (typeof token !== 'string') return scanEnd(token, tokens.start);
    if (token === '[' && open === 1 && previous === ':' && keys.has(key)) {
      return { kind: 'list', index: tokens.tokenEnd };
    }
    if (token === ':' && open === 1) key = name;
    if (token === '"' && open === 1) name = text.slice(tokens.start + 1, tokens.tokenEnd - 1);
    if (token === '{' || token === '[') open += 1;
    else if (token === '}' || token === ']') open -= 1;
    if (open === 0) return { kind: 'end', index: tokens.tokenEnd };
    previous = token;
  }
}

/** The leading names of the object at the start of `text`; null if its start is broken. */
function leadingKeys(text: string): string[] | null {
  if (!text.startsWith('{')) return null;
  const keys: string[] = [];
  for (let at = 0; keys.length < SIGNATURE_KEYS; ) {
    const tokens = new Tokens(text, at);
    // Skips the bracket before the first name and the comma before each other.
    tokens.next();
    if (tokens.next() !== '"') break;
    const name = text.slice(tokens.start, tokens.tokenEnd);
    if (tokens.next() !== ':') break;
    keys.push(name);
    const value = scanValue(text, tokens.end);
    if (value.kind !== 'end') break;
    at = value.index;
    while (isBlank(text.charCodeAt(at))) at += 1;
    if (text.charAt(at) !== ',') break;
  }
  return keys.length === 0 ? null : keys;
}

/** How the previous elements began. */
interface Beginning {
  /** Their leading names. */
  readonly signature: readonly string[];
  /** The text before them on their line; null if that is another element. */
  readonly indent: string | null;
}

/**
 * The index, after the first character, where the next element begins: with the same leading names, or,
 * if it is broken too, with some of them at the start of a line.
 */
function findNext(text: string, { signature, indent }: Beginning): number | null {
  const [first] = signature;
  if (first === undefined) return null;
  const name = first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const beginning = new RegExp(`\\{\\s*${name}`, 'g');
  beginning.lastIndex = 1;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const { index } = match;
    const keys = leadingKeys(text.slice(index, index + 65_536)) ?? [];
    if (!keys.every((key, at) => key === signature[at])) continue;
    const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
    if (keys.length === signature.length || before === indent) return index;
  }
  return null;
}
