import type { ItemFacts } from '../query/filter.ts';
import { Dictionary, NumberList } from './document-columns.ts';

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

  get size(): number {
    return this.#places.length / PLACES;
  }

  get byteSize(): number {
    const lists = [this.#prices, this.#measures, this.#places];
    const bytes = lists.reduce((sum, { values }) => sum + values.byteLength, 0);
    return bytes + this.#measureTerms.byteSize + this.#currencies.byteSize;
  }

  add({ prices, currency, measures, isService }: ItemFacts): void {
    this.#places.push(this.#prices.length);
    this.#places.push(this.#measures.length);
    this.#places.push(this.#currencies.number(currency));
    this.#places.push(isService ? 1 : 0);
    for (const price of prices) this.#prices.push(price);
    for (const term of measures) this.#measures.push(this.#measureTerms.number(term));
  }

  /**
   * The facts of the document at this place. They are decoded on demand: most questions need none.
   */
  factsOf(document: number): ItemFacts {
    return new KeptFacts(this, document);
  }

  pricesOf(document: number): number[] {
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
