import type { CatalogItem, Offering } from '../../domain/catalog.ts';
import type { ItemFacts } from '../query/filter.ts';
import type { Measure } from '../text/units.ts';
import type { AnalyzedOffering } from './documents.ts';

/** More sizes than this come from a size chart and do not describe the item. */
const MEASURES_MAX = 64;

/** Pure. `analyzed`: null for a context. */
export function factsOf(item: CatalogItem, analyzed: AnalyzedOffering | null): ItemFacts {
  if (item.type === 'context' || analyzed === null) return NO_FACTS;
  const { name, type, details } = analyzed.measures;
  return {
    prices: pricesOf(item),
    currency: item.currency,
    measures: termsOf([...name, ...type, ...details]),
    isService: item.kind === 'service',
  };
}

/** An offering's own price and those of its variants, each once. */
export function pricesOf({ priceMinor, variants }: Offering): number[] {
  const prices = [priceMinor, ...variants.map((variant) => variant.priceMinor)];
  return [...new Set(prices.filter((price) => price !== null))];
}

const NO_FACTS: ItemFacts = { prices: [], currency: '', measures: [], isService: false };

function termsOf(measures: readonly Measure[]): string[] {
  return [...new Set(measures.map(({ term }) => term))].slice(0, MEASURES_MAX);
}
