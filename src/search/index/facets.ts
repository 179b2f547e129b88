import type { CatalogItem } from '../../domain/catalog.ts';

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Facets {
  readonly vendor: readonly FacetValue[];
  readonly productType: readonly FacetValue[];
  readonly tags: readonly FacetValue[];
  /** In minor units, one entry for each currency. */
  readonly price: readonly {
    readonly currency: string;
    readonly minMinor: number;
    readonly maxMinor: number;
  }[];
}

/** Values a facet lists at most, the most frequent first. */
const VALUES_MAX = 20;

/** Counts over the items of a matching set. Pure; ties in the alphabet's order. */
export function countFacets(items: readonly CatalogItem[]): Facets {
  const offerings = items.filter((item) => item.type === 'product');
  const price = new Map<string, { currency: string; minMinor: number; maxMinor: number }>();
  for (const { currency, priceMinor } of offerings) {
    if (priceMinor === null) continue;
    const range = price.get(currency) ?? { currency, minMinor: priceMinor, maxMinor: priceMinor };
    price.set(currency, {
      currency,
      minMinor: Math.min(range.minMinor, priceMinor),
      maxMinor: Math.max(range.maxMinor, priceMinor),
    });
  }
  return {
    vendor: countValues(offerings.map(({ vendor }) => vendor)),
    productType: countValues(offerings.map(({ productType }) => productType)),
    tags: countValues(offerings.flatMap(({ tags }) => tags)),
    price: [...price.values()],
  };
}

function countValues(values: readonly (string | null)[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
