import { isAvailable } from '../../domain/catalog.ts';
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
import { findSearchableRows, type SearchableRow } from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { DocumentList } from './document-list.ts';
import type { EmbeddingModel } from './meaning.ts';
import type { Slices } from './slices.ts';

/** Documents whose texts are read at once: about 3 ms. */
const READ_AT_ONCE = 64;

/** What is searched in memory of some documents. */
export interface IndexParts {
  /** The same for as long as places and terms mean the same. */
  readonly id: symbol;
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: FactTable;
}

export interface LoadIndexOptions {
  readonly db: Database;
  readonly slices: Slices;
  /** Whose vectors are read; null: none. */
  readonly model: EmbeddingModel | null;
  /** False once what is being read is of no use. */
  readonly isWanted: () => boolean;
}

/**
 * An index over these documents; null if it is not wanted any more, or if one of them is gone. What
 * `former`, with vectors of the same model, has of them is taken over from there.
 */
export async function loadIndex(
  documents: DocumentList,
  former: IndexParts | null,
  options: LoadIndexOptions,
): Promise<IndexParts | null> {
  const { model, slices, isWanted } = options;
  const builder = new MemoryIndexBuilder({
    dimensions: model?.dimensions ?? null,
    former: former === null ? null : await slices.run(former.index.unfold()),
  });
  const names = new NameTable();
  const facts = new FactTable();
  for await (const { place, row } of readDocuments(documents, former, options)) {
    await slices.pause();
    if (!isWanted()) return null;
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
  const index = await slices.run(builder.finish());
  const isWhole = index.size === documents.size;
  return isWhole && isWanted() ? { id: Symbol('index'), index, names, facts } : null;
}

/** The documents in order: by their place in the former index, or as rows where they are not in it. Ends at one that is gone. */
async function* readDocuments(
  documents: DocumentList,
  former: IndexParts | null,
  { db, model, slices }: LoadIndexOptions,
): AsyncGenerator<{ place: number; row: SearchableRow | null }> {
  const placeOf = (at: number) =>
    former?.index.find(documents.key(at), documents.generation(at)) ?? -1;
  let rows: SearchableRow[] = [];
  /** Up to where documents have been looked through for those that have to be read. */
  let seen = 0;
  for (let at = 0; at < documents.size; at++) {
    const place = placeOf(at);
    if (place >= 0) {
      yield { place, row: null };
      continue;
    }
    if (rows.length === 0) {
      await slices.pause();
      const missing: number[] = [];
      for (seen = Math.max(seen, at); seen < documents.size; seen++) {
        if (missing.length === READ_AT_ONCE) break;
        if (placeOf(seen) < 0) missing.push(documents.key(seen));
      }
      rows = await findSearchableRows(db, { documentKeys: missing, modelKey: model?.key ?? null });
      rows.reverse();
    }
    const row = rows.pop();
    if (row?.documentKey !== documents.key(at)) return;
    yield { place, row };
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
