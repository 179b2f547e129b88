/**
 * Prefixes the term of a word that may be a compound, written backwards, so that the words that end in
 * `topf` are those whose term begins with `fpot` behind the mark.
 */
const MARK = '\u{e001}';

/** The shortest stem that may be a compound. */
const COMPOUND_LENGTH_MIN = 6;

/** The term under which a compound is found by its last part; null for a word that cannot be one. */
export function compoundTermOf(term: string): string | null {
  return term.length < COMPOUND_LENGTH_MIN || !/^\p{L}+$/u.test(term) ? null : endTermOf(term);
}

/** What the `compoundTermOf` of each word that ends like this begins with. */
export function endTermOf(end: string): string {
  return MARK + [...end].reverse().join('');
}

/** The word of a `compoundTermOf`. */
export function compoundIn(compoundTerm: string): string {
  return [...compoundTerm.slice(MARK.length)].reverse().join('');
}
