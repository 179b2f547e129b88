import { type CatalogItem, isAvailable } from '../domain/catalog.ts';
import { offeringTexts } from './documents.ts';
import type { Facts } from './filter.ts';
import { findMeasures } from './units.ts';

/** More sizes are a table's, and tell of no one item. */
const MEASURES_MAX = 64;

/** What decides whether an item meets a constraint, whatever the question. Pure. */
export function factsOf(item: CatalogItem): Omit<Facts, 'presences'> {
  if (item.type === 'context') {
    return { isContext: true, available: true, prices: [], currency: '', measures: [] };
  }
  const { name, type, details } = offeringTexts(item);
  const prices = [item.priceMinor, ...item.variants.map(({ priceMinor }) => priceMinor)];
  return {
    isContext: false,
    available: isAvailable(item.availability),
    prices: [...new Set(prices.filter((price) => price !== null))],
    currency: item.currency,
    measures: measureTerms([name, type, details]),
  };
}

function measureTerms(texts: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const text of texts) for (const { term } of findMeasures(text)) terms.add(term);
  return [...terms].slice(0, MEASURES_MAX);
}
