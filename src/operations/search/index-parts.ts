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

/** What is kept in memory of the documents that are searched and ranked: a whole catalogue, or some of it. */
export interface IndexParts {
  /** The same for as long as places and terms mean the same. */
  readonly id: symbol;
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: FactTable;
}

/** An index that documents are taken over from, with vectors of the same model. */
export interface FormerIndex {
  readonly parts: IndexParts;
  readonly unfolded: UnfoldedIndex;
}

export interface IndexPartsOptions {
  /** Of the vectors; null: the index keeps none. */
  readonly dimensions: number | null;
  readonly former?: FormerIndex | null;
  /** The terms that are kept; left out: all. What is not kept counts for lengths neither. */
  readonly keeps?: (term: string) => boolean;
}

/** Builds the parts side by side, a document at a time in the order of keys. */
export class IndexPartsBuilder {
  readonly #former: FormerIndex | null;
  readonly #keeps: ((term: string) => boolean) | null;
  readonly #builder: MemoryIndexBuilder;
  readonly #names = new NameTable();
  readonly #facts = new FactTable();
  /** Of the context added last: the passages of one stand side by side. */
  #context: { readonly itemKey: number; readonly passages: readonly DocumentTerms[] } | null = null;

  constructor({ dimensions, former = null, keeps }: IndexPartsOptions) {
    this.#former = former;
    this.#keeps = keeps ?? null;
    this.#builder = new MemoryIndexBuilder({ dimensions, former: former?.unfolded ?? null });
  }

  /** Throws a RangeError for a key that is not greater than the last. */
  add(row: SearchableRow): void {
    const { item } = row;
    const analyzed = item.type === 'product' ? analyzeOffering(item) : undefined;
    const documents = analyzed === undefined ? this.#passages(row) : documentTerms(item, analyzed);
    const { terms } = documents.find(({ passage }) => passage === row.passage)!;
    this.#builder.add({ ...row, ...columnsOf(item), terms: this.#kept(terms) });
    this.#names.add(nameTerms(item.name, analyzed?.measures.name));
    this.#facts.add(factsOf(item, analyzed));
  }

  /** Adds the document at this place of the former index as it is there, without reading its text. */
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

/** An index over some hundred documents, in the order of keys, without vectors and without a pause. */
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
