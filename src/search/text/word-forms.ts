import { phrasesIn } from './phrases.ts';

/** Relates the terms of words that no rule relates: irregular plurals, and materials with their adjectives. */
export class WordForms {
  readonly #plurals = new Map<string, string>();
  readonly #materials = new Map<string, readonly string[]>();

  /**
   * `plurals`: pairs separated by commas, each the singular and the plural with a blank between them.
   * `materials`: one group a line, its words separated by commas.
   */
  constructor(
    { plurals, materials }: { readonly plurals: string; readonly materials: string },
    termOf: (word: string) => string,
  ) {
    for (const pair of phrasesIn(plurals)) {
      const [singular, plural] = pair.split(' ').map(termOf);
      this.#plurals.set(singular!, plural!);
      this.#plurals.set(plural!, singular!);
    }
    for (const line of materials.split('\n')) {
      const group = [...new Set(phrasesIn(line).map(termOf))];
      for (const term of group)
        this.#materials.set(
          term,
          group.filter((other) => other !== term),
        );
    }
  }

  /**
   * The other forms of a term: the plural of a singular and the other way round, also at the end of a compound
   * (`bookshelves`), and the words for what is made of a material. Empty for most words.
   */
  othersOf(term: string): readonly string[] {
    const materials = this.#materials.get(term) ?? [];
    for (const [ending, other] of this.#plurals)
      if (term.endsWith(ending)) return [...materials, term.slice(0, -ending.length) + other];
    return materials;
  }
}
