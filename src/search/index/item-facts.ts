import type { CatalogItem } from '../../domain/catalog.ts';
import type { ItemFacts } from '../query/filter.ts';
import type { Measure } from '../text/units.ts';
import { type AnalyzedOffering, analyzeOffering } from './documents.ts';

/** More sizes than this come from a size chart and do not describe the item. */
const MEASURES_MAX = 64;

/** Pure. `analyzed`: the analysis of an offering, if there is one already. */
export function factsOf(item: CatalogItem, analyzed?: AnalyzedOffering): ItemFacts {
  if (item.type === 'context') return NO_FACTS;
  const { name, type, details } = (analyzed ?? analyzeOffering(item)).measures;
  const prices = [item.priceMinor, ...item.variants.map(({ priceMinor }) => priceMinor)];
  return {
    prices: [...new Set(prices.filter((price) => price !== null))],
    currency: item.currency,
    measures: termsOf([...name, ...type, ...details]),
    isService: item.kind === 'service',
  };
}

const NO_FACTS: ItemFacts = { prices: [], currency: '', measures: [], isService: false };

function termsOf(measures: readonly Measure[]): string[] {
  return [...new Set(measures.map(({ term }) => term))].slice(0, MEASURES_MAX);
}
