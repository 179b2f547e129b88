import { Parser } from 'htmlparser2';
import { parseWebUrl } from '../../domain/web-url.ts';
import { ElementSplitter } from '../bytes/json-elements.ts';
import { readText } from '../bytes/lines.ts';
import type { JsonObject } from '../record/json-fields.ts';
import type { RecordText } from '../record/reader.ts';
import { Microdata } from './microdata.ts';
import { OpenGraph } from './open-graph.ts';

/** What is known about a page once all of it has been read. */
export interface Page {
  /** Its own address: the canonical one, else OpenGraph's; null if it gives none. */
  url: string | null;
}

export interface PageRecord extends RecordText {
  readonly page: Page;
}

interface Script {
  text: string;
  readonly line: number;
}

/**
 * Yields what a page says about products: the elements of every JSON-LD script, or, if `isProduct` finds
 * none in them, its microdata, else its OpenGraph properties, both as JSON-LD.
 */
export async function* readPageRecords(
  bytes: AsyncIterable<Uint8Array>,
  lists: readonly string[],
  isProduct: (text: string) => boolean,
): AsyncGenerator<PageRecord> {
  const reader = new PageReader();
  const { page } = reader;
  let record = 0;
  let hasProduct = false;
  for await (const text of readText(bytes)) {
    reader.push(text);
    for (const element of reader.takeElements(lists)) {
      record += 1;
      hasProduct ||= element.problem === null && isProduct(element.text);
      yield { ...element, record, page };
    }
  }
  reader.end();
  for (const element of reader.takeElements(lists)) {
    record += 1;
    hasProduct ||= element.problem === null && isProduct(element.text);
    yield { ...element, record, page };
  }
  if (hasProduct) return;
  for (const { node, line } of reader.productsInMarkup(isProduct)) {
    record += 1;
    yield { line, record, text: JSON.stringify(node), problem: null, page };
  }
}

class PageReader {
  readonly page: Page = { url: null };
  readonly #microdata = new Microdata();
  readonly #openGraph = new OpenGraph();
  readonly #lines = new LineCount();
  readonly #found: Script[] = [];
  #script: Script | null = null;
  readonly #parser = new Parser({
    onopentag: (name, attributes) => this.#open(name, attributes),
    ontext: (text) => {
      if (this.#script === null) this.#microdata.text(text);
      else this.#script.text += text;
    },
    onclosetag: (name) => this.#close(name),
  });

  push(text: string): void {
    this.#lines.add(text);
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
    this.page.url ??= parseWebUrl(this.#openGraph.url ?? '');
  }

  /** The elements of the scripts that are complete. */
  *takeElements(lists: readonly string[]): Generator<RecordText> {
    for (const { text, line } of this.#found.splice(0)) {
      const splitter = new ElementSplitter(lists, line);
      const body = text.replace(/^\s*(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, '');
      yield* splitter.push(body);
      yield* splitter.end();
    }
    this.#lines.at(this.#parser.startIndex);
  }

  /** Products in microdata, else the one of OpenGraph. */
  productsInMarkup(
    isProduct: (text: string) => boolean,
  ): readonly { node: JsonObject; line: number }[] {
    const items = this.#microdata.items.filter(({ node }) => isProduct(JSON.stringify(node)));
    if (items.length > 0) return items;
    const node = this.#openGraph.product();
    return node === null ? [] : [{ node, line: 1 }];
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { type = '', rel = '', href = '' } = attributes;
    if (name === 'script' && type.trim().toLowerCase() === 'application/ld+json')
      this.#script = { text: '', line: this.#lines.at(this.#parser.endIndex + 1) };
    if (name === 'meta') this.#openGraph.meta(attributes);
    if (name === 'link' && rel.toLowerCase() === 'canonical') this.page.url ??= parseWebUrl(href);
    this.#microdata.openTag(name, attributes, () => this.#lines.at(this.#parser.startIndex));
  }

  #close(name: string): void {
    if (name === 'script' && this.#script !== null) {
      this.#found.push(this.#script);
      this.#script = null;
    }
    this.#microdata.closeTag();
  }
}

/** Counts lines up to an index that never falls; forgets the text before it. */
class LineCount {
  #uncounted = '';
  #from = 0;
  #line = 1;

  add(text: string): void {
    this.#uncounted += text;
  }

  at(index: number): number {
    const counted = this.#uncounted.slice(0, Math.max(0, index - this.#from));
    this.#line += counted.split('\n').length - 1;
    this.#from += counted.length;
    this.#uncounted = this.#uncounted.slice(counted.length);
    return this.#line;
  }
}
