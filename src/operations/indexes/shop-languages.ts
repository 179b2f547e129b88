import type { Directory } from '../../directory.ts';
import { type Language, languageOf } from '../../search/text/language.ts';

/** The language that the words of a shop's documents are in, by shop key. */
export type LanguageOfShop = (shopKey: number) => Language;

export function shopLanguages(directory: Directory): LanguageOfShop {
  return (shopKey) => languageOf(directory.shop(shopKey).locale);
}
