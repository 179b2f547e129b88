import { resized } from '../../collections/resized.ts';
import { Dictionary, NONE } from './dictionary.ts';
import { type FacetCounts, ValueCounter } from './facets.ts';
import { IdList } from './id-list.ts';
import { joined, NumberList, type Packing, sumsBefore, type Unpacking } from './packing.ts';

/** What a document is, one bit each. */
export const PRODUCT = 1;
export const AVAILABLE = 2;

/** Which documents of an organization a search covers. */
export interface IndexScope {
  /** Null: every shop. Empty: none. */
  readonly shopKeys: readonly number[] | null;
  readonly productsOnly: boolean;
}

/** Which documents of an index a search covers. */
export interface DocumentFilter {
  /** Equal for equal scopes. */
  readonly key: string;
  /** A 1 for each document that is hidden whatever the scope; null for none. */
  readonly hides: Uint8Array | null;
  allows(document: number): boolean;
}

/** The stored fields of a document: everything but its words and its vector. */
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
  /**
   * The shop's generation when the document was written. Key and generation together identify one
   * text for ever.
   */
  readonly generation: number;
}

/** What is stored of documents, by their places. */
export type StoredDocuments = Pick<
  DocumentColumns,
  'id' | 'compareIds' | 'itemKey' | 'documentKey' | 'flagsOf' | 'generation' | 'factsOf'
>;

const float64 = (length: number) => new Float64Array(length);
const uint32 = (length: number) => new Uint32Array(length);

/**
 * Offsets of a document's numbers. They are stored side by side because a search reads many numbers
 * of few documents.
 */
const FLAGS = 0;
const SHOP = 1;
const VENDOR = 2;
const TYPE = 3;
const CURRENCY = 4;
/** Where its tags begin; they end where the next document's tags begin. */
const TAGS = 5;
const GENERATION = 6;
const NUMBERS_LENGTH = 7;

/** The same for those beyond 32 bits. */
const DOCUMENT_KEY = 0;
const ITEM_KEY = 1;
/** In minor units; NaN if unknown. */
const PRICE = 2;
const FLOATS_LENGTH = 3;

/** Counting is synchronous, so all share them. */
const [vendors, types, tags] = [new ValueCounter(), new ValueCounter(), new ValueCounter()];

/** The stored fields of documents, in the order in which they were added. */
export class DocumentColumns {
  readonly #numbers = new NumberList(uint32);
  readonly #floats = new NumberList(float64);
  readonly #tags = new NumberList(uint32);
  readonly #ids = new IdList();
  /** Keys of the shops by number. */
  readonly #shopKeys: number[] = [];
  readonly #vendorNames = new Dictionary();
  readonly #typeNames = new Dictionary();
  readonly #tagNames = new Dictionary();
  readonly #currencyNames = new Dictionary();
  #hasContexts = false;
  /** The place that was found last. */
  #found = -1;

  get size(): number {
    return this.#ids.length;
  }

