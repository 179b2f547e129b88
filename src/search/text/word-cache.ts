import { TextMap, type TextPart } from './text-map.ts';

/** Distinct words after which a cache is emptied: more than a catalogue repeats. Some 10 MB. */
export const CACHED_WORDS_MAX = 262_144;

/** Longer words are machine noise and hardly repeat. */
const WORD_LENGTH_MAX = 64;

/** Makes the terms of a text's words in the form that a caller wants. */
export interface Terms<Term> {
  /** The term of a word of letters. */
  at(word: TextPart): Term;
  /** A term that is known as text. */
  of(term: string): Term;
}

/**
 * Remembers a number for each word, because texts repeat them. A word that was met before costs a lookup by its
 * place in the text, and no string is made of it.
 */
export class WordCache {
  readonly #words = new TextMap();

  get size(): number {
    return this.#words.size;
  }

  /** `numberOf`: what to remember of a word that is met for the first time, from 0 to 2^31 - 1. */
  at(part: TextPart, numberOf: (word: string) => number): number {
    const known = this.#words.find(part);
    if (known >= 0) return known;
    const { text, start, end } = part;
    const number = numberOf(text.slice(start, end));
    if (end - start <= WORD_LENGTH_MAX) this.#words.add(part, number);
    return number;
  }
}

/** Makes terms as text. */
export class TermStrings implements Terms<string> {
  readonly #termOf: (word: string) => string;
  #words = new WordCache();
  #terms: string[] = [];

  /** `termOf`: of a word of letters. */
  constructor(termOf: (word: string) => string) {
    this.#termOf = termOf;
  }

  at(word: TextPart): string {
    if (this.#terms.length >= CACHED_WORDS_MAX) [this.#words, this.#terms] = [new WordCache(), []];
    return this.#terms[this.#words.at(word, this.#keep)]!;
  }

  of(term: string): string {
    return term;
  }

  readonly #keep = (word: string): number =>
    // A substring would keep the whole text from being freed.
    this.#terms.push(detached(this.#termOf(word))) - 1;
}

function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
