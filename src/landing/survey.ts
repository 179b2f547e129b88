import { isAvailable } from '../domain/catalog.ts';
import type { Glance } from '../domain/landing-page.ts';

/** Offerings that a page shows at most. */
export const FEATURED_MAX = 30;

/** Services that a page lists at most. */
export const SERVICES_MAX = 15;

/** Policies, questions and stories that are read for a page at most, in the order of the catalogue. */
export const CONTEXTS_MAX = 60;

/** Of so many seats the last goes to an offering at a reduced price, if its category has one. */
const SALE_EVERY = 3;

/** Prices of one currency, in minor units. */
export interface PriceRange {
  readonly currency: string;
  readonly fromMinor: number;
  readonly toMinor: number;
}

/** Offerings that share a category or a brand. */
export interface OfferingGroup {
  readonly name: string;
  readonly count: number;
  /** The currency of most offerings first. */
  readonly prices: readonly PriceRange[];
}

/** What a catalogue holds, in numbers, and what of it a page shows. */
export interface CatalogSurvey {
  readonly products: number;
  readonly services: number;
  readonly available: number;
  readonly onSale: number;
  readonly prices: readonly PriceRange[];
  /** The largest first; without offerings that have none. */
  readonly categories: readonly OfferingGroup[];
  readonly vendors: readonly OfferingGroup[];
  /** Row keys in the order of the page. */
  readonly featured: readonly number[];
  readonly bookable: readonly number[];
  readonly contexts: readonly number[];
  /** When an item last changed, milliseconds since the epoch; 0: there is none. */
  readonly changedAt: number;
}

/** Counts a catalogue item by item and keeps what is worth showing. The order of items does not matter but for contexts. */
export class Survey {
  #products = 0;
  #services = 0;
  #available = 0;
  #onSale = 0;
  #changedAt = 0;
  readonly #prices = new Prices();
  readonly #categories = new Map<string, Group>();
  readonly #vendors = new Map<string, Group>();
  readonly #bookable: Glance[] = [];
  readonly #contexts: number[] = [];

