import type { AnalysisWords, LanguageWords } from '../languages/language-words.ts';
import { fold } from './fold.ts';
import type { IndexTerm, IndexTerms } from './index-terms.ts';
import { anyIn, anyOf, phrasesIn, wordsIn } from './phrases.ts';
import { stemmerOf } from './stem.ts';
import { nextHash } from './text-map.ts';
import type { Measure, MeasureReader } from './units.ts';
import { TermStrings, type Terms } from './word-cache.ts';

/** A token of a text: its position (UTF-16 offsets) and its term. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** Longer words are machine noise (base64, hashes) and are truncated to this many characters. */
export const TERM_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** A letter of a script that is written without blanks. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;
const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;

type Measures = readonly Measure[];

/** How the words of a text are visited: in which form, and by whom. */
interface Visit<Term> {
  readonly terms: Terms<Term>;
  readonly visit: (term: Term, start: number, end: number) => void;
}

/** The tokenizer of one language, for documents and questions alike. */
export class Tokenizer {
  readonly #measures: MeasureReader;
  /** The term of a folded word. */
  readonly #stem: (word: string) => string;
  readonly #compounds: AnalysisWords['compounds'];
  readonly #contraction: RegExp;
  readonly #segmenter: Intl.Segmenter | null;
  readonly #elision: RegExp;
  /** The longest elision; 0 for a language without any. */
  readonly #elisionMax: number;
  readonly #free: RegExp;
  readonly #maybeFree: RegExp;
  readonly #strings = new TermStrings((word) => this.#spacedTermOf(word));

