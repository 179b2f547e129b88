import { findMeasures } from './units.ts';

/** A word of a text: where it stands (UTF-16 offsets) and the form under which it is found. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** Longer words are machine noise (base64, hashes): they are cut to this many characters. */
export const TERM_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;
const CONTRACTION = /^['’](?:s|m|d|t|re|ve|ll)(?![\p{L}\p{N}])/iu;

/**
 * The words of a text in order: lower case, without diacritics, plurals folded (see `stem`). Scripts
 * that write no blanks give overlapping pairs of characters. What follows an apostrophe in a
 * possessive or a contraction (`men's`, `I'm`, `we're`) is no word. A size is one word in one
 * spelling, whatever its own (`8' x 10'`, `½ in`; see units.ts).
 */
export function* scanWords(text: string, measures = findMeasures(text)): Generator<Word> {
  let next = 0;
  for (const word of scanPlainWords(text)) {
    while (next < measures.length && measures[next]!.end <= word.start) next += 1;
    const measure = measures[next];
    if (measure === undefined || word.end <= measure.start) yield word;
    else if (word.start <= measure.start) yield { ...word, end: measure.end, term: measure.term };
  }
}

/** The terms of a text in order, repetitions included. */
export function termsOf(text: string, measures = findMeasures(text)): string[] {
  const terms: string[] = [];
  for (const { term } of scanWords(text, measures)) if (term !== '') terms.push(term);
  return terms;
}

/**
 * The terms under which a text is found: those of `termsOf`, the numbers within its sizes (`16 GB` by
 * `16` too), and what it says it is free of (`freeOf`).
 */
export function indexTermsOf(text: string): string[] {
  const measures = findMeasures(text);
  const terms = termsOf(text, measures);
  for (const { parts } of measures) terms.push(...parts);
  for (const [, hyphenated, negated] of text.matchAll(FREE)) {
    const term = termOf(hyphenated ?? negated!);
    if (term !== '') terms.push(freeOf(term));
  }
  return terms;
}

/** The term of a thing that is absent: `lactose-free`, `without lactose`, `laktosefrei` are all `lactosefree`. */
export function freeOf(term: string): string {
  return `${term}free`;
}

const FREE =
  /([\p{L}\p{M}]{2,40})(?:[ -]free(?![\p{L}\p{N}])|frei(?:e[rnms]?)?(?![\p{L}\p{N}]))|(?<![\p{L}\p{N}])(?:without|no|non|free (?:of|from)|ohne|sans)[ -](?:any |added )?([\p{L}\p{M}]{2,40})/giu;

/** The form under which one word is found; the same for index and question. */
export function termOf(word: string): string {
  const known = termByWord.get(word);
  if (known !== undefined) return known;
  const term = stem(fold(word)).slice(0, TERM_LENGTH_MAX);
  if (termByWord.size >= REMEMBERED_WORDS_MAX) termByWord.clear();
  if (word.length <= TERM_LENGTH_MAX) termByWord.set(word, term);
  return term;
}

/** A catalogue says the same words over and over: folding them again costs a tenth of an import. */
const REMEMBERED_WORDS_MAX = 50_000;
const termByWord = new Map<string, string>();

/** Lower case without diacritics, ligatures and full-width forms: `"Straße"` → `"strasse"`. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ');
}

/**
 * Harman's S-stemmer (1991): folds plurals and nothing else, so that no two different things become
 * one word. Words with digits and words of up to three letters stay as they are. Beyond Harman,
 * `hoodie` meets `hoodies`, and `pies` `pie`.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`;
  if (!word.endsWith('s')) return word;
  if (word.length > 4 && /[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (word.endsWith('ies')) return word.slice(0, -1);
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('es') && !/[aeo]es$/.test(word)) return word.slice(0, -1);
  return /(?:us|ss|is|[aeo]es)$/.test(word) && !/(?:ees|oes)$/.test(word)
    ? word
    : word.slice(0, -1);
}

function* scanPlainWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    if (start > 0 && CONTRACTION.test(text.slice(start - 1, start + 4))) continue;
    if (CJK.test(match[0])) yield* scanUnspaced(match[0], start);
    else yield { start, end: start + match[0].length, term: termOf(match[0]) };
  }
}

function* scanUnspaced(run: string, offset: number): Generator<Word> {
  for (const part of run.matchAll(CJK_RUN)) {
    const start = offset + part.index;
    if (!CJK.test(part[0])) {
      yield { start, end: start + part[0].length, term: termOf(part[0]) };
      continue;
    }
    const characters = [...part[0]];
    let at = start;
    for (const [index, character] of characters.entries()) {
      const next = characters[index + 1];
      if (next !== undefined || characters.length === 1) {
        const pair = character + (next ?? '');
        yield { start: at, end: at + pair.length, term: pair.normalize('NFKC').toLowerCase() };
      }
      at += character.length;
    }
  }
}
