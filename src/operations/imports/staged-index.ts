import type { CatalogItem } from '../../domain/catalog.ts';
import { documentTexts } from '../../search/index/documents.ts';
import { packedBuffers } from '../../search/index/packing.ts';
import { languageOf } from '../../search/text/language.ts';
import { IndexPartsBuilder, packParts } from '../indexes/index-parts.ts';
import { runAtOnce } from '../indexes/slices.ts';

/** A prepared row that was staged, with the keys that it got. */
export interface StagedRow {
  /** Its place among the rows of its block. */
  readonly at: number;
  readonly id: string;
  readonly itemKey: number;
  /** The key of its first document; those of the others follow. */
  readonly documentKey: number;
}

/** For whom staged rows are indexed. */
export interface StagedShop {
  readonly shopKey: number;
  readonly locale: string;
  /** The generation that the import will make visible. */
  readonly generation: number;
}

/** Builds an index of the rows that an import stages, by words alone. */
export class StagedIndexBuilder {
  readonly #shop: StagedShop;
  readonly #builder: IndexPartsBuilder;

  constructor(shop: StagedShop) {
    const language = languageOf(shop.locale);
    this.#shop = shop;
    this.#builder = new IndexPartsBuilder({ languageOfShop: () => language, dimensions: null });
  }

  /** Adds the staged rows of a block, in the order in which they were staged. `items`: those of all its rows. */
  add(items: readonly CatalogItem[], staged: readonly StagedRow[]): void {
    const { shopKey, generation } = this.#shop;
    for (const { at, id, itemKey, documentKey: first } of staged) {
      const item = items[at]!;
      for (const [place, { passage }] of documentTexts(item).entries()) {
        const keys = { documentKey: first + place, itemKey, id, shopKey, generation };
        this.#builder.add({ ...keys, passage, item, vector: null });
      }
    }
  }

  /** The arrays of the index, each in a buffer of its own that can be transferred. */
  finish(): ArrayBuffer[] {
    return packedBuffers((to) => packParts(runAtOnce(this.#builder.finish()), to));
  }
}
