import type { FormerPlace } from '../../search/index/memory-index-builder.ts';
import { findSearchableRows, type SearchableRow } from '../../storage/catalog/searchable-rows.ts';
import { type BuildIndexOptions, buildIndex } from './build-index.ts';
import type { DocumentList } from './document-list.ts';
import { type FormerIndex, type IndexParts, IndexPartsBuilder } from './index-parts.ts';
import { fillVectors, replaceVectorsIn } from './stored-vectors.ts';

/** Documents whose texts are read in one query: about 3 ms. */
const READ_AT_ONCE = 64;

/**
 * The fewest documents that are worth a thread of their own: a new thread compiles everything that it runs, which
 * takes some .2 s of processor time.
 */
const BUILT_IN_THREAD_MIN = 1500;

/** Documents looked for in an index between two pauses. */
const LOOKED_AT_ONCE = 4096;

export interface LoadIndexOptions extends BuildIndexOptions {
  /** The index of what an import has staged, by words alone; null without one. */
  readonly staged: IndexParts | null;
}

/**
 * Loads an index over these documents, without those that are gone or damaged; null if it is no longer wanted.
 * Documents that `former` already holds are copied from it; it must have vectors of the same model.
 * Those that are staged come from there. Many others are read and built in a thread.
 */
export async function loadIndex(
  documents: DocumentList,
  former: IndexParts | null,
  options: LoadIndexOptions,
): Promise<IndexParts | null> {
  const { model, slices, staged, isWanted } = options;
  const isStaged = staged !== null && (await listMissing(documents, [staged], slices)).length === 0;
  const known = (isStaged ? [staged] : [former, staged]).filter((parts) => parts !== null);
  let whole = isStaged && staged.index.size === documents.size ? staged : null;
  const missing = isStaged ? [] : await listMissing(documents, known, slices);
  if (missing.length >= BUILT_IN_THREAD_MIN) {
    const built = await buildIndex(missing, options);
    if (built === null) return null;
    if (known.length === 0) whole = built;
    known.push(built);
  }
  let parts = whole ?? (await copyIndex(documents, known, options));
  if (parts !== null && staged !== null && model !== null) {
    if (parts === staged) parts = await replaceVectorsIn(parts, options);
    else await fillVectors(parts.index, options);
  }
  return isWanted() ? parts : null;
}

/** Builds an index of documents that others hold, and of some that are read. */
async function copyIndex(
  documents: DocumentList,
  known: readonly IndexParts[],
  options: LoadIndexOptions,
): Promise<IndexParts | null> {
  const { model, slices, languageOfShop, isWanted } = options;
  const formers: FormerIndex[] = [];
  for (const parts of known)
    formers.push({ parts, unfolded: await slices.run(parts.index.unfold()) });
  const dimensions = model?.dimensions ?? null;
  const builder = new IndexPartsBuilder({ languageOfShop, dimensions, formers });
  for await (const document of readDocuments(documents, known, options)) {
    await slices.pause();
    if (!isWanted()) return null;
    if ('place' in document) builder.take(document);
    else builder.add(document);
  }
  return slices.run(builder.finish());
}

/** The keys of the documents that no index holds. */
async function listMissing(
  documents: DocumentList,
  known: readonly IndexParts[],
  slices: LoadIndexOptions['slices'],
): Promise<number[]> {
  const missing: number[] = [];
  for (let at = 0; at < documents.size; at++) {
    if (at % LOOKED_AT_ONCE === 0) await slices.pause();
    const [key, generation] = [documents.key(at), documents.generation(at)];
    if (known.every(({ index }) => index.find(key, generation) < 0)) missing.push(key);
  }
  return missing;
}

/**
 * The documents in order, as their place in a former index or, if none holds them, as rows.
 */
async function* readDocuments(
  documents: DocumentList,
  formers: readonly IndexParts[],
  { db, model, slices }: LoadIndexOptions,
): AsyncGenerator<FormerPlace | SearchableRow> {
  const placeOf = (at: number): FormerPlace | null => {
    for (const [former, { index }] of formers.entries()) {
      const place = index.find(documents.key(at), documents.generation(at));
      if (place >= 0) return { former, place };
    }
    return null;
  };
  let rows: SearchableRow[] = [];
  /** The position up to which documents have been checked for rows to read. */
  let seen = 0;
  for (let at = 0; at < documents.size; at++) {
    const place = placeOf(at);
    if (place !== null) {
      yield place;
      continue;
    }
    if (rows.length === 0) {
      await slices.pause();
      const missing: number[] = [];
      for (seen = Math.max(seen, at); seen < documents.size; seen++) {
        if (missing.length === READ_AT_ONCE * db.batchFactor) break;
        if (placeOf(seen) === null) missing.push(documents.key(seen));
      }
      rows = await findSearchableRows(db, { documentKeys: missing, modelKey: model?.key ?? null });
      rows.reverse();
    }
    if (rows.at(-1)?.documentKey === documents.key(at)) yield rows.pop()!;
  }
}
