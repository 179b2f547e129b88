import { distinct } from '../../collections/distinct.ts';
import type { CatalogItem, Offering } from '../../domain/catalog.ts';
import type { ItemFacts } from '../query/filter.ts';
import type { Measure } from '../text/units.ts';
import { Dictionary } from './dictionary.ts';
import type { AnalyzedOffering } from './documents.ts';
import { joined, NumberList, type Packing, sumsBefore, type Unpacking } from './packing.ts';

/** Estimated memory for the new prices of a document: map entry, list, numbers. */
const NEW_PRICES_BYTES = 120;

/** The facts of a catalogue's documents as numbers, in the order in which they were added. */
export class FactTable {
  readonly #prices = new NumberList((length) => new Float64Array(length));
  readonly #measures = new NumberList((length) => new Uint32Array(length));
  /**
   * For each document: where its prices and its measures begin, its currency, and 1 for a service.
   */
  readonly #places = new NumberList((length) => new Uint32Array(length));
  readonly #measureTerms = new Dictionary();
  readonly #currencies = new Dictionary();
  /** Prices set since, by document: there may be more or fewer of them than before. */
  readonly #newPrices = new Map<number, readonly number[]>();

  get size(): number {
    return this.#places.length / PLACES;
  }

  get byteSize(): number {
    const lists = [this.#prices, this.#measures, this.#places];
    const bytes = lists.reduce((sum, { values }) => sum + values.byteLength, 0);
    const newBytes = this.#newPrices.size * NEW_PRICES_BYTES;
    return bytes + newBytes + this.#measureTerms.byteSize + this.#currencies.byteSize;
  }

  pack(to: Packing): void {
    this.#measureTerms.pack(to);
    this.#currencies.pack(to);
    to.add(this.#prices.used, this.#measures.used, this.#places.used);
    const newPrices = [...this.#newPrices.values()];
    to.add(Uint32Array.from(this.#newPrices.keys()));
    to.add(
      Uint32Array.from(newPrices, ({ length }) => length),
      Float64Array.from(newPrices.flat()),
    );
  }

  /** Yields every few milliseconds. */
  static *unpack(from: Unpacking): Generator<void, FactTable> {
    const table = new FactTable();
    yield* table.#measureTerms.unpack(from);
    yield* table.#currencies.unpack(from);
    table.#prices.hold(from.take(Float64Array));
    table.#measures.hold(from.take(Uint32Array));
    table.#places.hold(from.take(Uint32Array));
    const documents = from.take(Uint32Array);
    const lengths = from.take(Uint32Array);
    const newPrices = from.take(Float64Array);
    let at = 0;
    for (const [place, document] of documents.entries()) {
      table.#newPrices.set(document, Array.from(newPrices.subarray(at, at + lengths[place]!)));
      at += lengths[place]!;
    }
    return table;
  }

  /** Packs the facts of packed tables, part after part. `sizes`: how many documents each has. */
  static joinPacked(parts: readonly Unpacking[], to: Packing, sizes: readonly number[]): void {
    const terms = Dictionary.joinPacked(parts, to);
    const currencies = Dictionary.joinPacked(parts, to);
    const prices = parts.map((part) => part.take(Float64Array));
    const pricesBefore = sumsBefore(prices);
    to.add(joined(prices));
    const measures = parts.map((part, at) => {
      const own = part.take(Uint32Array);
      for (let place = 0; place < own.length; place++) own[place] = terms[at]![own[place]!]!;
      return own;
    });
    const measuresBefore = sumsBefore(measures);
    to.add(joined(measures));
    const places = parts.map((part, at) => {
      const own = part.take(Uint32Array);
      for (let start = 0; start < own.length; start += PLACES) {
        own[start + PRICES]! += pricesBefore[at]!;
        own[start + MEASURES]! += measuresBefore[at]!;
        own[start + CURRENCY] = currencies[at]![own[start + CURRENCY]!]!;
      }
      return own;
    });
    to.add(joined(places));
    const documentsBefore = sumsBefore(sizes.map((length) => ({ length })));
    const documents = parts.map((part, at) =>
      part.take(Uint32Array).map((document) => document + documentsBefore[at]!),
    );
    to.add(joined(documents));
    to.add(joined(parts.map((part) => part.take(Uint32Array))));
    to.add(joined(parts.map((part) => part.take(Float64Array))));
  }

  add({ prices, currency, measures, isService }: ItemFacts): void {
    this.#places.push(this.#prices.length);
    this.#places.push(this.#measures.length);
    this.#places.push(this.#currencies.number(currency));
    this.#places.push(isService ? 1 : 0);
    for (const price of prices) this.#prices.push(price);
    for (const term of measures) this.#measures.push(this.#measureTerms.number(term));
  }

  setPrices(document: number, prices: readonly number[]): void {
    this.#newPrices.set(document, prices);
  }

  /**
   * The facts of the document at this place. They are decoded on demand: most questions need none.
   */
  factsOf(document: number): ItemFacts {
    return new KeptFacts(this, document);
  }

  pricesOf(document: number): readonly number[] {
    const newPrices = this.#newPrices.get(document);
    if (newPrices !== undefined) return newPrices;
    const { from, to } = this.#range(document, PRICES, this.#prices.length);
    return Array.from(this.#prices.values.subarray(from, to));
  }

  measuresOf(document: number): string[] {
    const { from, to } = this.#range(document, MEASURES, this.#measures.length);
    const terms = this.#measureTerms.values;
    const numbers = this.#measures.values;
    const measures = new Array<string>(to - from);
    // Read for hundreds of candidates: `Array.from` takes several times as long.
    for (let at = from; at < to; at++) measures[at - from] = terms[numbers[at]!]!;
    return measures;
  }

  currencyOf(document: number): string {
    return this.#currencies.values[this.#places.values[document * PLACES + CURRENCY]!]!;
  }

  /** A 1 for each of the documents that is a service. */
  servicesAmong(documents: ArrayLike<number>): ArrayLike<number> {
    const services = new Uint8Array(documents.length);
    const places = this.#places.values;
    // Reads that do not wait for each other: the documents lie far apart in memory.
    for (let at = 0; at < services.length; at++)
      services[at] = places[documents[at]! * PLACES + SERVICE]!;
    return services;
  }

  isServiceAt(document: number): boolean {
    return this.#places.values[document * PLACES + SERVICE] === 1;
  }

  #range(document: number, place: number, length: number): { from: number; to: number } {
    const at = document * PLACES + place;
    const isLast = document === this.size - 1;
    return {
      from: this.#places.values[at]!,
      to: isLast ? length : this.#places.values[at + PLACES]!,
    };
  }
}

const PRICES = 0;
const MEASURES = 1;
const CURRENCY = 2;
const SERVICE = 3;
const PLACES = 4;

class KeptFacts implements ItemFacts {
  readonly #table: FactTable;
  readonly #document: number;

  constructor(table: FactTable, document: number) {
    this.#table = table;
    this.#document = document;
  }

  get prices(): readonly number[] {
    return this.#table.pricesOf(this.#document);
  }

  get currency(): string {
    return this.#table.currencyOf(this.#document);
  }

  get measures(): readonly string[] {
    return this.#table.measuresOf(this.#document);
  }

  get isService(): boolean {
    return this.#table.isServiceAt(this.#document);
  }
}

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
  return distinct(prices.filter((price) => price !== null));
}

const NO_FACTS: ItemFacts = { prices: [], currency: '', measures: [], isService: false };

function termsOf(measures: readonly Measure[]): string[] {
  return distinct(measures.map(({ term }) => term)).slice(0, MEASURES_MAX);
}
