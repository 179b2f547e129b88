import { languageOf } from '../../src/search/text/language.ts';
import type { Measure } from '../../src/search/text/units.ts';

/** The language of most tests. */
export const ENGLISH = languageOf('en');

export const { termOf } = ENGLISH;

export function termsOf(text: string, measures?: readonly Measure[]): string[] {
  return ENGLISH.termsOf(text, measures);
}
