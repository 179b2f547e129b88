import { compoundTermOf } from './compound-terms.ts';
import { Lexicon } from './lexicon.ts';
import type { TextPart } from './text-map.ts';
import { CACHED_WORDS_MAX, type Terms, WordCache } from './word-cache.ts';

/**
 * A term of a document: that of a word as its number in a lexicon, because words repeat; others, such as codes
 * and numbers, as text.
 */
export type IndexTerm = number | string;

/** Makes the terms of documents of one language. */
export class IndexTerms implements Terms<IndexTerm> {
  readonly #termOf: (word: string) => string;
  #lexicon!: Lexicon;
  #words!: WordCache;
  /** The compound term of a word by its number; null for a word that has none. */
  readonly #compounds = new Map<number, string | null>();

  /** `termOf`: of a word. */
  constructor(termOf: (word: string) => string) {
    this.#termOf = termOf;
    this.#renew();
  }

  /** The lexicon that numbers the words of the next document; for a later one it may be another. */
  begin(): Lexicon {
    if (Math.max(this.#words.size, this.#lexicon.size) >= CACHED_WORDS_MAX) this.#renew();
    return this.#lexicon;
  }

  at(word: TextPart): number {
    return this.#words.at(word, this.#numberOf);
  }

  of(term: string): string {
    return term;
  }

  isNone(term: IndexTerm): boolean {
    return term === '' || term === NONE;
  }

  /** The term under which a word is found by its last part (`compoundTermOf`); null for a word that cannot be one. */
  compoundOf(term: IndexTerm): string | null {
    if (typeof term === 'string') return compoundTermOf(term);
    const known = this.#compounds.get(term);
    if (known !== undefined) return known;
    const compound = compoundTermOf(this.#lexicon.text(term));
    this.#compounds.set(term, compound);
    return compound;
  }

  #renew(): void {
    this.#lexicon = new Lexicon();
    this.#lexicon.number('');
    this.#words = new WordCache();
    this.#compounds.clear();
  }

  readonly #numberOf = (word: string): number => this.#lexicon.number(this.#termOf(word));
}

/** The number of the empty text, which is no term. */
const NONE = 0;