  get byteSize(): number {
    const lists = this.#lists().reduce((sum, { values }) => sum + values.byteLength, 0);
    const names = this.#dictionaries();
    return names.reduce((sum, { byteSize }) => sum + byteSize, lists + this.#ids.byteSize);
  }

  /**
   * Throws a RangeError unless the key is greater than all earlier ones: ordering ties by place
   * then orders them by key.
   */
  add(document: DocumentFacts): void {
    const last = this.size - 1;
    if (last >= 0 && document.documentKey <= this.documentKey(last))
      throw new RangeError('documents come in ascending order of their keys');
    const isProduct = document.type === 'product';
    this.#hasContexts ||= !isProduct;
    this.#ids.push(document.id);
    // In the order of the places above.
    this.#numbers.push((isProduct ? PRODUCT : 0) | (document.available ? AVAILABLE : 0));
    this.#numbers.push(placeIn(this.#shopKeys, document.shopKey));
    this.#numbers.push(this.#vendorNames.number(document.vendor));
    this.#numbers.push(this.#typeNames.number(document.productType));
    this.#numbers.push(this.#currencyNames.number(document.currency));
    this.#numbers.push(this.#tags.length);
    this.#numbers.push(document.generation);
    for (const tag of document.tags) this.#tags.push(this.#tagNames.number(tag));
    this.#floats.push(document.documentKey);
    this.#floats.push(document.itemKey);
    this.#floats.push(document.priceMinor ?? Number.NaN);
  }

  /** Replaces a document's price and availability. */
  setOffer(
    document: number,
    { available, priceMinor }: Pick<DocumentFacts, 'available' | 'priceMinor'>,
  ): void {
    const flags = this.isProduct(document) ? PRODUCT : 0;
    this.#numbers.values[document * NUMBERS_LENGTH + FLAGS] = flags | (available ? AVAILABLE : 0);
    this.#floats.values[document * FLOATS_LENGTH + PRICE] = priceMinor ?? Number.NaN;
  }

  /** After the last document. Yields after each list. */
  *seal(): Generator<void, void> {
    // A sentinel after the last document: it only marks the end of that document's tags.
    for (let place = 0; place < NUMBERS_LENGTH; place++)
      this.#numbers.push(place === TAGS ? this.#tags.length : 0);
    for (const list of [...this.#lists(), this.#ids]) {
      list.trim();
      yield;
    }
  }

  /** Call it after `seal`. */
  pack(to: Packing): void {
    to.add(Float64Array.from(this.#shopKeys), Uint8Array.of(this.#hasContexts ? 1 : 0));
    for (const names of this.#dictionaries()) names.pack(to);
    to.add(this.#tags.used, this.#numbers.used, this.#floats.used);
    this.#ids.pack(to);
  }

  /** Yields every few milliseconds. */
  static *unpack(from: Unpacking): Generator<void, DocumentColumns> {
    const columns = new DocumentColumns();
    columns.#shopKeys.push(...from.take(Float64Array));
    columns.#hasContexts = from.take(Uint8Array)[0] === 1;
    for (const names of columns.#dictionaries()) yield* names.unpack(from);
    columns.#tags.hold(from.take(Uint32Array));
    columns.#numbers.hold(from.take(Uint32Array));
    columns.#floats.hold(from.take(Float64Array));
    yield* columns.#ids.unpack(from);
    return columns;
  }

  /** Packs the documents of packed parts, part after part. Returns how many each has. Yields as `joinIndexes` does. */
  static *joinPacked(parts: readonly Unpacking[], to: Packing): Generator<void, number[]> {
    const shopKeys: number[] = [];
    const shops = parts.map((part) =>
      Uint32Array.from(part.take(Float64Array), (key) => placeIn(shopKeys, key)),
    );
    const hasContexts = parts.map((part) => part.take(Uint8Array)[0]!);
    to.add(Float64Array.from(shopKeys), Uint8Array.of(Math.max(...hasContexts)));
    const vendors = Dictionary.joinPacked(parts, to);
    const types = Dictionary.joinPacked(parts, to);
    const tags = Dictionary.joinPacked(parts, to);
    const currencies = Dictionary.joinPacked(parts, to);
    const tagLists = parts.map((part, at) => {
      const numbers = part.take(Uint32Array);
      for (let tag = 0; tag < numbers.length; tag++) numbers[tag] = tags[at]![numbers[tag]!]!;
      return numbers;
    });
    const tagsBefore = sumsBefore(tagLists);
    to.add(joined(tagLists));
    yield;
    const sizes: number[] = [];
    const rows = parts.map((part, at) => {
      const numbers = part.take(Uint32Array);
      const end = numbers.length - NUMBERS_LENGTH;
      sizes.push(end / NUMBERS_LENGTH);
      for (let start = 0; start <= end; start += NUMBERS_LENGTH) {
        numbers[start + TAGS]! += tagsBefore[at]!;
        if (start === end) break;
        numbers[start + SHOP] = shops[at]![numbers[start + SHOP]!]!;
        numbers[start + VENDOR] = renumbered(vendors[at]!, numbers[start + VENDOR]!);
        numbers[start + TYPE] = renumbered(types[at]!, numbers[start + TYPE]!);
        numbers[start + CURRENCY] = currencies[at]![numbers[start + CURRENCY]!]!;
      }
      // Only the last part keeps its sentinel.
      return at === parts.length - 1 ? numbers : resized(numbers, end);
    });
    to.add(joined(rows));
    to.add(joined(parts.map((part) => part.take(Float64Array))));
    yield;
    IdList.joinPacked(parts, to);
    yield;
    return sizes;
  }

  documentKey(document: number): number {
    return this.#floats.values[document * FLOATS_LENGTH + DOCUMENT_KEY]!;
  }

  itemKey(document: number): number {
    return this.#floats.values[document * FLOATS_LENGTH + ITEM_KEY]!;
  }

  /** The shop's generation when the document was written. */
  generation(document: number): number {
    return this.#number(document, GENERATION);
  }

  /** What identifies the document's text. */
  versionOf(document: number): Pick<DocumentFacts, 'documentKey' | 'generation'> {
    return { documentKey: this.documentKey(document), generation: this.generation(document) };
  }

  id(document: number): string {
    return this.#ids.at(document);
  }

  /** As `IdList.compare`. */
  compareIds(one: number, other: number): number {
    return this.#ids.compare(one, other);
  }

  isProduct(document: number): boolean {
    return (this.#number(document, FLAGS) & PRODUCT) !== 0;
  }

  /** `PRODUCT` and `AVAILABLE` of each of the documents. */
  flagsOf(documents: ArrayLike<number>): Uint8Array {
    const flags = new Uint8Array(documents.length);
    // Reads that do not wait for each other: the documents lie far apart in memory.
    for (let at = 0; at < flags.length; at++) flags[at] = this.#number(documents[at]!, FLAGS);
    return flags;
  }

  /** A document's facts as they were added. */
  factsOf(document: number): DocumentFacts {
    const price = this.#floats.values[document * FLOATS_LENGTH + PRICE]!;
    const tags = this.#tags.values.subarray(
      this.#number(document, TAGS),
      this.#number(document + 1, TAGS),
    );
    return {
      documentKey: this.documentKey(document),
      itemKey: this.itemKey(document),
      id: this.id(document),
      shopKey: this.#shopKeys[this.#number(document, SHOP)]!,
      type: this.isProduct(document) ? 'product' : 'context',
      available: (this.#number(document, FLAGS) & AVAILABLE) !== 0,
      vendor: this.#vendorNames.values[this.#number(document, VENDOR)] ?? null,
      productType: this.#typeNames.values[this.#number(document, TYPE)] ?? null,
      tags: Array.from(tags, (number) => this.#tagNames.values[number]!),
      currency: this.#currencyNames.values[this.#number(document, CURRENCY)]!,
      priceMinor: Number.isNaN(price) ? null : price,
      generation: this.generation(document),
    };
  }

  /** The place of a document; -1 if it is not in the index. */
  find(documentKey: number): number {
    // Documents are often looked for one after another.
    const next = this.#found + 1;
    const isNext = next < this.size && this.documentKey(next) === documentKey;
    const place = isNext ? next : this.#search(documentKey);
    if (place >= 0) this.#found = place;
    return place;
  }

  #search(documentKey: number): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.documentKey(middle) < documentKey) from = middle + 1;
      else to = middle;
    }
    return from < this.size && this.documentKey(from) === documentKey ? from : -1;
  }

  /** Null if every document is in scope. */
  filter({ shopKeys, productsOnly }: IndexScope): DocumentFilter | null {
    const allowed = this.#shopKeys.map((key) =>
      shopKeys === null || shopKeys.includes(key) ? 1 : 0,
    );
    const wanted = productsOnly && this.#hasContexts ? PRODUCT : 0;
    if (wanted === 0 && !allowed.includes(0)) return null;
    return {
      key: `${wanted}:${allowed.join('')}`,
      hides: null,
      allows: (document) =>
        allowed[this.#number(document, SHOP)] === 1 &&
        (this.#number(document, FLAGS) & wanted) === wanted,
    };
  }

  /** Counts over the offerings among the documents. Negative places are ignored. */
  countFacets(documents: ArrayLike<number>): FacetCounts {
    // A loop for each column: its reads do not wait for each other, and the documents lie far apart in memory.
    const products = this.#productsAmong(documents);
    this.#countColumn(products, VENDOR, vendors);
    this.#countColumn(products, TYPE, types);
    const numbers = this.#numbers.values;
    for (let at = 0; at < products.length; at++) {
      if (products[at]! < 0) continue;
      const start = products[at]! * NUMBERS_LENGTH;
      const end = numbers[start + NUMBERS_LENGTH + TAGS]!;
      for (let tag = numbers[start + TAGS]!; tag < end; tag++) tags.add(this.#tags.values[tag]!);
    }
    const prices = this.#priceRanges(products);
    return {
      vendor: vendors.take(this.#vendorNames),
      productType: types.take(this.#typeNames),
      tags: tags.take(this.#tagNames),
      price: new Map(
        [...prices].map(([number, range]) => [this.#currencyNames.values[number]!, range]),
      ),
    };
  }

  /** The documents, with a negative number for each that is no offering. */
  #productsAmong(documents: ArrayLike<number>): Int32Array {
    const products = new Int32Array(documents);
    for (let at = 0; at < products.length; at++)
      if (products[at]! >= 0 && !this.isProduct(products[at]!)) products[at] = -1;
    return products;
  }

  #countColumn(products: Int32Array, column: number, counter: ValueCounter): void {
    const numbers = this.#numbers.values;
    for (let at = 0; at < products.length; at++) {
      if (products[at]! < 0) continue;
      const value = numbers[products[at]! * NUMBERS_LENGTH + column]!;
      if (value !== NONE) counter.add(value);
    }
  }

  /** The lowest and the highest price by the number of the currency. */
  #priceRanges(products: Int32Array) {
    const ranges = new Map<number, { minMinor: number; maxMinor: number; firstPlace: number }>();
    for (let place = 0; place < products.length; place++) {
      if (products[place]! < 0) continue;
      const price = this.#floats.values[products[place]! * FLOATS_LENGTH + PRICE]!;
      if (Number.isNaN(price)) continue;
      const currency = this.#number(products[place]!, CURRENCY);
      const range = ranges.get(currency);
      if (range === undefined) {
        ranges.set(currency, { minMinor: price, maxMinor: price, firstPlace: place });
      } else {
        range.minMinor = Math.min(range.minMinor, price);
        range.maxMinor = Math.max(range.maxMinor, price);
      }
    }
    return ranges;
  }

  #number(document: number, place: number): number {
    return this.#numbers.values[document * NUMBERS_LENGTH + place]!;
  }

  #lists() {
    return [this.#numbers, this.#floats, this.#tags];
  }

  #dictionaries() {
    return [this.#vendorNames, this.#typeNames, this.#tagNames, this.#currencyNames];
  }
}

/** The place of a number in the list, to which it is added if it is new. */
function placeIn(list: number[], number: number): number {
  const known = list.indexOf(number);
  return known >= 0 ? known : list.push(number) - 1;
}

function renumbered(numbers: Uint32Array, number: number): number {
  return number === NONE ? NONE : numbers[number]!;
}
