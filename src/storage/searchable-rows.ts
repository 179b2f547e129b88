import type { CatalogItem } from '../domain/catalog.ts';
import type { Database } from './database.ts';
import { visibleDocuments } from './visible.ts';

/** A document as an index in memory takes it in. */
export interface SearchableRow {
  readonly documentKey: number;
  readonly itemKey: number;
  readonly id: string;
  readonly shopKey: number;
  readonly passage: string | null;
  readonly item: CatalogItem;
  /** A `vector8` BLOB of the model asked for; null where there is none yet. */
  readonly vector: Uint8Array | null;
}

/** The visible documents of an organization whose key is above `after`, in the order of keys. */
export async function findSearchableRows(
  db: Database,
  organizationKey: number,
  query: { after: number; limit: number; modelKey: number | null },
): Promise<SearchableRow[]> {
  const visible = visibleDocuments({ organizationKey, shopKeys: null, productsOnly: false });
  const rows = await db.all<
    Omit<SearchableRow, 'item' | 'vector'> & { body: string; vector: ArrayBuffer | null }
  >({
    sql: `SELECT d.key AS documentKey, d.item_key AS itemKey, i.id AS id, d.shop_key AS shopKey,
                 d.passage AS passage, i.body AS body, iif(d.model_key = ?, d.vector, NULL) AS vector
          FROM documents d CROSS JOIN items i ON i.key = d.item_key ${visible.join}
          WHERE d.key > ? AND ${visible.where} ORDER BY d.key LIMIT ?`,
    args: [query.modelKey, query.after, ...visible.args, query.limit],
  });
  return rows.map(({ documentKey, itemKey, id, shopKey, passage, body, vector }) => ({
    documentKey,
    itemKey,
    id,
    shopKey,
    passage,
    item: JSON.parse(body) as CatalogItem,
    vector: vector === null ? null : new Uint8Array(vector),
  }));
}

/** Number of visible documents of an organization, for an estimate of what an index will take. */
export async function countVisibleDocuments(
  db: Database,
  organizationKey: number,
): Promise<number> {
  const visible = visibleDocuments({ organizationKey, shopKeys: null, productsOnly: false });
  const [row] = await db.all<{ count: number }>({
    sql: `SELECT count(*) AS count FROM documents d ${visible.join} WHERE ${visible.where}`,
    args: visible.args,
  });
  return row!.count;
}
