import { isAvailable } from '../domain/catalog.ts';
import type { Glance } from '../domain/landing-page.ts';

/** Most offerings that a page features. */
const FEATURED_MAX = 30;

/** Most services that a page lists. */
const SERVICES_MAX = 15;

/** Most contexts that a page reads, in catalogue order. */
const CONTEXTS_MAX = 60;

/** Every third featured offering is one on sale, if its category has one. */
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

/** Most names of offerings without a category whose words are counted. */
const NAMES_MAX = 5000;
const WORDS_MAX = 30;
/** A word is common if at least one in this many names contains it. */
const NAMES_PER_WORD = 200;

/** A catalogue's contents in numbers, and the items that a page shows. */
export interface CatalogSurvey {
  readonly products: number;
  readonly services: number;
  readonly available: number;
  readonly onSale: number;
  readonly prices: readonly PriceRange[];
  /** Largest first. Offerings without a category are left out. */
  readonly categories: readonly OfferingGroup[];
  readonly vendors: readonly OfferingGroup[];
  /** The most common words in names, most common first; empty unless nothing has a category. */
  readonly words: readonly string[];
  /** Row keys, in page order. */
  readonly featured: readonly number[];
  readonly bookable: readonly number[];
  readonly contexts: readonly number[];
  /** When an item last changed, in milliseconds since the epoch; 0 if there are no items. */
  readonly changedAt: number;
}

/** Counts a catalogue item by item and keeps the best to show. Item order matters only for contexts. */
export class Survey {
  #products = 0;
  #services = 0;
  #available = 0;
  #onSale = 0;
  #changedAt = 0;
  readonly #prices = new Prices();
  readonly #categories = new Map<string, Group>();
  readonly #vendors = new Map<string, Group>();
  readonly #words = new Map<string, number>();
  #names = 0;
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
    if (productType === null) this.#countWords(glance);
    if (isService) keepBest(this.#bookable, glance, SERVICES_MAX);
    // Without a category, the brand is the next best group.
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
      words: this.#commonWords(),
      featured: chooseFeatured(all.sort(bySize)),
      bookable: this.#bookable.map(({ key }) => key),
      contexts: this.#contexts,
      changedAt: this.#changedAt,
    };
  }

  #countWords({ name, vendor }: Glance): void {
    if (name === null || this.#names === NAMES_MAX) return;
    this.#names += 1;
    const brand = vendor?.toLowerCase() ?? '';
    for (const word of new Set(name.toLowerCase().match(/\p{L}{4,}/gu)))
      if (!brand.includes(word)) this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
  }

  /** Empty if there are categories, which describe the catalogue better. */
  #commonWords(): string[] {
    const isWorthIt = [...this.#categories.keys()].every((name) => name === '');
    const least = Math.max(3, this.#names / NAMES_PER_WORD);
    return [...(isWorthIt ? this.#words : [])]
      .filter(([, count]) => count >= least)
      .sort(([a, one], [b, other]) => other - one || compare(a, b))
      .slice(0, WORDS_MAX)
      .map(([word]) => word);
  }
}

class Group {
  readonly name: string;
  size = 0;
  readonly prices = new Prices();
  /** Best first. */
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

/** Gets or creates the group of that name; null maps to a separate group with an empty name. */
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
 * Prefers offerings with price and picture, then those without a picture, then those without a price.
 * Offerings that cannot be ordered count only if none can. Groups take turns, largest first.
 */
function chooseFeatured(groups: readonly Group[]): number[] {
  const seats = new Seats();
  for (const leastMerit of [FULL_MERIT, ORDERABLE + PRICED, ORDERABLE])
    seats.fill(groups, leastMerit);
  if (seats.keys.size === 0) seats.fill(groups, 0);
  return [...seats.keys];
}

class Seats {
  readonly keys = new Set<number>();
  readonly #ofVendor = new Map<string | null, number>();

  /** Fills seats until all are taken or no offering of this merit is left, with one on sale now and then. */
  fill(groups: readonly Group[], leastMerit: number): void {
    for (let isOver = false; !isOver; ) {
      isOver = true;
      for (const { best, reduced } of groups) {
        if (this.keys.size === FEATURED_MAX) return;
        const isSaleSeat = this.keys.size % SALE_EVERY === SALE_EVERY - 1;
        const next =
          (isSaleSeat ? this.#next(reduced, leastMerit) : null) ?? this.#next(best, leastMerit);
        if (next === null) continue;
        isOver = false;
        this.keys.add(next.key);
        this.#ofVendor.set(next.vendor, this.#seatsOf(next) + 1);
      }
    }
  }

  /** The first candidate whose vendor has the fewest seats; null if none has this merit. */
  #next(candidates: readonly Glance[], leastMerit: number): Glance | null {
    let chosen: Glance | null = null;
    for (const candidate of candidates) {
      if (merit(candidate) < leastMerit) break;
      if (this.keys.has(candidate.key)) continue;
      if (chosen === null || this.#seatsOf(candidate) < this.#seatsOf(chosen)) chosen = candidate;
    }
    return chosen;
  }

  #seatsOf({ vendor }: Glance): number {
    return this.#ofVendor.get(vendor) ?? 0;
  }
}

/** Keeps `best` sorted and at most `limit` long. */
function keepBest(best: Glance[], glance: Glance, limit: number): void {
  if (best.length === limit && byMerit(glance, best[limit - 1]!) > 0) return;
  const place = best.findIndex((other) => byMerit(glance, other) < 0);
  best.splice(place < 0 ? best.length : place, 0, glance);
  if (best.length > limit) best.pop();
}

/** Orderable offerings with price and picture first, then the newest; ids break ties. */
function byMerit(one: Glance, other: Glance): number {
  return (
    merit(other) - merit(one) ||
    compare(other.publishedAt ?? '', one.publishedAt ?? '') ||
    compare(one.id, other.id)
  );
}

const ORDERABLE = 4;
const PRICED = 2;
const PICTURED = 1;
const FULL_MERIT = ORDERABLE + PRICED + PICTURED;

function merit(glance: Glance): number {
  return (
    (isOrderable(glance) ? ORDERABLE : 0) +
    (glance.priceMinor === null ? 0 : PRICED) +
    (glance.image === null ? 0 : PICTURED)
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
