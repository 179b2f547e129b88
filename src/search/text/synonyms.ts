/** The longest phrase that is looked up, in words. */
const PHRASE_WORDS_MAX = 2;

/** Phrase → the other names in its group, each reduced to the words that replace it. */
export type Synonyms = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Names of the same thing. */
export interface SynonymGroup {
  readonly names: readonly string[];
  /** The first name is replaced by the others, but not the other way round. */
  readonly isOneWay?: boolean;
}

/**
 * The synonyms of each of a question's terms, in order: `couch` → `sofa`; `cell phone` → `mobile`
 * for both terms. Empty for a term without synonyms. Pure.
 */
export function synonymsIn(synonyms: Synonyms, terms: readonly string[]): string[][] {
  const found = terms.map((term) => new Set(synonyms.get(term)?.flat()));
  for (let index = 0; index + 1 < terms.length; index++) {
    const others = synonyms.get(`${terms[index]} ${terms[index + 1]}`) ?? [];
    for (const [first, second] of others) {
      found[index]!.add(first!);
      found[index + 1]!.add(second ?? first!);
    }
  }
  return found.map((set, index) => [...set].filter((term) => term !== terms[index]));
}

/** Pure. `termsOfName`: the terms of the words of a name. */
export function synonymsFrom(
  groups: readonly SynonymGroup[],
  termsOfName: (name: string) => string[],
): Synonyms {
  const synonyms = new Map<string, (readonly string[])[]>();
  for (const { names, isOneWay = false } of groups) {
    const phrases = names.map(termsOfName);
    for (const phrase of isOneWay ? phrases.slice(0, 1) : phrases) {
      if (phrase.length > PHRASE_WORDS_MAX) continue;
      const key = phrase.join(' ');
      const others = phrases.filter((other) => other.join(' ') !== key);
      const standIns = others.map((other) =>
        other.length === phrase.length ? other : [other[0]!],
      );
      synonyms.set(key, [...(synonyms.get(key) ?? []), ...standIns]);
    }
  }
  return synonyms;
}
