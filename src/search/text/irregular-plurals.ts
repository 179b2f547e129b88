import { phrasesIn } from './phrases.ts';

/** Relates the singular and the plural terms of nouns that no rule relates. */
export class IrregularPlurals {
  readonly #otherForms = new Map<string, string>();

  /** `pairs`: separated by commas, each the singular and the plural with a blank between them. */
  constructor(pairs: string, termOf: (word: string) => string) {
    for (const pair of phrasesIn(pairs)) {
      const [singular, plural] = pair.split(' ').map(termOf);
      this.#otherForms.set(singular!, plural!);
      this.#otherForms.set(plural!, singular!);
    }
  }

  /**
   * The plural term of a singular or the singular term of a plural, also at the end of a compound
   * (`bookshelves`); null for a regular word.
   */
  otherNumberOf(term: string): string | null {
    for (const [ending, other] of this.#otherForms)
      if (term.endsWith(ending)) return term.slice(0, -ending.length) + other;
    return null;
  }
}
