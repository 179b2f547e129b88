import { SaxesParser } from 'saxes';
import type { Finding } from '../record/findings.ts';
import type { RecordText } from '../record/reader.ts';
import { readText } from './lines.ts';

/** Longest item, in characters. */
const ITEM_MAX = 10 * 1024 * 1024;

/** The elements that are items of RSS and Atom. */
const ITEM_NAMES = ['item', 'entry'];

/**
 * Yields the text of every element with one of the names, in any namespace. A broken one costs no other:
 * an item ends where the next one begins, even inside an unclosed CDATA section.
 *
 * Our own code, because an XML parser cannot continue after a part that is not well-formed. An XML
 * parser reads each item.
 */
export async function* readXmlItems(
  bytes: AsyncIterable<Uint8Array>,
  names: readonly string[] = ITEM_NAMES,
): AsyncGenerator<RecordText> {
  const splitter = new ItemSplitter(names);
  for await (const text of readText(bytes)) yield* splitter.push(text);
  yield* splitter.end();
}

class ItemSplitter {
  readonly #start: RegExp;
  #text = '';
  /** The line on which `#text` begins. */
  #line = 1;
  #record = 0;
  /** How far the item at the start of `#text` has been scanned. */
  #seen = 0;
  /** Tag name of the item at the start of `#text`; null between items. */
  #name: string | null = null;
  /** Whether the rest of an overlong item is being skipped. */
  #isTooLong = false;

  constructor(names: readonly string[]) {
    this.#start = new RegExp(`<((?:[\\w.-]+:)?(?:${names.join('|')}))(?=[\\s>/])`);
  }

  *push(text: string): Generator<RecordText> {
    this.#text += text;
    yield* this.#take(false);
  }

  *end(): Generator<RecordText> {
    yield* this.#take(true);
  }

  *#take(isLast: boolean): Generator<RecordText> {
    for (;;) {
      if (this.#name === null) {
        const start = this.#start.exec(this.#text);
        if (start === null) {
          // A tag may be split between two chunks.
          this.#drop(Math.max(0, this.#text.length - 256));
          return;
        }
        this.#drop(start.index);
        this.#name = start[1]!;
        this.#seen = start[0].length;
      }
      const end = this.#endOfItem(this.#name, isLast);
      if (end === null) {
        if (this.#text.length > ITEM_MAX) this.#passOver();
        return;
      }
      yield this.#item(end);
      if (this.#text === '' && isLast) return;
    }
  }

  #item(end: number): RecordText {
    const text = this.#text.slice(0, end);
    this.#record += 1;
    const isTooLong = this.#isTooLong || text.length > ITEM_MAX;
    const item: RecordText = {
      line: this.#line,
      record: this.#record,
      text: isTooLong ? '' : detached(text.trimEnd()),
      problem: isTooLong ? 'line_too_long' : text.includes('\ufffd') ? 'invalid_utf8' : null,
    };
    this.#isTooLong = false;
    this.#name = null;
    this.#drop(end);
    return item;
  }

  /** Keeps the line number of an overlong item and drops its text. */
  #passOver(): void {
    const kept = `<${this.#name}>`;
    const lines = lineCount(this.#text);
    this.#text = `${kept}${'\n'.repeat(lines)}`;
    this.#seen = this.#text.length;
    this.#isTooLong = true;
  }

  /** Index after the item; null if it is incomplete. */
  #endOfItem(name: string, isLast: boolean): number | null {
    const tag = name.replaceAll('.', '\\.');
    const marks = new RegExp(`<!\\[CDATA\\[|<!--|</${tag}\\s*>|<${tag}(?=[\\s>/])`, 'g');
    marks.lastIndex = this.#seen;
    for (let mark = marks.exec(this.#text); mark !== null; mark = marks.exec(this.#text)) {
      if (mark[0].startsWith('</')) return marks.lastIndex;
      if (!mark[0].startsWith('<!')) return mark.index;
      const closing = mark[0] === '<!--' ? '-->' : ']]>';
      const close = this.#text.indexOf(closing, marks.lastIndex);
      const next = this.#start.exec(
        this.#text.slice(marks.lastIndex, close === -1 ? undefined : close),
      );
      if (next !== null) return this.#brokenEnd(tag, marks.lastIndex, marks.lastIndex + next.index);
      if (close === -1) {
        this.#seen = mark.index;
        return isLast ? this.#brokenEnd(tag, marks.lastIndex, this.#text.length) : null;
      }
      marks.lastIndex = close + closing.length;
    }
    this.#seen = Math.max(this.#seen, this.#text.length - 256);
    return isLast ? this.#text.length : null;
  }

  /** The end of an item with an unclosed CDATA section or comment: its end tag, else `next`. */
  #brokenEnd(tag: string, from: number, next: number): number {
    const end = new RegExp(`</${tag}\\s*>`, 'g');
    end.lastIndex = from;
    const found = end.exec(this.#text);
    return found !== null && found.index < next ? end.lastIndex : next;
  }

  #drop(count: number): void {
    this.#line += lineCount(this.#text.slice(0, count));
    this.#text = this.#text.slice(count);
  }
}

