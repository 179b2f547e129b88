import type { LayeredIndex } from '../../search/index/layered-index.ts';
import {
  type Compounds,
  type CompoundsOf,
  compoundsOf,
  FIRST_LENGTH_MIN,
  partsToCount,
  REST_LENGTH_MIN,
} from '../../search/query/compounds.ts';
import { compoundIn, endTermOf } from '../../search/text/compound-terms.ts';
import type { Language } from '../../search/text/language.ts';
import { TERM_LENGTH_MAX } from '../../search/text/tokenizer.ts';

/** Shorter terms end and begin too many words by chance. */
const PART_LENGTH_MIN = 3;

/** The most frequent words that end or begin like a term. */
const COMPOUNDS_MAX = 24;

/** The most terms of a question whose compounds are looked up. */
const TERMS_MAX = 8;

/**
 * The words of the catalogue that are compounds of these terms, by term. Adds the document counts of what it
 * finds to `counts`. Empty for a language without compounds.
 */
export function findCompounds(
  index: Pick<LayeredIndex, 'countDocuments' | 'findTerms'>,
  language: Language,
  { terms, counts }: { readonly terms: readonly string[]; readonly counts: Map<string, number> },
): Compounds {
  const found = new Map<string, CompoundsOf>();
  if (language.words.analysis.compounds === 'none') return found;
  const parts = terms.filter((term) => term.length >= PART_LENGTH_MIN && /^\p{L}+$/u.test(term));
  for (const term of parts.slice(0, TERMS_MAX)) {
    const length = { lengthMax: TERM_LENGTH_MAX, limit: COMPOUNDS_MAX };
    const lengthMin = term.length + FIRST_LENGTH_MIN + 1;
    const ends = index.findTerms({ prefix: endTermOf(term), lengthMin, ...length });
    const ending = ends.map((end) => ({ ...end, term: compoundIn(end.term) }));
    const beginning = index.findTerms({
      ...{ prefix: term, lengthMin: term.length + REST_LENGTH_MIN, ...length },
    });
    for (const word of [...ending, ...beginning]) counts.set(word.term, word.count);
    const words = {
      ending: ending.map((word) => word.term),
      beginning: beginning.map((word) => word.term),
    };
    const evidence = index.countDocuments(partsToCount(term, words, language));
    const count = (part: string) => evidence.get(part) ?? 0;
    found.set(term, compoundsOf(term, words, { language, count }));
  }
  return found;
}
