import { resized } from '../../collections/resized.ts';
import { NumberList } from './packing.ts';

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
  readonly vendor: ValueCounts;
  readonly productType: ValueCounts;
  readonly tags: ValueCounts;
  /** By currency. `firstPlace`: the place of the first item with a price in it. */
  readonly price: ReadonlyMap<string, PriceRange>;
}

/** The distinct values that were counted, as numbers in a list of values, and the count of each. */
export interface ValueCounts {
  readonly values: readonly string[];
  /** The `beginningOf` each value. */
  readonly beginnings: ArrayLike<number>;
  readonly numbers: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** Counts values by their numbers, without a map: it is cleared by `take` and serves one use after the other. */
export class ValueCounter {
  /** By number: how often it was counted. */
  #counts = new Uint32Array(64);
  readonly #numbers = new NumberList((length) => new Uint32Array(length), 64);

  add(number: number): void {
    if (number >= this.#counts.length) this.#grow(number);
    if (this.#counts[number]! === 0) this.#numbers.push(number);
    this.#counts[number]! += 1;
  }

  /** Empties it. `names`: by number. */
  take({ values, beginnings }: Pick<ValueCounts, 'values' | 'beginnings'>): ValueCounts {
    const numbers = this.#numbers.values.slice(0, this.#numbers.length);
    const counts = new Uint32Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      counts[at] = this.#counts[numbers[at]!]!;
      this.#counts[numbers[at]!] = 0;
    }
    this.#numbers.length = 0;
    return { values, beginnings, numbers, counts };
  }

  #grow(number: number): void {
    this.#counts = resized(this.#counts, 2 ** Math.ceil(Math.log2(number + 1)));
  }
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

/** Compares few values, which lie far apart in memory, where `other` has few. */
function joinCounts(one: ValueCounts, other: ValueCounts): ValueCounts {
  const further = new Map<string, number>();
  const beginningsOfFurther = new Set<number>();
  for (let at = 0; at < other.numbers.length; at++) {
    const number = other.numbers[at]!;
    further.set(other.values[number]!, other.counts[at]!);
    beginningsOfFurther.add(other.beginnings[number]!);
  }
  const values: string[] = [];
  const beginnings: number[] = [];
  const counts = Array.from(one.counts);
  for (let at = 0; at < counts.length; at++) {
    const number = one.numbers[at]!;
    const value = one.values[number]!;
    const beginning = one.beginnings[number]!;
    values.push(value);
    beginnings.push(beginning);
    if (!beginningsOfFurther.has(beginning)) continue;
    counts[at]! += further.get(value) ?? 0;
    further.delete(value);
  }
  for (const [value, count] of further) {
    values.push(value);
    beginnings.push(beginningOf(value));
    counts.push(count);
  }
  return { values, beginnings, numbers: [...values.keys()], counts };
}

/** The number of possible beginnings. */
const BEGINNINGS = 2 ** 32;

/**
 * The first two UTF-16 code units of a value as one number, in the order of the values. Nearly always it tells
 * which of two comes first, and unlike the values themselves those of a catalogue lie side by side in memory.
 */
export function beginningOf(value: string): number {
  return (value.charCodeAt(0) || 0) * 0x1_0000 + (value.charCodeAt(1) || 0);
}

/** The best so far: their places in `numbers`, and what orders them as far as numbers can. Used synchronously. */
const best = new Uint32Array(VALUES_MAX + 1);
const keys = new Float64Array(VALUES_MAX + 1);
/** The same for all values. */
let allKeys = new Float64Array(512);

/** Selects while it counts: sorting all values of a broad question took longer than counting them. */
function mostFrequent({ values, beginnings, numbers, counts }: ValueCounts): FacetValue[] {
  const valueAt = (at: number) => values[numbers[at]!]!;
  if (allKeys.length < numbers.length) allKeys = new Float64Array(numbers.length * 2);
  // A loop of its own, because the beginnings lie far apart in memory.
  for (let at = 0; at < numbers.length; at++)
    allKeys[at] = beginnings[numbers[at]!]! - counts[at]! * BEGINNINGS;
  let length = 0;
  for (let at = 0; at < numbers.length; at++) {
    const key = allKeys[at]!;
    let place = length;
    for (; place > 0 && key <= keys[place - 1]!; place--)
      if (key === keys[place - 1]! && valueAt(at) >= valueAt(best[place - 1]!)) break;
    if (place === VALUES_MAX) continue;
    for (let later = length; later > place; later--) {
      best[later] = best[later - 1]!;
      keys[later] = keys[later - 1]!;
    }
    best[place] = at;
    keys[place] = key;
    if (length < VALUES_MAX) length += 1;
  }
  const found: FacetValue[] = [];
  for (let place = 0; place < length; place++)
    found.push({ value: valueAt(best[place]!), count: counts[best[place]!]! });
  return found;
}