  add(glance: Glance): void {
    this.#changedAt = Math.max(this.#changedAt, glance.updatedAt);
    if (glance.type === 'context') {
      if (this.#contexts.length < CONTEXTS_MAX) this.#contexts.push(glance.key);
      return;
    }
    const { vendor, productType } = glance;
    const isService = glance.kind === 'service';
    if (isService) this.#services += 1;
    else this.#products += 1;
    if (isOrderable(glance)) this.#available += 1;
    if (isOnSale(glance)) this.#onSale += 1;
    this.#prices.add(glance);
    groupIn(this.#vendors, vendor).count(glance);
    const category = groupIn(this.#categories, productType);
    category.count(glance);
    if (isService) keepBest(this.#bookable, glance, SERVICES_MAX);
    // Without a category, what one brand sells is the next best kind.
    else (productType === null ? groupIn(this.#vendors, vendor) : category).consider(glance);
  }

  finish(): CatalogSurvey {
    const all = [...this.#categories.values(), ...this.#vendors.values()];
    return {
      products: this.#products,
      services: this.#services,
      available: this.#available,
      onSale: this.#onSale,
      prices: this.#prices.ranges(),
      categories: largestFirst(this.#categories),
      vendors: largestFirst(this.#vendors),
      featured: chooseFeatured(all.sort(bySize)),
      bookable: this.#bookable.map(({ key }) => key),
      contexts: this.#contexts,
      changedAt: this.#changedAt,
    };
  }
}

class Group {
  readonly name: string;
  size = 0;
  readonly prices = new Prices();
  /** The best first. */
  readonly best: Glance[] = [];
  readonly reduced: Glance[] = [];

  constructor(name: string) {
    this.name = name;
  }

  count(glance: Glance): void {
    this.size += 1;
    this.prices.add(glance);
  }

  consider(glance: Glance): void {
    keepBest(this.best, glance, FEATURED_MAX);
    if (isOnSale(glance)) keepBest(this.reduced, glance, FEATURED_MAX);
  }
}

class Prices {
  readonly #ranges = new Map<string, { count: number; fromMinor: number; toMinor: number }>();

  add({ currency, priceMinor }: Glance): void {
    if (currency === null || priceMinor === null) return;
    const range = this.#ranges.get(currency);
    if (range === undefined) {
      this.#ranges.set(currency, { count: 1, fromMinor: priceMinor, toMinor: priceMinor });
      return;
    }
    range.count += 1;
    range.fromMinor = Math.min(range.fromMinor, priceMinor);
    range.toMinor = Math.max(range.toMinor, priceMinor);
  }

  ranges(): PriceRange[] {
    return [...this.#ranges]
      .sort(([a, one], [b, other]) => other.count - one.count || compare(a, b))
      .map(([currency, { fromMinor, toMinor }]) => ({ currency, fromMinor, toMinor }));
  }
}

/** The group of that name; that of the nameless is kept apart under the empty name. */
function groupIn(groups: Map<string, Group>, name: string | null): Group {
  const key = name ?? '';
  const present = groups.get(key);
  if (present !== undefined) return present;
  const group = new Group(key);
  groups.set(key, group);
  return group;
}

function largestFirst(groups: ReadonlyMap<string, Group>): OfferingGroup[] {
  return [...groups.values()]
    .filter(({ name }) => name !== '')
    .sort(bySize)
    .map(({ name, size, prices }) => ({ name, count: size, prices: prices.ranges() }));
}

/**
 * Seats go round the groups, the largest first; in each the best of a vendor that has the fewest
 * seats so far takes it. Now and then it is something at a reduced price.
 */
function chooseFeatured(groups: readonly Group[]): number[] {
  const chosen = new Set<number>();
  const seatsOf = new Map<string | null, number>();
  for (let isOver = false; !isOver && chosen.size < FEATURED_MAX; ) {
    isOver = true;
    for (const { best, reduced } of groups) {
      if (chosen.size === FEATURED_MAX) break;
      const free = (candidates: readonly Glance[]) =>
        candidates.filter(({ key }) => !chosen.has(key));
      const isSaleSeat = chosen.size % SALE_EVERY === SALE_EVERY - 1;
      const onSale = isSaleSeat ? free(reduced) : [];
      const next = leastSeated(onSale.length > 0 ? onSale : free(best), seatsOf);
      if (next === null) continue;
      isOver = false;
      chosen.add(next.key);
      seatsOf.set(next.vendor, (seatsOf.get(next.vendor) ?? 0) + 1);
    }
  }
  return [...chosen];
}

/** Of the best standing there is, the first whose vendor has the fewest seats; null when there is none. */
function leastSeated(
  candidates: readonly Glance[],
  seatsOf: ReadonlyMap<string | null, number>,
): Glance | null {
  const [first] = candidates;
  if (first === undefined) return null;
  let chosen = first;
  for (const candidate of candidates) {
    if (standing(candidate) < standing(first)) break;
    const seats = (glance: Glance) => seatsOf.get(glance.vendor) ?? 0;
    if (seats(candidate) < seats(chosen)) chosen = candidate;
  }
  return chosen;
}

/** Keeps `best` sorted and at most `limit` long. */
function keepBest(best: Glance[], glance: Glance, limit: number): void {
  if (best.length === limit && byMerit(glance, best[limit - 1]!) > 0) return;
  const place = best.findIndex((other) => byMerit(glance, other) < 0);
  best.splice(place < 0 ? best.length : place, 0, glance);
  if (best.length > limit) best.pop();
}

/** What can be ordered, has a price and a picture comes first, then what is new; ids settle the rest. */
function byMerit(one: Glance, other: Glance): number {
  return (
    standing(other) - standing(one) ||
    compare(other.publishedAt ?? '', one.publishedAt ?? '') ||
    compare(one.id, other.id)
  );
}

function standing(glance: Glance): number {
  return (
    (isOrderable(glance) ? 4 : 0) +
    (glance.priceMinor === null ? 0 : 2) +
    (glance.image === null ? 0 : 1)
  );
}

function isOrderable({ availability }: Glance): boolean {
  return availability !== null && isAvailable(availability);
}

function isOnSale(glance: Glance): boolean {
  return glance.compareAtPriceMinor !== null && isOrderable(glance);
}

function bySize(one: Group, other: Group): number {
  return other.size - one.size || compare(one.name, other.name);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
