import { findMeasures, type Measure } from './units.ts';

/** A token of a text: its position (UTF-16 offsets) and its term. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** Longer words are machine noise (base64, hashes) and are truncated to this many characters. */
export const TERM_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;
const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;
const CONTRACTION = /^['’](?:s|m|d|t|re|ve|ll)(?![\p{L}\p{N}])/iu;

/**
 * The tokenizer: the words of a text in order, in lower case, without diacritics, stemmed (see
 * `stem`). Scripts without blanks are split into overlapping pairs of characters. The ending after
 * the apostrophe of a possessive or a contraction (`men's`, `I'm`, `we're`) is dropped. A size
 * becomes one word in a canonical spelling (`8' x 10'`, `½ in`; see units.ts).
 */
export function scanWords(text: string, measures: Measures = findMeasures(text)): Word[] {
  const words: Word[] = [];
  forEachWord(text, measures, (term, start, end) => words.push({ start, end, term }));
  return words;
}

/** The terms of a text in order, repetitions included. */
export function termsOf(text: string, measures: Measures = findMeasures(text)): string[] {
  const terms: string[] = [];
  forEachWord(text, measures, (term) => {
    if (term !== '') terms.push(term);
  });
  return terms;
}

/**
 * The terms that a text is indexed under: those of `termsOf`, the numbers within its sizes (`16 GB`
 * also as `16`), and the things it says it is free of (`freeOf`).
 */
export function indexTermsOf(text: string, measures: Measures = findMeasures(text)): string[] {
  const terms = termsOf(text, measures);
  for (const { parts } of measures) terms.push(...parts);
  if (!MAYBE_FREE.test(text)) return terms;
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

/** Matches every text that `FREE` matches, and is much quicker. */
const MAYBE_FREE = /fre[ei]|(?:without|no|non|ohne|sans)[ -]/iu;

/** The term of one word; the same for the index and for questions. */
export function termOf(word: string): string {
  return stem(fold(word)).slice(0, TERM_LENGTH_MAX);
}

/** A power of two. */
const REMEMBERED_WORDS = 65_536;
const rememberedWords = new Array<string>(REMEMBERED_WORDS).fill('');
const rememberedTerms = new Array<string>(REMEMBERED_WORDS).fill('');

/**
 * As `termOf`, for the word at this position. A catalogue repeats its words: a recent word is found
 * in the cache by its hash, without making a string of it.
 */
function termAt(text: string, { start, end, hash }: WordPlace): string {
  const place = (hash ^ (hash >>> 16)) & (REMEMBERED_WORDS - 1);
  const remembered = rememberedWords[place]!;
  if (remembered.length === end - start && text.startsWith(remembered, start))
    return rememberedTerms[place]!;
  const word = text.slice(start, end);
  const term = termOf(word);
  if (word.length <= TERM_LENGTH_MAX) {
    // A slice would keep the whole text in memory.
    rememberedWords[place] = detached(word);
    rememberedTerms[place] = detached(term);
  }
  return term;
}

function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

interface WordPlace {
  readonly start: number;
  readonly end: number;
  /** Of its code units. */
  readonly hash: number;
}

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
 * Harman's S-stemmer (1991): it removes plural endings and nothing else, so that different things
 * keep different terms. Words with digits and words of up to three letters are not stemmed. Unlike
 * Harman's, it also matches `hoodie` with `hoodies` and `pie` with `pies`.
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

function forEachWord(text: string, measures: Measures, visit: Visit): void {
  if (measures.length === 0) {
    forEachPlainWord(text, visit);
    return;
  }
  let next = 0;
  forEachPlainWord(text, (term, start, end) => {
    while (next < measures.length && measures[next]!.end <= start) next += 1;
    const measure = measures[next];
    if (measure === undefined || end <= measure.start) visit(term, start, end);
    else if (start <= measure.start) visit(measure.term, start, measure.end);
  });
}

/** The character class of a UTF-16 code unit; 0 in `classes` if not yet determined. */
const BLANK = 1;
const LETTER = 2;
/** A letter of a script without blanks. */
const UNSPACED = 4;
const SURROGATE = 8;
const DIGIT = 16;
const classes = new Uint8Array(0x1_0000);

function classOf(unit: number): number {
  if (classes[unit] === 0) classes[unit] = classify(unit);
  return classes[unit]!;
}

function classify(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  const character = String.fromCharCode(unit);
  if (/[0-9]/.test(character)) return DIGIT;
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return BLANK;
  return CJK.test(character) ? UNSPACED : LETTER;
}

type Measures = readonly Measure[];

type Visit = (term: string, start: number, end: number) => void;

/** Visits the words of a text and ignores sizes: the inner loop of every import. */
function forEachPlainWord(text: string, visit: Visit): void {
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    let kind = classOf(unit);
    if (kind === BLANK) continue;
    const start = at;
    let kinds = 0;
    let hash = 0;
    while (kind !== BLANK) {
      // The class of a surrogate depends on the whole pair.
      if (kind === SURROGATE) {
        forEachRareWord(text, start, visit);
        return;
      }
      kinds |= kind;
      hash = Math.imul(hash ^ unit, 0x0100_0193);
      if (++at >= text.length) break;
      unit = text.charCodeAt(at);
      kind = classOf(unit);
    }
    if (isContraction(text, start)) continue;
    if ((kinds & UNSPACED) !== 0) visitUnspaced(text, { start, end: at }, visit);
    // Codes and numbers are many and rarely repeat, so they are not cached.
    else if ((kinds & DIGIT) !== 0) visit(termOf(text.slice(start, at)), start, at);
    else visit(termAt(text, { start, end: at, hash }), start, at);
  }
}

/**
 * As `forEachPlainWord`, from `from` on, for texts with characters beyond the Basic Multilingual
 * Plane.
 */
function forEachRareWord(text: string, from: number, visit: Visit): void {
  WORD.lastIndex = from;
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const end = start + word.length;
    if (isContraction(text, start)) continue;
    if (CJK.test(word)) visitUnspaced(text, { start, end }, visit);
    else visit(termOf(word), start, end);
  }
  WORD.lastIndex = 0;
}

function isContraction(text: string, start: number): boolean {
  const before = start === 0 ? 0 : text.charCodeAt(start - 1);
  const isBehindApostrophe = before === APOSTROPHE || before === CURLY_APOSTROPHE;
  return isBehindApostrophe && CONTRACTION.test(text.slice(start - 1, start + 4));
}

function visitUnspaced(text: string, run: Omit<WordPlace, 'hash'>, visit: Visit): void {
  for (const { term, start, end } of scanUnspaced(text.slice(run.start, run.end), run.start))
    visit(term, start, end);
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
