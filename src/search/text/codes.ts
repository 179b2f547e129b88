import { fold, TERM_LENGTH_MAX, termsOf } from './words.ts';

/** Stands before the term of a whole code, so that a part of one (`4431` of `SKU-4431`) is not taken for it. */
const MARK = '\u{e000}';

/** Part of a question that may be a code of the catalogue (SKU, MPN, EAN). */
export interface AskedCode {
  /** As asked. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Without punctuation and case: leading zeros stay. */
  readonly code: string;
  /** Marked terms of the code and of the same GTIN with more or fewer leading zeros. */
  readonly marks: readonly string[];
  /** Whether it can hardly be anything else, so that a catalogue without it has no match. */
  readonly isCertain: boolean;
}

/** Fewer characters are a size or a model's number far more often than a code. */
const CODE_LENGTH_MIN = 4;
/** Digits that make a code of nothing but digits, one that can be nothing else, and one of several words. */
const DIGITS_MIN = 6;
const CERTAIN_DIGITS_MIN = 8;
const SPACED_DIGITS_MIN = 4;
/** Words that a code with blanks in it has at most. */
const SPACED_WORDS_MAX = 5;
/** More are not looked up. */
const CODES_MAX = 16;
const GTIN_LENGTHS: readonly number[] = [12, 13, 14];

/** Case and punctuation do not tell codes apart: `SKU-4431` and `sku 4431` are one. */
export function squeeze(code: string): string {
  return fold(/^[a-zA-Z0-9]*$/.test(code) ? code : code.replace(/[^\p{L}\p{N}]/gu, ''));
}

/** The term of a whole code: only an item with exactly this code has it. */
function codeMark(code: string): string {
  return MARK + squeeze(code).slice(0, TERM_LENGTH_MAX - 1);
}

/** What a code is found by: its parts, the whole without punctuation, and the mark. */
export function codeTermsOf(code: string): string[] {
  const squeezed = squeeze(code);
  if (squeezed === '') return [];
  const pieces = code.split(/\s+/).map(squeeze);
  return [...termsOf(code), ...pieces, squeezed.slice(0, TERM_LENGTH_MAX), codeMark(code)].filter(
    (term) => term !== '',
  );
}

/** Parts of a question that may be codes: single words first, then runs of words, longest first. */
export function findCodes(text: string): AskedCode[] {
  const words = [...text.matchAll(/[^\s,;()"“”?!]+/gu)].map(({ 0: word, index }) => {
    const trimmed = word.replace(/[.:]+$/, '');
    return { text: trimmed, start: index, end: index + trimmed.length };
  });
  const codes: AskedCode[] = [];
  for (const word of words) {
    const code = squeeze(word.text);
    if (code.length <= TERM_LENGTH_MAX && isCodeLike(code)) codes.push(askedCode(word, code));
  }
  for (let count = Math.min(SPACED_WORDS_MAX, words.length); count > 1; count--) {
    for (let from = 0; from + count <= words.length && codes.length < CODES_MAX; from++) {
      const start = words[from]!.start;
      const end = words[from + count - 1]!.end;
      const code = squeeze(text.slice(start, end));
      const digits = code.replace(/\D/g, '').length;
      const isCode = digits >= SPACED_DIGITS_MIN && code.length <= TERM_LENGTH_MAX;
      if (isCode)
        codes.push({
          ...askedCode({ text: text.slice(start, end), start, end }, code),
          isCertain: false,
        });
    }
  }
  return codes.slice(0, CODES_MAX);
}

function isCodeLike(code: string): boolean {
  if (/^\p{N}+$/u.test(code)) return code.length >= DIGITS_MIN;
  return code.length >= CODE_LENGTH_MIN && /\p{N}/u.test(code);
}

function askedCode(place: Pick<AskedCode, 'text' | 'start' | 'end'>, code: string): AskedCode {
  return {
    ...place,
    code,
    marks: spellings(code).map(codeMark),
    isCertain: isCertain(place.text, code),
  };
}

/** A long number, or letters and three digits or more in a row: `PG38` may be a model, `SKU-4431` is a code. */
function isCertain(text: string, code: string): boolean {
  return /^\d+$/.test(code)
    ? code.length >= CERTAIN_DIGITS_MIN
    : /\d{3}/.test(code) && /[-_/]/.test(text) && /\p{L}/u.test(code);
}

/** A GTIN is the same with 12 digits (UPC), 13 (EAN) and 14, filled up with zeros. */
function spellings(code: string): string[] {
  if (!/^\d+$/.test(code) || !GTIN_LENGTHS.includes(code.length)) return [code];
  const significant = code.replace(/^0{1,2}/, '');
  return GTIN_LENGTHS.filter((length) => length >= significant.length).map((length) =>
    significant.padStart(length, '0'),
  );
}
