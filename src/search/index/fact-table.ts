import type { ItemFacts } from '../query/filter.ts';
import { Dictionary } from './document-columns.ts';
import { NumberList, type Packing, type Unpacking } from './packing.ts';

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
    to.add(this.#prices.used, this.#measures.used, this.#places.used);
    const newPrices = [...this.#newPrices.values()];
    to.add(Uint32Array.from(this.#newPrices.keys()));
    to.add(
      Uint32Array.from(newPrices, ({ length }) => length),
      Float64Array.from(newPrices.flat()),
    );
    this.#measureTerms.pack(to);
    this.#currencies.pack(to);
  }

  /** Yields every few milliseconds. */
  static *unpack(from: Unpacking): Generator<void, FactTable> {
    const table = new FactTable();
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
    yield* table.#measureTerms.unpack(from);
    yield* table.#currencies.unpack(from);
    return table;
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
    return Array.from(this.#measures.values.subarray(from, to), (number) => terms[number]!);
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
