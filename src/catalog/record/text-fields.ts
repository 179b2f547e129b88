import { DESCRIPTION_MAX } from '../../domain/catalog.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import type { Finding, Findings } from './findings.ts';
import { HTML_MAX, htmlToText } from './html-text.ts';
import { isPrice, type Price, type PriceContext, readPrice } from './prices.ts';
import { cut, longText, parseGtin, parseInstant, SHORT_TEXT_MAX, shortText } from './values.ts';

/** Access to the values of one record, independent of its format. */
export interface TextValues<Name extends string> {
  /** The unprocessed value; `''` if there is none. */
  raw(name: Name): string;
  /** This file's name for it, for messages. */
  heading(name: Name): string;
}

/** Reads the textual values of one record and reports their faults. */
export class TextFields<Name extends string> {
  /** Whether a fault would make search results wrong, so that the record is rejected. */
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

  /** A required value, refused rather than truncated if too long. */
  key(name: Name, max: number): string {
    const text = this.text(name);
    if (text === '') this.refuse(name, 'missing_value', 'is required.');
    if (cut(text, max).isCut) this.refuse(name, 'too_long', `is longer than ${max} characters.`);
    return text;
  }

  /** Text, or the visible text of HTML. */
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
    if (url === null) this.warn(name, 'invalid_url', 'is not an http(s) URL.');
    return url;
  }

  /** Strips the apostrophe that spreadsheets put before long numbers. */
  gtin(name: Name): string | null {
    const text = this.text(name).replace(/^'/, '');
    if (text === '') return null;
    const gtin = parseGtin(text);
    if (gtin === null) {
      const rule = 'is not a GTIN: it needs 8, 12, 13 or 14 digits and a valid check digit.';
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
    if (instant === null) this.warn(name, 'invalid_time', 'is not a date or time.');
    return instant;
  }

  /** Accepts the record without this value. */
  warn(name: Name, code: string, message: string): void {
    this.#findings.warning(this.#finding(name, code, message));
  }

  /** Rejects the record, or its row. */
  refuse(name: Name, code: string, message: string): void {
    this.isRefused = true;
    this.#findings.partialError(this.#finding(name, code, message));
  }

  #finding(name: Name, code: string, message: string): Finding {
    const heading = this.#values.heading(name);
    return { column: heading, code, message: `${heading} ${message}` };
  }
}
