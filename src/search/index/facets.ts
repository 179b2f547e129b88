export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

/** Facet counts over the matching offerings. */
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

/** Facet counts before they are sorted and truncated. */
export interface FacetCounts {
  readonly vendor: ReadonlyMap<string, number>;
  readonly productType: ReadonlyMap<string, number>;
  readonly tags: ReadonlyMap<string, number>;
  /** By currency. `firstPlace`: the place of the first item with a price in it. */
  readonly price: ReadonlyMap<string, PriceRange>;
}

interface PriceRange {
  readonly minMinor: number;
  readonly maxMinor: number;
  readonly firstPlace: number;
}

/** The most values listed in a facet: the most frequent first, ties alphabetically. */
const VALUES_MAX = 20;

/** Sorts and truncates the counts. Pure. */
export function facetsOf({ vendor, productType, tags, price }: FacetCounts): Facets {
  return {
    vendor: mostFrequent(vendor),
    productType: mostFrequent(productType),
    tags: mostFrequent(tags),
    price: [...price]
      .sort(([, left], [, right]) => left.firstPlace - right.firstPlace)
      .map(([currency, { minMinor, maxMinor }]) => ({ currency, minMinor, maxMinor })),
  };
}

/** The counts over both sets, whose places refer to one list. Pure. */
export function joinFacetCounts(one: FacetCounts, other: FacetCounts): FacetCounts {
  const price = new Map(one.price);
  for (const [currency, range] of other.price)
    price.set(currency, joinRanges(price.get(currency), range));
  return {
    vendor: joinCounts(one.vendor, other.vendor),
    productType: joinCounts(one.productType, other.productType),
    tags: joinCounts(one.tags, other.tags),
    price,
  };
}

function joinRanges(one: PriceRange | undefined, other: PriceRange): PriceRange {
  if (one === undefined) return other;
  return {
    minMinor: Math.min(one.minMinor, other.minMinor),
    maxMinor: Math.max(one.maxMinor, other.maxMinor),
    firstPlace: Math.min(one.firstPlace, other.firstPlace),
  };
}

function joinCounts(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): Map<string, number> {
  const counts = new Map(one);
  for (const [value, count] of other) counts.set(value, (counts.get(value) ?? 0) + count);
  return counts;
}

/** Selects while it counts: sorting all values of a broad question took longer than counting them. */
function mostFrequent(counts: ReadonlyMap<string, number>): FacetValue[] {
  const best: FacetValue[] = [];
  for (const [value, count] of counts) {
    let place = best.length;
    while (place > 0 && isBefore(value, count, best[place - 1]!)) place -= 1;
    if (place === VALUES_MAX) continue;
    best.splice(place, 0, { value, count });
    if (best.length > VALUES_MAX) best.pop();
  }
  return best;
}

function isBefore(value: string, count: number, other: FacetValue): boolean {
  return count === other.count ? value < other.value : count > other.count;
}
