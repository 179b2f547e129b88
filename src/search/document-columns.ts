import type { Facets, FacetValue } from './facets.ts';

/** Values a facet lists at most, the most frequent first: as many as `countFacets` lists. */
const FACET_VALUES_MAX = 20;
/** Stands for an absent value. */
const NONE = 0xffff_ffff;
/** Bytes that a string takes in the heap besides its characters: header and reference (JavaScriptCore, V8). */
const STRING_OVERHEAD_BYTES = 24;

const PRODUCT = 1;
const AVAILABLE = 2;

/** Which documents of an organization a question is put to. */
export interface IndexScope {
  /** Null: every shop. Empty: none. */
  readonly shopKeys: readonly number[] | null;
  readonly productsOnly: boolean;
}

/** What an index knows of a document besides its words and its meaning. */
export interface DocumentFacts {
  readonly documentKey: number;
  readonly itemKey: number;
  /** The item's. */
  readonly id: string;
  readonly shopKey: number;
  readonly type: 'product' | 'context';
  readonly available: boolean;
  readonly vendor: string | null;
  readonly productType: string | null;
  readonly tags: readonly string[];
  readonly currency: string;
  readonly priceMinor: number | null;
}

/** Texts that many documents share, each kept once. */
class Dictionary {
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(value: string | null): number {
    if (value === null) return NONE;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }

  get byteSize(): number {
    // Text, map entry and list entry.
    return this.values.reduce((sum, value) => sum + value.length + STRING_OVERHEAD_BYTES * 2, 0);
  }
}

/** A list of numbers that grows, in one typed array. */
export class NumberList<Numbers extends Float64Array | Uint32Array | Uint16Array | Uint8Array> {
  values: Numbers;
  length = 0;
  readonly #make: (length: number) => Numbers;

  constructor(make: (length: number) => Numbers, capacity = 1024) {
    this.#make = make;
    this.values = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = this.#make(Math.ceil(this.length * 1.5));
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  /** Gives back what is not in use. */
  trim(): void {
    const trimmed = this.#make(this.length);
    trimmed.set(this.values.subarray(0, this.length) as Numbers);
    this.values = trimmed;
  }
}

const float64 = (length: number) => new Float64Array(length);
const uint32 = (length: number) => new Uint32Array(length);
const uint8 = (length: number) => new Uint8Array(length);

/** The facts of documents, a column each, in the order in which they were added. */
export class DocumentColumns {
  readonly #documentKeys = new NumberList(float64);
  readonly #itemKeys = new NumberList(float64);
  readonly #ids: string[] = [];
  readonly #flags = new NumberList(uint8);
  readonly #shops = new NumberList(uint32);
  readonly #vendors = new NumberList(uint32);
  readonly #types = new NumberList(uint32);
  readonly #tags = new NumberList(uint32);
  readonly #tagStarts = new NumberList(uint32);
  readonly #currencies = new NumberList(uint32);
  readonly #prices = new NumberList(float64);
  /** Keys of the shops by number. */
  readonly #shopKeys: number[] = [];
  readonly #vendorNames = new Dictionary();
  readonly #typeNames = new Dictionary();
  readonly #tagNames = new Dictionary();
  readonly #currencyNames = new Dictionary();
  #hasContexts = false;

  get size(): number {
    return this.#ids.length;
  }

