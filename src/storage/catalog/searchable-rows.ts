import type { CatalogItem } from '../../domain/catalog.ts';
import { readByKeys } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import { type ShownAhead, visibleDocuments } from './visible.ts';

/** A document with everything that an index in memory needs. */
export interface SearchableRow extends VisibleDocument {
  readonly itemKey: number;
  readonly id: string;
  readonly shopKey: number;
  readonly passage: string | null;
  readonly item: CatalogItem;
  /** A `vector8` BLOB of the model asked for; null if there is none yet. */
  readonly vector: Uint8Array | null;
}

/**
 * A visible document. Key and generation together identify one text for ever; a key alone may be
 * reused after old versions are deleted.
 */
export interface VisibleDocument {
  readonly documentKey: number;
  /** The shop's generation when the document was written. */
  readonly generation: number;
}

/**
 * An organization's visible documents with keys above `after`, in key order. With `ahead`: those
 * that will be visible once a shop shows that generation.
 */
export async function findVisibleDocuments(
  db: Database,
  organizationKey: number,
  { after, limit, ahead = null }: { after: number; limit: number; ahead?: ShownAhead | null },
): Promise<VisibleDocument[]> {
  const scope = { organizationKey, shopKeys: null, productsOnly: false };
  const visible = visibleDocuments(scope, ahead);
  return db.all({
    sql: `SELECT d.key AS documentKey, d.first_generation AS generation
          FROM documents d ${visible.join} WHERE d.key > ? AND ${visible.where} ORDER BY d.key LIMIT ?`,
    args: [after, ...visible.args, limit],
  });
}

/** The given documents that still exist, in key order. */
export async function findSearchableRows(
  db: Database,
  { documentKeys, modelKey }: { documentKeys: readonly number[]; modelKey: number | null },
): Promise<SearchableRow[]> {
  const rows = await readByKeys(documentKeys, (keys) =>
    db.all<
      Omit<SearchableRow, 'item' | 'vector'> & { body: string | null; vector: ArrayBuffer | null }
    >({
      // A long text has many passages with consecutive documents, so its body is read only once.
      sql: `SELECT d.key AS documentKey, d.item_key AS itemKey, i.id AS id, d.shop_key AS shopKey,
                   d.first_generation AS generation, d.passage AS passage,
                   iif(lag(d.item_key) OVER (ORDER BY d.key) IS d.item_key, NULL, i.body) AS body,
                   iif(d.model_key = ?, d.vector, NULL) AS vector
            FROM documents d JOIN items i ON i.key = d.item_key
            WHERE d.key IN (SELECT value FROM json_each(?)) ORDER BY d.key`,
      args: [modelKey, JSON.stringify(keys)],
    }),
  );
  let item: CatalogItem | null = null;
  return rows.map(({ body, vector, ...row }) => {
    if (body !== null) item = JSON.parse(body) as CatalogItem;
    return { ...row, item: item!, vector: vector === null ? null : new Uint8Array(vector) };
  });
}