  constructor(language: LanguageWords, measures: MeasureReader) {
    const words = language.analysis;
    this.#measures = measures;
    this.#stem = stemmerOf(language);
    this.#compounds = words.compounds;
    const endings = anyOf(wordsIn(words.apostropheEndings));
    this.#contraction = new RegExp(`^['’](?:${endings})(?![\\p{L}\\p{N}])`, 'iu');
    this.#segmenter = words.isSegmented
      ? new Intl.Segmenter(language.code, { granularity: 'word' })
      : null;
    const elisions = wordsIn(words.elisions);
    this.#elision = new RegExp(`^(?:${anyOf(elisions)})$`, 'iu');
    this.#elisionMax = Math.max(0, ...elisions.map(({ length }) => length));
    const { freeEndings, freeWords, freeBefore, freeBetween } = words;
    const behind = `${anyIn(freeEndings)}|[ -](?:${anyIn(freeWords)})`;
    const between = `(?:(?:${anyIn(freeBetween)}) )?`;
    this.#free = new RegExp(
      `([\\p{L}\\p{M}]{2,40})(?:${behind})(?![\\p{L}\\p{N}])|` +
        `(?<![\\p{L}\\p{N}])(?:${anyIn(freeBefore)})[ -]${between}([\\p{L}\\p{M}]{2,40})`,
      'giu',
    );
    const marks = phrasesIn(`${freeEndings}, ${freeWords}`).map((mark) => mark.replace(/^-/, ''));
    this.#maybeFree = new RegExp(`${anyOf(cores(marks))}|(?:${anyIn(freeBefore)})[ -]`, 'iu');
  }

  /**
   * The words of a text in order, in lower case, without diacritics, stemmed. Scripts without blanks are
   * split into words or, in a language that is not segmented, overlapping pairs of characters. The ending after the apostrophe of a possessive or a
   * contraction (`men's`, `I'm`, `we're`) is dropped. A size becomes one word in a canonical spelling
   * (`8' x 10'`, `½ in`; see units.ts).
   */
  scanWords(text: string, measures: Measures = this.#measures.find(text)): Word[] {
    const words: Word[] = [];
    const visit = (term: string, start: number, end: number) => words.push({ start, end, term });
    this.#forEachWord(text, measures, { terms: this.#strings, visit });
    return words;
  }

  /** The terms of a text in order, repetitions included. */
  termsOf(text: string, measures: Measures = this.#measures.find(text)): string[] {
    const terms: string[] = [];
    const visit = (term: string) => {
      if (term !== '') terms.push(term);
    };
    this.#forEachWord(text, measures, { terms: this.#strings, visit });
    return terms;
  }

  /**
   * The terms that a text is indexed under: those of `termsOf`, the numbers within its sizes (`16 GB`
   * also as `16`), the things it says it is free of (`freeOf`), and its words that may be compounds
   * (`compoundTermOf`). The terms of its words come first; `starts` receives the offset in `text` at which each begins.
   */
  indexTermsOf(
    text: string,
    terms: IndexTerms,
    { measures, starts }: { readonly measures: Measures; readonly starts?: number[] | undefined },
  ): IndexTerm[] {
    const found: IndexTerm[] = [];
    const compounds = this.#compounds === 'none' ? null : new Set<string>();
    const visit = (term: IndexTerm, start: number) => {
      if (terms.isNone(term)) return;
      found.push(term);
      starts?.push(start);
      if (compounds === null) return;
      const isNoun = this.#compounds === 'all' || isCapital(text[start]!);
      const compound = isNoun ? terms.compoundOf(term) : null;
      if (compound !== null) compounds.add(compound);
    };
    this.#forEachWord(text, measures, { terms, visit });
    if (compounds !== null) found.push(...compounds);
    for (const { parts } of measures) found.push(...parts);
    if (!this.#maybeFree.test(text)) return found;
    for (const [, joined, negated] of text.matchAll(this.#free)) {
      const term = this.termOf(joined ?? negated!);
      if (term !== '') found.push(freeOf(term));
    }
    return found;
  }

  /** The term of one word. */
  termOf(word: string): string {
    return UNSPACED.test(word) ? plain(word) : this.#spacedTermOf(word);
  }

  #spacedTermOf(word: string): string {
    return this.#stem(fold(word)).slice(0, TERM_LENGTH_MAX);
  }

  #forEachWord<Term>(text: string, measures: Measures, { terms, visit }: Visit<Term>): void {
    if (measures.length === 0) {
      this.#forEachPlainWord(text, { terms, visit });
      return;
    }
    let next = 0;
    const visitBeside = (term: Term, start: number, end: number) => {
      while (next < measures.length && measures[next]!.end <= start) next += 1;
      const measure = measures[next];
      if (measure === undefined || end <= measure.start) visit(term, start, end);
      else if (start <= measure.start) visit(terms.of(measure.term), start, measure.end);
    };
    this.#forEachPlainWord(text, { terms, visit: visitBeside });
  }

  /** Visits the words of a text and ignores sizes: the inner loop of every import. */
  #forEachPlainWord<Term>(text: string, { terms, visit }: Visit<Term>): void {
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
          this.#forEachRareWord(text, start, { terms, visit });
          return;
        }
        kinds |= kind;
        hash = nextHash(hash, unit);
        if (++at >= text.length) break;
        unit = text.charCodeAt(at);
        kind = classOf(unit);
      }
      if (this.#isContraction(text, start) || this.#isElision(text, start, at)) continue;
      if ((kinds & UNSPACED_LETTER) !== 0)
        this.#visitUnspaced(text, { start, end: at }, { terms, visit });
      // Codes and numbers are many and rarely repeat, so they are not cached.
      else if ((kinds & DIGIT) !== 0)
        visit(terms.of(this.#spacedTermOf(text.slice(start, at))), start, at);
      else visit(terms.at({ text, start, end: at, hash }), start, at);
    }
  }

  /**
   * As `#forEachPlainWord`, from `from` on, for texts with characters beyond the Basic Multilingual
   * Plane.
   */
  #forEachRareWord<Term>(text: string, from: number, { terms, visit }: Visit<Term>): void {
    WORD.lastIndex = from;
    for (const { 0: word, index: start } of text.matchAll(WORD)) {
      const end = start + word.length;
      if (this.#isContraction(text, start) || this.#isElision(text, start, end)) continue;
      if (UNSPACED.test(word)) this.#visitUnspaced(text, { start, end }, { terms, visit });
      else visit(terms.of(this.#spacedTermOf(word)), start, end);
    }
    WORD.lastIndex = 0;
  }

  #isContraction(text: string, start: number): boolean {
    const before = start === 0 ? 0 : text.charCodeAt(start - 1);
    const isBehindApostrophe = before === APOSTROPHE || before === CURLY_APOSTROPHE;
    return isBehindApostrophe && this.#contraction.test(text.slice(start - 1, start + 4));
  }

  /** Whether the word between these places is an article or the like that lost its vowel: `l'écharpe`. */
  #isElision(text: string, start: number, end: number): boolean {
    if (end - start > this.#elisionMax) return false;
    const behind = text.charCodeAt(end);
    const isBeforeApostrophe = behind === APOSTROPHE || behind === CURLY_APOSTROPHE;
    return isBeforeApostrophe && this.#elision.test(text.slice(start, end));
  }

  #visitUnspaced<Term>(
    text: string,
    run: Pick<Word, 'start' | 'end'>,
    { terms, visit }: Visit<Term>,
  ): void {
    const found = this.#scanUnspaced(text.slice(run.start, run.end), run.start);
    for (const { term, start, end } of found) visit(terms.of(term), start, end);
  }

  *#scanUnspaced(run: string, offset: number): Generator<Word> {
    for (const part of run.matchAll(UNSPACED_RUN)) {
      const start = offset + part.index;
      if (!UNSPACED.test(part[0])) {
        yield { start, end: start + part[0].length, term: this.#spacedTermOf(part[0]) };
        continue;
      }
      if (this.#segmenter !== null) {
        for (const { segment, index, isWordLike } of this.#segmenter.segment(part[0]))
          if (isWordLike === true)
            yield {
              start: start + index,
              end: start + index + segment.length,
              term: plain(segment),
            };
        continue;
      }
      const characters = [...part[0]];
      let at = start;
      for (const [index, character] of characters.entries()) {
        const next = characters[index + 1];
        if (next !== undefined || characters.length === 1) {
          const pair = character + (next ?? '');
          yield { start: at, end: at + pair.length, term: plain(pair) };
        }
        at += character.length;
      }
    }
  }
}

/** The term of a thing that is absent: `lactose-free`, `without lactose`, `laktosefrei` are all `lactosefree`. */
export function freeOf(term: string): string {
  return `${term}free`;
}

/** Those that hold no other one: where none of these is, none of all is. */
function cores(phrases: readonly string[]): string[] {
  const distinct = [...new Set(phrases)];
  return distinct.filter((one) => !distinct.some((other) => other !== one && one.includes(other)));
}

function plain(characters: string): string {
  return characters.normalize('NFKC').toLowerCase();
}

function isCapital(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

/** The character class of a UTF-16 code unit; 0 in `classes` if not yet determined. */
const BLANK = 1;
const LETTER = 2;
/** A letter of a script without blanks. */
const UNSPACED_LETTER = 4;
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
  return UNSPACED.test(character) ? UNSPACED_LETTER : LETTER;
}
