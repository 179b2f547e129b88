import { fold } from './fold.ts';
import type { Language } from './language.ts';
import { TERM_LENGTH_MAX } from './tokenizer.ts';

/**
 * Prefixes the term of a whole code, so that a part of a code (`4431` of `SKU-4431`) does not match
 * as the code itself.
 */
const MARK = '\u{e000}';

/** Part of a question that may be a code of the catalogue (SKU, MPN, EAN). */
export interface AskedCode {
  /** As asked. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Folded: no punctuation, no case. Leading zeros stay. */
  readonly code: string;
  /** Marked terms of the code and of the same GTIN with more or fewer leading zeros. */
  readonly marks: readonly string[];
  /** True if it can hardly be anything but a code: a catalogue that lacks it then has no match. */
  readonly isCertain: boolean;
}

/** Anything shorter is far more often a size or a model number than a code. */
const CODE_LENGTH_MIN = 4;
/**
 * The fewest digits in a code that has only digits, in one that is certainly a code, and in one
 * that spans several words.
 */
const DIGITS_MIN = 6;
const CERTAIN_DIGITS_MIN = 8;
const SPACED_DIGITS_MIN = 4;
/** The most words in a code that contains blanks. */
const SPACED_WORDS_MAX = 5;
/** Further codes are not looked up. */
const CODES_MAX = 16;
/** An id of joined words, such as `rug-kelim`. */
const JOINED = /[\p{L}\p{N}][-_.:/][\p{L}\p{N}]/u;
const ASCII = /^[ -~]*$/;
const BLANK = /\s/;
const GTIN_LENGTHS: readonly number[] = [12, 13, 14];

/** Codes are compared without case and punctuation: `SKU-4431` equals `sku 4431`. */
export function squeeze(code: string): string {
  // Most codes are ASCII, for which the simpler pattern takes a third of the time.
  return ASCII.test(code)
    ? code.replace(/[^a-zA-Z0-9]+/g, '').toLowerCase()
    : fold(code.replace(/[^\p{L}\p{N}]/gu, ''));
}

/** The term of a record's own id, which is found only as a whole. */
export function idTermsOf(externalId: string): string[] {
  const squeezed = squeeze(externalId);
  return squeezed === '' ? [] : [markOf(squeezed)];
}

/** The term of a whole code, squeezed: only an item with exactly this code has it. */
function markOf(squeezed: string): string {
  return MARK + squeezed.slice(0, TERM_LENGTH_MAX - 1);
}

/**
 * The terms that a code is indexed under: its parts, the whole code without punctuation, and its
 * mark.
 */
export function codeTermsOf(code: string, language: Language): string[] {
  const squeezed = squeeze(code);
  if (squeezed === '') return [];
  const terms = language.termsOf(code);
  if (BLANK.test(code)) for (const piece of code.split(/\s+/)) terms.push(squeeze(piece));
  else terms.push(squeezed);
  terms.push(squeezed.slice(0, TERM_LENGTH_MAX), markOf(squeezed));
  return terms.filter((term) => term !== '');
}

/**
 * The parts of a question that may be codes: single words first, then runs of words, longest first.
 */
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
  const [only, ...others] = words;
  // An id without digits is a code only as the whole question.
  if (only !== undefined && others.length === 0 && codes.length === 0 && JOINED.test(only.text))
    codes.push(askedCode(only, squeeze(only.text)));
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
    marks: spellings(code).map(markOf),
    isCertain: isCertain(place.text, code),
  };
}

/** A long number, or letters and three digits or more in a row: `PG38` may be a model, `SKU-4431` is a code. */
function isCertain(text: string, code: string): boolean {
  return /^\d+$/.test(code)
    ? code.length >= CERTAIN_DIGITS_MIN
    : /\d{3}/.test(code) && /[-_/]/.test(text) && /\p{L}/u.test(code);
}

/** One GTIN can have 12 digits (UPC), 13 (EAN) or 14, padded with leading zeros. */
function spellings(code: string): string[] {
  if (!/^\d+$/.test(code) || !GTIN_LENGTHS.includes(code.length)) return [code];
  const significant = code.replace(/^0{1,2}/, '');
  return GTIN_LENGTHS.filter((length) => length >= significant.length).map((length) =>
    significant.padStart(length, '0'),
  );
}
