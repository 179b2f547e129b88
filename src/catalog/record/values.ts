import { cleanLine, cleanText, codePointCount, truncateWords } from '../../domain/text.ts';

export const EXTERNAL_ID_MAX = 200;
export const NAME_MAX = 500;
/** Vendor, product type, SKU, tags, option names and values. */
export const SHORT_TEXT_MAX = 255;
export const ATTRIBUTE_TEXT_MAX = 2_000;
export const TAG_COUNT_MAX = 250;
export const IMAGE_COUNT_MAX = 250;
/** Shopify allows 2,048. */
export const VARIANT_COUNT_MAX = 2_000;
export const ATTRIBUTE_COUNT_MAX = 500;
/** Longest text of a context, in code points. */
export const CONTEXT_TEXT_MAX = 200_000;

const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;
const PLAIN_TEXT = /^[\n -~]*$/;

/** As `cleanLine`, at a tenth of its cost for plain ASCII, which most values are. */
export function shortText(text: string): string {
  return PLAIN_LINE.test(text) ? text : cleanLine(text);
}

/** As `cleanText`, at a tenth of its cost for plain ASCII. */
export function longText(text: string): string {
  return PLAIN_TEXT.test(text) ? text.trim() : cleanText(text);
}

/** Truncates to `max` code points at the end of a word. */
export function cut(text: string, max: number): { text: string; isCut: boolean } {
  if (text.length <= max || codePointCount(text) <= max) return { text, isCut: false };
  return { text: truncateWords(text, max), isCut: true };
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * RFC 3339 UTC with milliseconds; null if the date does not exist. A date without a time means its first
 * moment; a time without an offset is UTC.
 */
export function parseInstant(text: string): string | null {
  const match = INSTANT.exec(text.trim());
  if (match === null) return null;
  const [, day = '', time = '00:00:00', offset = 'Z'] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const zone = offset.toUpperCase().replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const instant = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** As `parseInstant`, in milliseconds since the epoch; a date without a time means the end of that day. */
export function parseLastMoment(text: string): number | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  return Date.parse(instant) + (text.trim().length === 10 ? DAY_MS : 0);
}

/**
 * The digits of a GTIN-8, -12, -13 or -14 with a valid check digit (GS1 General Specifications 7.9);
 * else null.
 */
export function parseGtin(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits)) return null;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 3);
  }
  return sum % 10 === 0 ? digits : null;
}

/** A single path segment; else null. */
export function parseSlug(text: string): string | null {
  return /^[^\s/?#\\]{1,255}$/u.test(text) ? text : null;
}

/** Derives an attribute's name from a column's heading: `Age group` → `age_group`. */
export function attributeName(heading: string): string {
  const words = heading.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('_').slice(0, SHORT_TEXT_MAX);
}

/** An identifier from the words of a name, for a product that has no other: `oak-lamp`; `''` without words. */
export function nameAsId(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return cut(words.join('-'), EXTERNAL_ID_MAX).text;
}
