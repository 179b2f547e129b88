import { isForbiddenText } from '../../domain/text.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import type { Findings } from './findings.ts';
import { cut, longText, SHORT_TEXT_MAX, shortText } from './values.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * As `String(value)`, but safe for objects: `String` would call an object's own `toString` member, and
 * throw if that is not a function.
 */
export function spelled(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => (each == null ? '' : spelled(each))).join();
  return isJsonObject(value) ? '[object Object]' : String(value);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the members of one JSON object and reports their faults. Treats null and blank text as absent.
 */
export class JsonFields {
  #values: JsonObject;
  #findings: Findings;
  /** Prefix of a member's name in a fault: `variants[3].`. */
  #path: string;

  constructor(values: JsonObject, findings: Findings, path = '') {
    this.#values = values;
    this.#findings = findings;
    this.#path = path;
  }

  raw(column: string): unknown {
    return this.#values[column] ?? null;
  }

  /** One line, truncated to `max` with a warning. */
  line(column: string, max = SHORT_TEXT_MAX): string | null {
    return this.#cut(column, shortText(this.text(column)), max);
  }

  /** Text with its line breaks, truncated to `max` with a warning. */
  prose(column: string, max: number): string {
    return this.#cut(column, longText(this.text(column)), max) ?? '';
  }

  /** A key: a required line, refused rather than truncated if too long. */
  key(column: string, max: number): string {
    const text = shortText(this.text(column));
    if (text === '' && !this.#hasWrongType(column)) {
      this.error(column, 'missing_value', 'is required.');
    }
    if (cut(text, max).isCut) this.error(column, 'too_long', `is longer than ${max} characters.`);
    return text;
  }

  /** As `key`, for a member that may be a whole number. */
  id(column: string, max: number): string {
    const value = this.raw(column);
    return Number.isSafeInteger(value) ? String(value) : this.key(column, max);
  }

  /** One of `allowed`, or null if absent. */
  choice<Choice extends string>(column: string, allowed: readonly Choice[]): Choice | null {
    const text = this.text(column).trim();
    if (text === '') return null;
    const choice = allowed.find((candidate) => candidate === text) ?? null;
    if (choice === null) {
      this.error(column, 'invalid_value', `must be one of ${allowed.join(', ')}.`);
    }
    return choice;
  }

  /** An optional value: dropped with a warning if `parse` refuses it. */
  parsed(
    column: string,
    parse: (text: string) => string | null,
    finding: Complaint,
  ): string | null {
    const text = shortText(this.text(column));
    if (text === '') return null;
    const value = parse(text);
    if (value === null) this.warning(column, finding.code, finding.message);
    return value;
  }

  url(column: string): string | null {
    return this.parsed(column, parseWebUrl, NO_URL);
  }

  /**
   * A list of texts without blanks and duplicates. Drops values that `parse` refuses, with one warning.
   */
  list(column: string, { max, parse, complaint }: ListRules): string[] {
    const value = this.raw(column);
    if (value === null) return [];
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
      this.error(column, 'wrong_type', 'must be a list of text.');
      return [];
    }
    if (value.length > max) {
      this.warning(column, 'too_many', `has more than ${max} entries; the first were kept.`);
    }
    const kept = new Set<string>();
    let refused = 0;
    for (const entry of value.slice(0, max)) {
      const text = shortText(entry);
      const parsed = text === '' ? null : parse(text);
      if (parsed !== null) kept.add(parsed);
      else if (text !== '') refused += 1;
    }
    if (refused > 0) this.warning(column, complaint.code, complaint.message);
    return [...kept];
  }

  /** The text of a member, `''` if absent; any other type is an error. */
  text(column: string): string {
    const value = this.#values[column];
    if (typeof value === 'string') return value;
    if (value !== undefined && value !== null) this.error(column, 'wrong_type', 'must be text.');
    return '';
  }

  error(column: string, code: string, message: string): void {
    this.#findings.error(this.#finding(column, code, message));
  }

  warning(column: string, code: string, message: string): void {
    this.#findings.warning(this.#finding(column, code, message));
  }

  #finding(column: string, code: string, message: string) {
    const path = `${this.#path}${column}`;
    return { column: path, code, message: `${path} ${message}` };
  }

  #hasWrongType(column: string): boolean {
    const value = this.raw(column);
    return value !== null && typeof value !== 'string';
  }

  #cut(column: string, text: string, max: number): string | null {
    const { text: kept, isCut } = cut(text, max);
    if (isCut) this.warning(column, 'too_long', `was cut to ${max} characters.`);
    return kept === '' ? null : kept;
  }
}

export interface Complaint {
  readonly code: string;
  readonly message: string;
}

interface ListRules {
  readonly max: number;
  readonly parse: (text: string) => string | null;
  readonly complaint: Complaint;
}

export const NO_URL: Complaint = {
  code: 'invalid_url',
  message: 'is not an http(s) URL of at most 2,048 characters without a user name.',
};

/**
 * Whether any key or text in `value` contains NUL or an unpaired surrogate. The depth of `value` is
 * bounded.
 */
export function hasForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return isForbiddenText(value);
  if (Array.isArray(value)) return value.some(hasForbiddenText);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([key, entry]) => isForbiddenText(key) || hasForbiddenText(entry),
  );
}
