import { readText } from './lines.ts';
import type { RecordText } from './reader.ts';

/** Characters of one element. */
const ELEMENT_MAX = 10 * 1024 * 1024;

/** Keys by which the beginning of an element is known again behind one that is broken. */
const SIGNATURE_KEYS = 3;

/**
 * The elements of the lists that a JSON document holds under `listKeys`, or of a document that is a
 * list; a document that is neither is one element. A broken element costs no other: reading goes on
 * where the next one begins, known by the keys that the elements begin with.
 *
 * Own code because JSON parsers stop at the first fault; each element is read by one.
 */
export async function* readElements(
  bytes: AsyncIterable<Uint8Array>,
  listKeys: readonly string[],
): AsyncGenerator<RecordText> {
  const splitter = new ElementSplitter(listKeys);
  for await (const text of readText(bytes)) yield* splitter.push(text);
  yield* splitter.end();
}

export class ElementSplitter {
  readonly #listKeys: ReadonlySet<string>;
  #text = '';
  /** Line on which `#text` begins. */
  #line: number;
  #record = 0;
  #state: 'document' | 'list' | 'rest' = 'document';
  #signature: readonly string[] = [];
  /** Characters without which looking again is in vain. */
  #wanted = 0;
  /** Whether the rest of an element that is too long is being passed over. */
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
      const blank = /^[\s,]*/.exec(this.#text)![0].length;
      this.#drop(blank);
      if (this.#text === '') return;
      const step = this.#state === 'list' ? this.#inList(isLast) : this.#outside(isLast);
      if (step === 'more') {
        // Half as much again, so that an element that comes in many pieces is not read as often.
        this.#wanted = Math.ceil(this.#text.length * 1.5);
        return;
      }
      this.#wanted = 0;
      if (step !== 'moved') yield step;
    }
  }

  /** Before a list: at the beginning of a document, or behind a list in it. */
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

  /** A broken element ends where the next one begins. */
  #broken(isLast: boolean): RecordText | 'moved' | 'more' {
    const signature =
      this.#signature.length > 0 ? this.#signature : (leadingKeys(this.#text) ?? []);
    const next = findNext(this.#text, signature);
    if (next !== null) return this.#element(next);
    if (isLast) return this.#element(this.#text.length);
    if (this.#text.length <= ELEMENT_MAX) return 'more';
    const lines = lineCount(this.#text);
    // The end of it may be the beginning of the next one.
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

/** A token of JSON, and white space behind it. */
const TOKEN = /(?:("(?:[^"\\\n]|\\.)*")|[{}[\]:,]|[^\s{}[\]:,"]+)\s*/y;

/**
 * The end of the value that begins at `from`. Not a parser, but strict about what a damage upsets:
 * what follows a string, what stands between brackets, and which bracket closes which.
 */
function scanValue(text: string, from: number): Scan {
  const open: string[] = [];
  let previous = '';
  TOKEN.lastIndex = from;
  for (;;) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return start >= text.length ? { kind: 'more' } : brokenOrMore(text, start);
    const token = match[1] === undefined ? match[0].trim() : '"';
    const top = open.at(-1);
    if (!mayFollow(previous, token, top)) return { kind: 'broken', index: start };
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    // A bare value may go on in the next piece of the file.
    const isOver = TOKEN.lastIndex < text.length || /["\]}]/.test(token);
    if (open.length === 0)
      return isOver ? { kind: 'end', index: endOf(match, start) } : { kind: 'more' };
    previous = token;
  }
}

function endOf(match: RegExpExecArray, start: number): number {
  return start + match[0].trimEnd().length;
}

/** A string that is not closed: broken if a line ends in it, else it may go on. */
function brokenOrMore(text: string, start: number): Scan {
  return text.indexOf('\n', start) === -1 ? { kind: 'more' } : { kind: 'broken', index: start };
}

function mayFollow(previous: string, token: string, top: string | undefined): boolean {
  const isBetween = previous === '' || previous === '{' || previous === '[';
  const isStart = isBetween || previous === ',' || previous === ':';
  if (token === ':') return previous === '"' && top === '{';
  if (token === ',') return !isStart;
  if (token === '}') return top === '{' && previous !== ',' && previous !== ':';
  if (token === ']') return top === '[' && previous !== ',' && previous !== ':';
  if (!isStart) return false;
  // In an object only names follow a bracket or a comma.
  return token === '"' || top !== '{' || previous === ':';
}

/** The first list among the members of an object, or its end. `depth` 1: `text` begins inside of it. */
function findList(
  text: string,
  depth: 0 | 1,
  keys: ReadonlySet<string>,
): Scan | { readonly kind: 'list'; readonly index: number } {
  let open: number = depth;
  let key = '';
  let previous = '';
  TOKEN.lastIndex = 0;
  for (;;) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return start >= text.length ? { kind: 'more' } : brokenOrMore(text, start);
    const token = match[1] === undefined ? match[0].trim() : match[1];
    if (token === '[' && open === 1 && previous === ':' && keys.has(key)) {
      return { kind: 'list', index: start + 1 };
    }
    if (token === ':' && open === 1) key = previous.slice(1, -1);
    if (token === '{' || token === '[') open += 1;
    else if (token === '}' || token === ']') open -= 1;
    if (open === 0 && (depth === 1 || previous !== '' || !/^[{[]/.test(token))) {
      return { kind: 'end', index: endOf(match, start) };
    }
    previous = token;
  }
}

/** The first names of the object that `text` begins with, or null if it does not begin well. */
function leadingKeys(text: string): string[] | null {
  const begin = /^\{\s*/.exec(text);
  if (begin === null) return null;
  const keys: string[] = [];
  let at = begin[0].length;
  while (keys.length < SIGNATURE_KEYS) {
    TOKEN.lastIndex = at;
    const name = TOKEN.exec(text)?.[1];
    if (name === undefined || text.charAt(TOKEN.lastIndex) !== ':') break;
    keys.push(name);
    const value = scanValue(text, TOKEN.lastIndex + 1 + blankAt(text, TOKEN.lastIndex + 1));
    if (value.kind !== 'end') break;
    const comma = value.index + blankAt(text, value.index);
    if (text.charAt(comma) !== ',') break;
    at = comma + 1 + blankAt(text, comma + 1);
  }
  return keys.length === 0 ? null : keys;
}

function blankAt(text: string, index: number): number {
  let end = index;
  while (/\s/.test(text.charAt(end))) end += 1;
  return end - index;
}

/** Where, behind the first character, an element begins whose first names are `signature`. */
function findNext(text: string, signature: readonly string[]): number | null {
  const [first] = signature;
  if (first === undefined) return null;
  const name = first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const beginning = new RegExp(`[,}\\]"\\d\\s]\\s*(\\{\\s*${name}\\s*:)`, 'g');
  beginning.lastIndex = 1;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const index = match.index + match[0].length - match[1]!.length;
    const keys = leadingKeys(text.slice(index, index + 65_536));
    if (keys?.join('\n') === signature.join('\n')) return index;
  }
  return null;
}
