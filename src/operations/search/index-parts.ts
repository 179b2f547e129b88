import { type CatalogItem, isAvailable } from '../../domain/catalog.ts';
import { FIELDS } from '../../domain/field.ts';
import {
  analyzeOffering,
  type DocumentTerms,
  documentTerms,
} from '../../search/index/documents.ts';
import { FactTable } from '../../search/index/fact-table.ts';
import { factsOf } from '../../search/index/item-facts.ts';
import type { MemoryIndex, UnfoldedIndex } from '../../search/index/memory-index.ts';
import { MemoryIndexBuilder } from '../../search/index/memory-index-builder.ts';
import { NameTable } from '../../search/index/name-table.ts';
import { nameTerms } from '../../search/ranking/name.ts';
import type { SearchableRow } from '../../storage/catalog/searchable-rows.ts';

/** The data in memory that searches and ranks documents: a whole catalogue or a part of it. */
export interface IndexParts {
  /** Unchanged for as long as places and term numbers keep their meaning. */
  readonly id: symbol;
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: FactTable;
}

/** A former index to copy documents from, with vectors of the same model. */
export interface FormerIndex {
  readonly parts: IndexParts;
  readonly unfolded: UnfoldedIndex;
}

export interface IndexPartsOptions {
  /** The dimensions of the vectors; null: the index holds none. */
  readonly dimensions: number | null;
  readonly former?: FormerIndex | null;
  /**
   * Which terms to index; default: all. Other terms do not count towards document lengths either.
   */
  readonly keeps?: (term: string) => boolean;
}

/** Builds the parts together, one document at a time, in key order. */
export class IndexPartsBuilder {
  readonly #former: FormerIndex | null;
  readonly #keeps: ((term: string) => boolean) | null;
  readonly #builder: MemoryIndexBuilder;
  readonly #names = new NameTable();
  readonly #facts = new FactTable();
  /** The context added last: passages of one context are adjacent. */
  #context: { readonly itemKey: number; readonly passages: readonly DocumentTerms[] } | null = null;

  constructor({ dimensions, former = null, keeps }: IndexPartsOptions) {
    this.#former = former;
    this.#keeps = keeps ?? null;
    this.#builder = new MemoryIndexBuilder({ dimensions, former: former?.unfolded ?? null });
  }

  /** Throws a RangeError if the key is not greater than the last one. */
  add(row: SearchableRow): void {
    const { item } = row;
    const analyzed = item.type === 'product' ? analyzeOffering(item) : undefined;
    const documents = analyzed === undefined ? this.#passages(row) : documentTerms(item, analyzed);
    const { terms } = documents.find(({ passage }) => passage === row.passage)!;
    this.#builder.add({ ...row, ...columnsOf(item), terms: this.#kept(terms) });
    this.#names.add(nameTerms(item.name, analyzed?.measures.name));
    this.#facts.add(factsOf(item, analyzed));
  }

  /** Copies the document at this place of the former index, without reading its text. */
  take(place: number): void {
    const { names, facts } = this.#former!.parts;
    this.#builder.take(place);
    this.#names.add(names.nameOf(place));
    this.#facts.add(facts.factsOf(place));
  }

  /** Yields every few milliseconds. */
  *finish(): Generator<void, IndexParts> {
    const index = yield* this.#builder.finish();
    return { id: Symbol('index'), index, names: this.#names, facts: this.#facts };
  }

  #passages({ item, itemKey }: SearchableRow): readonly DocumentTerms[] {
    if (this.#context?.itemKey !== itemKey)
      this.#context = { itemKey, passages: documentTerms(item) };
    return this.#context.passages;
  }

  #kept(terms: DocumentTerms['terms']): DocumentTerms['terms'] {
    const keeps = this.#keeps;
    if (keeps === null) return terms;
    const kept = { ...terms };
    for (const field of FIELDS) kept[field] = terms[field].filter(keeps);
    return kept;
  }
}

/**
 * Builds an index over a few hundred documents, in key order, without vectors and without pauses.
 */
export function indexRows(
  rows: readonly SearchableRow[],
  keeps: (term: string) => boolean,
): IndexParts {
  const builder = new IndexPartsBuilder({ dimensions: null, keeps });
  for (const row of rows) builder.add(row);
  const steps = builder.finish();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
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