  get byteSize(): number {
    const columns = this.#columns().reduce((sum, { values }) => sum + values.byteLength, 0);
    const names = [this.#vendorNames, this.#typeNames, this.#tagNames, this.#currencyNames];
    const ids = this.#ids.reduce((sum, id) => sum + id.length + STRING_OVERHEAD_BYTES, 0);
    return columns + ids + names.reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  /** Throws a RangeError unless the key is greater than all before: equal scores then tie by place. */
  add(document: DocumentFacts): void {
    const last = this.size - 1;
    if (last >= 0 && document.documentKey <= this.documentKey(last))
      throw new RangeError('documents come in ascending order of their keys');
    const isProduct = document.type === 'product';
    this.#hasContexts ||= !isProduct;
    this.#documentKeys.push(document.documentKey);
    this.#itemKeys.push(document.itemKey);
    this.#ids.push(last >= 0 && this.#ids[last] === document.id ? this.#ids[last] : document.id);
    this.#flags.push((isProduct ? PRODUCT : 0) | (document.available ? AVAILABLE : 0));
    this.#shops.push(this.#shopNumber(document.shopKey));
    this.#vendors.push(this.#vendorNames.number(document.vendor));
    this.#types.push(this.#typeNames.number(document.productType));
    this.#tagStarts.push(this.#tags.length);
    for (const tag of document.tags) this.#tags.push(this.#tagNames.number(tag));
    this.#currencies.push(this.#currencyNames.number(document.currency));
    this.#prices.push(document.priceMinor ?? Number.NaN);
  }

  /** After the last document. Yields after each column. */
  *seal(): Generator<void, void> {
    this.#tagStarts.push(this.#tags.length);
    for (const column of this.#columns()) {
      column.trim();
      yield;
    }
  }

  documentKey(document: number): number {
    return this.#documentKeys.values[document]!;
  }

  itemKey(document: number): number {
    return this.#itemKeys.values[document]!;
  }

  id(document: number): string {
    return this.#ids[document]!;
  }

  isAvailable(document: number): boolean {
    return (this.#flags.values[document]! & AVAILABLE) !== 0;
  }

  /** The place of a document, -1 for one that is not here. */
  find(documentKey: number): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.documentKey(middle) < documentKey) from = middle + 1;
      else to = middle;
    }
    return from < this.size && this.documentKey(from) === documentKey ? from : -1;
  }

  /** Null where every document is in scope; `key` is the same for scopes that mean the same. */
  filter({
    shopKeys,
    productsOnly,
  }: IndexScope): { key: string; allows(document: number): boolean } | null {
    const allowed = this.#shopKeys.map((key) =>
      shopKeys === null || shopKeys.includes(key) ? 1 : 0,
    );
    const wanted = productsOnly && this.#hasContexts ? PRODUCT : 0;
    if (wanted === 0 && !allowed.includes(0)) return null;
    const shops = this.#shops.values;
    const flags = this.#flags.values;
    return {
      key: `${wanted}:${allowed.join('')}`,
      allows: (document) =>
        allowed[shops[document]!] === 1 && (flags[document]! & wanted) === wanted,
    };
  }

  /** Counts over the offerings among the documents, the same as `countFacets` over their items. */
  facets(documents: readonly number[]): Facets {
    const offerings = documents.filter(
      (document) => (this.#flags.values[document]! & PRODUCT) !== 0,
    );
    const tags: number[] = [];
    const prices = new Map<number, { currency: string; minMinor: number; maxMinor: number }>();
    for (const document of offerings) {
      const end = this.#tagStarts.values[document + 1]!;
      for (let at = this.#tagStarts.values[document]!; at < end; at++)
        tags.push(this.#tags.values[at]!);
      const price = this.#prices.values[document]!;
      if (Number.isNaN(price)) continue;
      const number = this.#currencies.values[document]!;
      const range = prices.get(number);
      if (range === undefined) {
        prices.set(number, {
          currency: this.#currencyNames.values[number]!,
          minMinor: price,
          maxMinor: price,
        });
      } else {
        range.minMinor = Math.min(range.minMinor, price);
        range.maxMinor = Math.max(range.maxMinor, price);
      }
    }
    return {
      vendor: countValues(
        offerings.map((document) => this.#vendors.values[document]!),
        this.#vendorNames,
      ),
      productType: countValues(
        offerings.map((document) => this.#types.values[document]!),
        this.#typeNames,
      ),
      tags: countValues(tags, this.#tagNames),
      price: [...prices.values()],
    };
  }

  #columns() {
    const floats = [this.#documentKeys, this.#itemKeys, this.#prices];
    const numbers = [
      this.#shops,
      this.#vendors,
      this.#types,
      this.#tags,
      this.#tagStarts,
      this.#currencies,
    ];
    return [...floats, ...numbers, this.#flags];
  }

  #shopNumber(key: number): number {
    const known = this.#shopKeys.indexOf(key);
    return known >= 0 ? known : this.#shopKeys.push(key) - 1;
  }
}

function countValues(numbers: readonly number[], names: Dictionary): FacetValue[] {
  const counts = new Map<number, number>();
  for (const number of numbers)
    if (number !== NONE) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts]
    .map(([number, count]) => ({ value: names.values[number]!, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}
