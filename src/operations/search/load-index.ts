import { findSearchableRows, type SearchableRow } from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { DocumentList } from './document-list.ts';
import type { EmbeddingModel } from './embeddings.ts';
import { type IndexParts, IndexPartsBuilder } from './index-parts.ts';
import type { Slices } from './slices.ts';

/** Documents whose texts are read in one query: about 3 ms. */
const READ_AT_ONCE = 64;

export interface LoadIndexOptions {
  readonly db: Database;
  readonly slices: Slices;
  /** The model whose vectors are read; null: none. */
  readonly model: EmbeddingModel | null;
  /** False once the index is no longer wanted. */
  readonly isWanted: () => boolean;
}

/**
 * Loads an index over these documents; null if it is no longer wanted or one of them is gone.
 * Documents that `former` already holds are copied from it; it must have vectors of the same model.
 */
export async function loadIndex(
  documents: DocumentList,
  former: IndexParts | null,
  options: LoadIndexOptions,
): Promise<IndexParts | null> {
  const { model, slices, isWanted } = options;
  const builder = new IndexPartsBuilder({
    dimensions: model?.dimensions ?? null,
    former: former && { parts: former, unfolded: await slices.run(former.index.unfold()) },
  });
  for await (const { place, row } of readDocuments(documents, former, options)) {
    await slices.pause();
    if (!isWanted()) return null;
    if (row === null) builder.take(place);
    else builder.add(row);
  }
  const parts = await slices.run(builder.finish());
  const isWhole = parts.index.size === documents.size;
  return isWhole && isWanted() ? parts : null;
}

/**
 * The documents in order, as their place in the former index or, if it lacks them, as rows. Ends at
 * the first document that is gone.
 */
async function* readDocuments(
  documents: DocumentList,
  former: IndexParts | null,
  { db, model, slices }: LoadIndexOptions,
): AsyncGenerator<{ place: number; row: SearchableRow | null }> {
  const placeOf = (at: number) =>
    former?.index.find(documents.key(at), documents.generation(at)) ?? -1;
  let rows: SearchableRow[] = [];
  /** The position up to which documents have been checked for rows to read. */
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
        if (missing.length === READ_AT_ONCE * db.batchFactor) break;
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
