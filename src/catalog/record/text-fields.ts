import { DESCRIPTION_MAX } from '../../domain/catalog.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import type { Finding, Findings } from './findings.ts';
import { HTML_MAX, htmlToText } from './html-text.ts';
import { isPrice, type Price, type PriceContext, readPrice } from './prices.ts';
import { cut, longText, parseGtin, parseInstant, SHORT_TEXT_MAX, shortText } from './values.ts';

/** Where the values of one record come from, whatever its format. */
export interface TextValues<Name extends string> {
  /** As it stands, `''` where there is none. */
  raw(name: Name): string;
  /** What this file calls it, for messages. */
  heading(name: Name): string;
}

/** Reads the values of one record as they stand in a file, and reports what is wrong with them. */
export class TextFields<Name extends string> {
  /** Whether a value is wrong in a way that would make answers wrong. */
  isRefused = false;
  readonly #values: TextValues<Name>;
  readonly #findings: Findings;

  constructor(values: TextValues<Name>, findings: Findings) {
    this.#values = values;
    this.#findings = findings;
  }

  raw(name: Name): string {
    return this.#values.raw(name).trim();
  }

  /** As one clean line. */
  text(name: Name): string {
    const raw = this.#values.raw(name);
    return raw === '' ? '' : shortText(raw);
  }

  line(name: Name, max = SHORT_TEXT_MAX): string | null {
    const { text, isCut } = cut(this.text(name), max);
    if (isCut) this.warn(name, 'too_long', `was cut to ${max} characters.`);
    return text === '' ? null : text;
  }

  /** Must be there, and is refused and not cut when too long. */
  key(name: Name, max: number): string {
    const text = this.text(name);
    if (text === '') this.refuse(name, 'missing_value', 'is required.');
    if (cut(text, max).isCut) this.refuse(name, 'too_long', `is longer than ${max} characters.`);
    return text;
  }

  /** Text that may be HTML, as a person would read it. */
  prose(name: Name): string {
    return this.proseOf(name, this.#values.raw(name));
  }

  proseOf(name: Name, html: string): string {
    if (html === '') return '';
    const { text, isCut } = cut(longText(htmlToText(html)), DESCRIPTION_MAX);
    if (isCut || html.length > HTML_MAX) {
      this.warn(name, 'too_long', `was cut to ${DESCRIPTION_MAX} characters.`);
    }
    return text;
  }

  url(name: Name): string | null {
    return this.urlOf(name, this.raw(name));
  }

  urlOf(name: Name, text: string): string | null {
    if (text === '') return null;
    const url = parseWebUrl(text);
    if (url === null) this.warn(name, 'invalid_url', 'is no http(s) URL.');
    return url;
  }

  /** Spreadsheets put an apostrophe before long numbers to keep them whole. */
  gtin(name: Name): string | null {
    const text = this.text(name).replace(/^'/, '');
    if (text === '') return null;
    const gtin = parseGtin(text);
    if (gtin === null) {
      const rule = 'is no GTIN: 8, 12, 13 or 14 digits, the last a check digit.';
      this.warn(name, 'invalid_gtin', rule);
    }
    return gtin;
  }

  price(name: Name, context: PriceContext): Price | null {
    return this.priceOf(name, this.raw(name), context);
  }

  priceOf(name: Name, text: string, context: PriceContext): Price | null {
    if (text === '') return null;
    const price = readPrice(text, context);
    if (isPrice(price)) return price;
    this.refuse(name, price.code, price.message);
    return null;
  }

  /** RFC 3339 UTC with milliseconds. */
  instant(name: Name): string | null {
    const text = this.raw(name);
    if (text === '') return null;
    const instant = parseInstant(text);
    if (instant === null) this.warn(name, 'invalid_time', 'is no date or time.');
    return instant;
  }

  /** The record is taken without this value. */
  warn(name: Name, code: string, message: string): void {
    this.#findings.warning(this.#finding(name, code, message));
  }

  /** The record, or its row, is left out. */
  refuse(name: Name, code: string, message: string): void {
    this.isRefused = true;
    this.#findings.partialError(this.#finding(name, code, message));
  }

  #finding(name: Name, code: string, message: string): Finding {
    const heading = this.#values.heading(name);
    return { column: heading, code, message: `${heading} ${message}` };
  }
}
