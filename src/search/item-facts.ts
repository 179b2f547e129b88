import type { CatalogItem } from '../domain/catalog.ts';
import { offeringTexts } from './documents.ts';
import type { ItemFacts } from './filter.ts';
import { findMeasures } from './units.ts';

/** More sizes are a table's, and tell of no one item. */
const MEASURES_MAX = 64;

/** What an item says of prices and sizes. Pure. */
export function factsOf(item: CatalogItem): ItemFacts {
  if (item.type === 'context') return NO_FACTS;
  const { name, type, details } = offeringTexts(item);
  const prices = [item.priceMinor, ...item.variants.map(({ priceMinor }) => priceMinor)];
  return {
    prices: [...new Set(prices.filter((price) => price !== null))],
    currency: item.currency,
    measures: measureTerms([name, type, details]),
  };
}

const NO_FACTS: ItemFacts = { prices: [], currency: '', measures: [] };

function measureTerms(texts: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const text of texts) for (const { term } of findMeasures(text)) terms.add(term);
  return [...terms].slice(0, MEASURES_MAX);
}
