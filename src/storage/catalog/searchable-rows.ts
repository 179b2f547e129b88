import type { CatalogItem } from '../../domain/catalog.ts';
import { readByKeys } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import { type EncodedRows, PART_SEPARATOR } from './encoded-rows.ts';
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
  // One row for all: a row for each document took five times as long.
  const [page] = await db.all<{ keys: string; generations: string }>({
    sql: `SELECT json_group_array(key) AS keys, json_group_array(generation) AS generations
          FROM (SELECT d.key AS key, d.first_generation AS generation
            FROM documents d ${visible.join} WHERE d.key > ? AND ${visible.where} ORDER BY d.key LIMIT ?)`,
    args: [after, ...visible.args, limit],
  });
  const generations = JSON.parse(page!.generations) as number[];
  return (JSON.parse(page!.keys) as number[]).map((documentKey, at) => {
    return { documentKey, generation: generations[at]! };
  });
}

/**
 * The documents that an import has staged for a shop's next generation, with keys above `after`, in
 * key order.
 */
export async function findStagedDocuments(
  db: Database,
  { shopKey, generation }: ShownAhead,
  { after, limit }: { after: number; limit: number },
): Promise<VisibleDocument[]> {
  // An import numbers documents in the order of their items.
  return db.all({
    sql: `SELECT d.key AS documentKey, d.first_generation AS generation
          FROM items i CROSS JOIN documents d ON d.item_key = i.key
          WHERE i.shop_key = ?1 AND i.first_generation = ?2 AND d.key > ?3
            AND i.key >= coalesce((SELECT item_key FROM documents WHERE key = ?3), 0)
          ORDER BY i.key, d.key LIMIT ?4`,
    args: [shopKey, generation, after, limit],
  });
}

/** Keys above `after` of the documents that the next generation of a shop shows no more, in order. */
export async function findEndedDocuments(
  db: Database,
  { shopKey, generation }: ShownAhead,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db.all<{ key: number }>({
    sql: `SELECT key FROM documents WHERE shop_key = ? AND last_generation = ? AND key > ?
          ORDER BY key LIMIT ?`,
    args: [shopKey, generation - 1, after, limit],
  });
  return rows.map(({ key }) => key);
}

/** A `SearchableRow` as it is stored. */
interface StoredRow extends Omit<SearchableRow, 'item'> {
  /** The item as JSON; null if it is the item of the row before. */
  readonly body: string | null;
}

/** The given documents that still exist, in key order, in as many parts as the answers need. */
export async function findEncodedRows(
  db: Database,
  documentKeys: readonly number[],
): Promise<EncodedRows[]> {
  // What is damaged may have another type, and a BLOB cannot become JSON. Bodies stay as they are: to quote them
  // as JSON within JSON, and to read that, took a third longer.
  const rows = await readByKeys(documentKeys, (keys) =>
    db.all<EncodedRows>({
      sql: `SELECT CAST(group_concat(json_array(d.key, d.item_key, CAST(i.id AS TEXT), d.shop_key,
              d.first_generation, CAST(d.passage AS TEXT)) || ?2 ||
              iif(d.type = 'context' AND EXISTS (SELECT 1 FROM documents e
                WHERE e.item_key = d.item_key AND e.key < d.key
                  AND e.key IN (SELECT value FROM json_each(?1))), '', CAST(i.body AS TEXT)), ?2)
              AS BLOB) AS content, group_concat(DISTINCT d.shop_key) AS shopKeys
            FROM json_each(?1) j CROSS JOIN documents d ON d.key = j.value
            JOIN items i ON i.key = d.item_key`,
      args: [JSON.stringify(keys), PART_SEPARATOR],
    }),
  );
  return rows.filter(({ shopKeys }) => shopKeys !== null);
}

/** The given documents that still exist, in key order. */
async function findStoredRows(
  db: Database,
  { documentKeys, modelKey }: { documentKeys: readonly number[]; modelKey: number | null },
): Promise<StoredRow[]> {
  const rows = await readByKeys(documentKeys, (keys) =>
    db.all<Omit<StoredRow, 'vector'> & { vector: ArrayBuffer | null }>({
      // A long text has many passages with consecutive documents, so its body is read only once.
      sql: `SELECT d.key AS documentKey, d.item_key AS itemKey, i.id AS id, d.shop_key AS shopKey,
                   d.first_generation AS generation, d.passage AS passage,
                   iif(lag(d.item_key) OVER (ORDER BY d.key) IS d.item_key, NULL, i.body) AS body,
                   iif(d.model_key = ?1, d.vector, (SELECT f.vector FROM former_vectors f
                     WHERE f.document_key = d.key AND f.model_key = ?1)) AS vector
            FROM documents d JOIN items i ON i.key = d.item_key
            WHERE d.key IN (SELECT value FROM json_each(?2)) ORDER BY d.key`,
      args: [modelKey, JSON.stringify(keys)],
    }),
  );
  return rows.map(({ vector, ...row }) => {
    return { ...row, vector: vector === null ? null : new Uint8Array(vector) };
  });
}

/** The given documents that still exist and whose items are not damaged, in key order. */
export async function findSearchableRows(
  db: Database,
  query: { documentKeys: readonly number[]; modelKey: number | null },
): Promise<SearchableRow[]> {
  const rows = await findStoredRows(db, query);
  let item: CatalogItem | null = null;
  return rows.flatMap(({ body, ...row }) => {
    if (body !== null) item = db.parse<CatalogItem>(body);
    return item === null ? [] : [{ ...row, item }];
  });
}
