import { isAvailable } from '../../domain/catalog.ts';
import type { Platform } from '../../platform.ts';
import { documentTerms, type OfferingReading, readOffering } from '../../search/index/documents.ts';
import { FactTable } from '../../search/index/fact-table.ts';
import { factsOf } from '../../search/index/item-facts.ts';
import type { MemoryIndex } from '../../search/index/memory-index.ts';
import {
  type IndexableDocument,
  MemoryIndexBuilder,
} from '../../search/index/memory-index-builder.ts';
import { NameTable } from '../../search/index/name-table.ts';
import { nameTerms } from '../../search/ranking/name.ts';
import {
  findSearchableRows,
  findVisibleDocuments,
  type SearchableRow,
  type VisibleDocument,
} from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { EmbeddingModel } from './meaning.ts';

/** Documents listed at once, and those of them whose texts are read at once: about 3 ms each. */
const LISTED_AT_ONCE = 1000;
const READ_AT_ONCE = 64;

/** After so much work whatever waits goes first; no step of it takes more than some milliseconds. */
const SLICE_MS = 8;

/** What is searched in memory of a catalogue. */
export interface IndexParts {
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: FactTable;
}

export interface LoadIndexOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly organizationKey: number;
  /** Whose vectors are read; null: none. */
  readonly model: EmbeddingModel | null;
  /** The catalogue as it was, with vectors of the same model: what has not changed is taken over. */
  readonly former: IndexParts | null;
  /** False once what is being read is of no use: the catalogue has changed, or the service stops. */
  readonly isWanted: () => boolean;
}

/** An organization's visible catalogue in memory; null if that is not wanted any more. Works in slices of 8 ms. */
export async function loadIndex(options: LoadIndexOptions): Promise<IndexParts | null> {
  const { db, platform, organizationKey, model, former, isWanted } = options;
  const slices = new Slices(platform);
  const unfolded = former === null ? null : await slices.run(former.index.unfold());
  const builder = new MemoryIndexBuilder({
    dimensions: model?.dimensions ?? null,
    former: unfolded,
  });
  const names = new NameTable();
  const facts = new FactTable();
  for (let after = 0; ; ) {
    await slices.pause();
    if (!isWanted()) return null;
    const listed = await findVisibleDocuments(db, organizationKey, {
      after,
      limit: LISTED_AT_ONCE,
    });
    for await (const { place, row } of readDocuments(listed, { ...options, slices })) {
      await slices.pause();
      if (row === null) {
        builder.take(place);
        names.add(former!.names.nameOf(place));
        facts.add(former!.facts.factsOf(place));
      } else {
        const { item } = row;
        const reading = item.type === 'product' ? readOffering(item) : undefined;
        builder.add(indexable(row, reading));
        names.add(nameTerms(item.name, reading?.measures.name));
        facts.add(factsOf(item, reading));
      }
    }
    if (listed.length < LISTED_AT_ONCE) break;
    after = listed.at(-1)!.documentKey;
  }
  const index = await slices.run(builder.finish());
  return isWanted() ? { index, names, facts } : null;
}

/** The listed documents in order: by their place in the former index, or as rows where they are not in it. */
async function* readDocuments(
  listed: readonly VisibleDocument[],
  { db, model, former, slices }: LoadIndexOptions & { readonly slices: Slices },
): AsyncGenerator<{ place: number; row: SearchableRow | null }> {
  const places = listed.map(
    ({ documentKey, generation }) => former?.index.find(documentKey, generation) ?? -1,
  );
  const missing = listed.filter((_, at) => places[at]! < 0).map(({ documentKey }) => documentKey);
  let rows: SearchableRow[] = [];
  let read = 0;
  for (const place of places) {
    if (place >= 0) {
      yield { place, row: null };
      continue;
    }
    if (rows.length === 0) {
      await slices.pause();
      const documentKeys = missing.slice(read, read + READ_AT_ONCE);
      rows = await findSearchableRows(db, { documentKeys, modelKey: model?.key ?? null });
      read += documentKeys.length;
      rows.reverse();
    }
    const row = rows.pop();
    // An import that has been cleared away meanwhile: what is being read is not wanted any more.
    if (row === undefined) return;
    yield { place, row };
  }
}

/** Work that lets go of the event loop in time. */
class Slices {
  readonly #platform: Platform;
  #startedMs: number;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#startedMs = platform.monotonicMs();
  }

  /** Lets whatever waits go first, if this slice has taken its time. */
  async pause(): Promise<void> {
    if (this.#platform.monotonicMs() - this.#startedMs < SLICE_MS) return;
    await this.#platform.yield();
    this.#startedMs = this.#platform.monotonicMs();
  }

  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }
}

function indexable(
  { item, passage, ...row }: SearchableRow,
  reading: OfferingReading | undefined,
): IndexableDocument {
  const documents = documentTerms(item, reading);
  const offering = item.type === 'product' ? item : null;
  return {
    ...row,
    type: item.type,
    available: offering === null || isAvailable(offering.availability),
    vendor: offering?.vendor ?? null,
    productType: offering?.productType ?? null,
    tags: offering?.tags ?? [],
    currency: offering?.currency ?? '',
    priceMinor: offering?.priceMinor ?? null,
    terms: documents.find((candidate) => candidate.passage === passage)!.terms,
  };
}
