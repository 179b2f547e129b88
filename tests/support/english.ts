import { IndexTerms } from '../../src/search/text/index-terms.ts';
import { languageOf } from '../../src/search/text/language.ts';
import type { Measure } from '../../src/search/text/units.ts';

/** The language of most tests. */
export const ENGLISH = languageOf('en');

export const { termOf } = ENGLISH;

export function termsOf(text: string, measures?: readonly Measure[]): string[] {
  return ENGLISH.termsOf(text, measures);
}

const indexTerms = new IndexTerms(termOf);

/** The terms that a text is indexed under, as text. */
export function indexTermsOf(text: string): string[] {
  const lexicon = indexTerms.begin();
  return ENGLISH.indexTermsOf(text, indexTerms).map((term) =>
    typeof term === 'string' ? term : lexicon.text(term),
  );
}
