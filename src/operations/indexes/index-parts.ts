import { type CatalogItem, isAvailable, type Offering } from '../../domain/catalog.ts';
import {
  analyzeOffering,
  type DocumentTerms,
  documentTerms,
} from '../../search/index/documents.ts';
import { FactTable, factsOf, pricesOf } from '../../search/index/fact-table.ts';
import { joinIndexes } from '../../search/index/join-indexes.ts';
import { MemoryIndex, type UnfoldedIndex } from '../../search/index/memory-index.ts';
import { type FormerPlace, MemoryIndexBuilder } from '../../search/index/memory-index-builder.ts';
import { NameTable, NameTableBuilder } from '../../search/index/name-table.ts';
import type { Packing, Unpacking } from '../../search/index/packing.ts';
import { TermNumbers } from '../../search/index/term-table.ts';
import type { Language } from '../../search/text/language.ts';
import type { SearchableRow } from '../../storage/catalog/searchable-rows.ts';
import type { LanguageOfShop } from './shop-languages.ts';

/** The data in memory that searches and ranks documents: a whole catalogue or a part of it. */
export interface IndexParts {
  /** Unchanged for as long as places and term numbers keep their meaning. */
  readonly id: symbol;
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: FactTable;
}

/** Refers to the arrays of the parts and does not copy them. Vectors may be set meanwhile. */
export function packParts({ index, names, facts }: IndexParts, to: Packing): void {
  for (const part of [index, names, facts]) part.pack(to);
}

/** Yields every few milliseconds. */
export function* unpackParts(from: Unpacking): Generator<void, IndexParts> {
  const index = yield* MemoryIndex.unpack(from);
  const names = NameTable.unpack(from, index.terms);
  const facts = yield* FactTable.unpack(from);
  return { id: Symbol('index'), index, names, facts };
}

/**
 * Packs the parts of all documents of packed ones, which have no vectors and ascending keys: what a build of all of
 * them at once would have packed, to the byte. Yields where memory of parts has become free.
 */
export function* joinPacked(packed: readonly Unpacking[], to: Packing): Generator<void, void> {
  const { sizes, numbers } = yield* joinIndexes(packed, to);
  NameTable.joinPacked(packed, to, numbers);
  yield;
  FactTable.joinPacked(packed, to, sizes);
}

/** A former index to copy documents from, with vectors of the same model or none. */
export interface FormerIndex {
  readonly parts: IndexParts;
  readonly unfolded: UnfoldedIndex;
}

export interface IndexPartsOptions {
  readonly languageOfShop: LanguageOfShop;
  /** The dimensions of the vectors; null: the index holds none. */
  readonly dimensions: number | null;
  readonly formers?: readonly FormerIndex[];
}

/** Builds the parts together, one document at a time, in key order. */
export class IndexPartsBuilder {
  readonly #languageOfShop: LanguageOfShop;
  readonly #formers: readonly FormerIndex[];
  readonly #builder: MemoryIndexBuilder;
  readonly #names: NameTableBuilder;
  readonly #facts = new FactTable();
  /** The context added last: passages of one context are adjacent. */
  #context: { readonly itemKey: number; readonly passages: readonly DocumentTerms[] } | null = null;

  constructor({ languageOfShop, dimensions, formers = [] }: IndexPartsOptions) {
    this.#languageOfShop = languageOfShop;
    this.#formers = formers;
    const terms = new TermNumbers();
    const unfolded = formers.map((former) => former.unfolded);
    this.#builder = new MemoryIndexBuilder({ dimensions, formers: unfolded, terms });
    this.#names = new NameTableBuilder(terms);
  }

  /** Throws a RangeError if the key is not greater than the last one. */
  add(row: SearchableRow): void {
    const { item } = row;
    const language = this.#languageOfShop(row.shopKey);
    const analyzed = item.type === 'product' ? analyzeOffering(item, language) : null;
    const documents =
      analyzed === null ? this.#passages(row, language) : documentTerms(item, language, analyzed);
    const { lexicon, terms, name } = documents.find(({ passage }) => passage === row.passage)!;
    this.#builder.add({ ...row, ...columnsOf(item), lexicon, terms });
    this.#names.add(name, lexicon);
    this.#facts.add(factsOf(item, analyzed));
  }

  /** Copies a document of a former index, without reading its text. */
  take(from: FormerPlace): void {
    const { former, place } = from;
    const { names, facts } = this.#formers[former]!.parts;
    this.#builder.take(from);
    this.#names.take(names, place, (term) => this.#builder.formerNumber(former, term));
    this.#facts.add(facts.factsOf(place));
  }

  /** Yields every few milliseconds. */
  *finish(): Generator<void, IndexParts> {
    const index = yield* this.#builder.finish();
    const names = yield* this.#names.finish();
    return { id: Symbol('index'), index, names, facts: this.#facts };
  }

  #passages({ item, itemKey }: SearchableRow, language: Language): readonly DocumentTerms[] {
    if (this.#context?.itemKey !== itemKey)
      this.#context = { itemKey, passages: documentTerms(item, language) };
    return this.#context.passages;
  }
}

/** An offering whose text is as it was, with other prices or another availability. */
export interface ChangedOffer {
  readonly documentKey: number;
  /** The shop's generation when the document was written. */
  readonly generation: number;
  readonly offering: Offering;
}

/** Replaces prices and availability in place. Without effect if the index lacks the document. */
export function changeOfferIn(
  { index, facts }: IndexParts,
  { documentKey, generation, offering }: ChangedOffer,
): void {
  const place = index.find(documentKey, generation);
  if (place < 0) return;
  const { available, priceMinor } = columnsOf(offering);
  index.setOffer(place, { available, priceMinor });
  facts.setPrices(place, pricesOf(offering));
}

function columnsOf(item: CatalogItem) {
  const offering = item.type === 'product' ? item : null;
  return {
    type: item.type,
    available: offering === null || isAvailable(offering.availability),
    vendor: offering?.vendor ?? null,
    productType: offering?.productType ?? null,
    tags: offering?.tags ?? [],
    currency: offering?.currency ?? '',
    priceMinor: offering?.priceMinor ?? null,
  };
}