/** Copies a text, because a slice keeps its whole source in memory, and items may wait for a long time. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A direct child element of the item. */
export interface XmlValue {
  /** `g` for `g:price`, `''` for `title`. */
  readonly prefix: string;
  readonly name: string;
  /** Its text, or its `href` if it has no text. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Texts of its child elements, by names without prefix. */
  readonly parts: Readonly<Record<string, string>>;
}

/** HTML entities that feeds use although XML does not define them. */
const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  deg: '°',
  times: '×',
  middot: '·',
  bull: '•',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  frac12: '½',
  frac14: '¼',
  sup2: '²',
  sup3: '³',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  aacute: 'á',
  ccedil: 'ç',
  oacute: 'ó',
  iacute: 'í',
  uacute: 'ú',
  ntilde: 'ñ',
};

const UNREADABLE = {
  invalid_utf8: 'The item contains bytes that are not UTF-8.',
  line_too_long: 'The item is longer than 10 MiB.',
  forbidden_text: 'The item contains a NUL.',
  invalid_xml: 'The item is not well-formed XML.',
} as const;

/** Parses items. Reuses its parser, which saves half the time. */
export class XmlItemReader {
  /** Attributes of the item that was read last. */
  attributes: Readonly<Record<string, string>> = {};
  #parser = this.#newParser();
  #isBroken = false;
  #depth = 0;
  #values: XmlValue[] = [];
  #name = '';
  #part = '';
  #text = '';
  #href = '';
  #attributes: Readonly<Record<string, string>> = {};
  #parts: Record<string, string> = {};

  /** Returns the elements of one item, or why it cannot be read. */
  readItem({ text, problem }: Pick<RecordText, 'text' | 'problem'>): readonly XmlValue[] | Finding {
    const code = problem ?? (text.includes('\0') ? 'forbidden_text' : null);
    const values = code === null ? this.read(text) : null;
    return (
      values ?? {
        column: null,
        code: code ?? 'invalid_xml',
        message: UNREADABLE[code ?? 'invalid_xml'],
      }
    );
  }

  /** Returns the elements of one item; null if it is not well-formed XML. */
  read(text: string): readonly XmlValue[] | null {
    this.#values = [];
    this.#parser.write(text);
    if (!this.#isBroken && this.#depth === 0) return this.#values;
    this.#parser = this.#newParser();
    this.#isBroken = false;
    this.#depth = 0;
    return null;
  }

  #newParser(): SaxesParser<{ fragment: true }> {
    const parser = new SaxesParser({ fragment: true as const });
    Object.assign(parser.ENTITIES, ENTITIES);
    parser.on('error', () => {
      this.#isBroken = true;
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#depth += 1;
      const own = attributes as Readonly<Record<string, string>>;
      if (this.#depth === 1) this.attributes = own;
      else if (this.#depth === 2) {
        this.#name = name;
        this.#text = '';
        this.#parts = {};
        this.#attributes = own;
        const { rel, href = '' } = own;
        this.#href = rel === undefined || rel === 'alternate' ? href : '';
      } else if (this.#depth === 3) {
        this.#part = name.slice(name.indexOf(':') + 1);
      }
    });
    const onText = (text: string) => {
      if (this.#depth === 2) this.#text += text;
      else if (this.#depth === 3 && this.#part !== '__proto__')
        this.#parts[this.#part] = (this.#parts[this.#part] ?? '') + text;
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
    parser.on('closetag', () => {
      this.#depth -= 1;
      if (this.#depth === 1) this.#close();
    });
    return parser;
  }

  #close(): void {
    const colon = this.#name.indexOf(':');
    const text = this.#text.trim();
    this.#values.push({
      prefix: this.#name.slice(0, Math.max(0, colon)),
      name: this.#name.slice(colon + 1),
      text: text === '' ? this.#href : text,
      attributes: this.#attributes,
      parts: this.#parts,
    });
  }
}
