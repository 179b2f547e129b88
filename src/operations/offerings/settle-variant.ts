import type { Variant } from '../../domain/catalog.ts';
import { variantName } from '../../domain/variants.ts';
import { parseQuestion } from '../../search/query/parse-question.ts';
import { askedWords, chooseVariant, unreadTerms } from '../../search/results/choose-variant.ts';
import { languageOf } from '../../search/text/language.ts';
import type { FoundOffering } from './find-offering.ts';

export interface SettledVariant {
  /** The requested variant, or the only one; null if several remain or there are none. */
  readonly variant: Variant | null;
  /** The remaining variants if there are several, available ones first. Otherwise empty. */
  readonly choices: readonly Variant[];
}

/**
 * Resolves the variant from an offering's reference and from `words`: a variant's id or SKU, or its
 * options (`M / Red`, `size M`). Words that match no variant resolve nothing.
 */
export function settleVariant(
  { offering, shop, variant: referred }: FoundOffering,
  words: string | undefined,
): SettledVariant {
  const { variants } = offering;
  const settled = (variant: Variant | null) => ({ variant, choices: [] });
  if (variants.length < 2) return settled(variants[0] ?? null);
  const named = words === undefined ? referred : namedVariant(variants, words);
  if (named !== null) return settled(named);
  const asked = askedWords(parseQuestion(words ?? '', languageOf(shop.locale)));
  const { ordered, fitting } = chooseVariant(asked, offering);
  const isRead = unreadTerms(asked, offering).length === 0;
  if (isRead && referred !== null && fitting.includes(referred)) return settled(referred);
  if (isRead && fitting.length === 1) return settled(fitting[0]!);
  const choices = ordered.filter((variant) => fitting.includes(variant));
  return { variant: null, choices: choices.length > 0 ? choices : ordered };
}

function namedVariant(variants: readonly Variant[], words: string): Variant | null {
  const text = words.toLowerCase();
  const isNamed = ({ id, sku, ...variant }: Variant) =>
    [id, sku, variant.title, variantName(variant)].some((name) => name?.toLowerCase() === text);
  const named = variants.filter(isNamed);
  return named.length === 1 ? named[0]! : null;
}
