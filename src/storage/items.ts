import type { CatalogItem } from '../domain/catalog.ts';
import type { Database, Statement } from './database.ts';

/** A version of an item that an import writes. */
export interface StagedItem {
  readonly key: number;
  readonly id: string;
  readonly item: CatalogItem;
  readonly contentHash: string;
  /** The version it takes the place of; null for what is new. */
  readonly replacesKey: number | null;
}

export interface StagedDocument {
  readonly key: number;
  readonly itemKey: number;
  readonly type: CatalogItem['type'];
  readonly passage: string | null;
  readonly textHash: string;
  readonly replacesItemKey: number | null;
}

export interface Staging {
  readonly organizationKey: number;
  readonly shopKey: number;
  /** The generation that the import will make visible. */
  readonly generation: number;
  readonly format: string;
  readonly nowMs: number;
}

/** What an import has to know of an item that is there already. */
export interface CurrentVersion {
  readonly key: number;
  readonly id: string;
  readonly contentHash: string;
}

/** The largest keys in use: an import hands out the ones above. */
export async function findLargestKeys(
  db: Database,
): Promise<{ itemKey: number; documentKey: number }> {
  const [row] = await db.all<{ itemKey: number; documentKey: number }>({
    sql: `SELECT (SELECT coalesce(max(key), 0) FROM items) AS itemKey,
                 (SELECT coalesce(max(key), 0) FROM documents) AS documentKey`,
    args: [],
  });
  return row!;
}

/** The ids that external ids of the shop stand for, as far as they are known. */
export async function findIdentities(
  db: Database,
  shopKey: number,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.all<{ externalId: string; id: string }>({
    sql: `SELECT i.external_id AS externalId, i.id AS id FROM json_each(?) j
          CROSS JOIN item_identities i ON i.shop_key = ? AND i.external_id = j.value`,
    args: [JSON.stringify(externalIds), shopKey],
  });
  return new Map(rows.map(({ externalId, id }) => [externalId, id]));
}

/** Ids of items now visible that have one of the slugs and came in another format than `format`. */
export async function findIdsBySlug(
  db: Database,
  shop: { key: number; generation: number },
  query: { slugs: readonly string[]; format: string },
): Promise<Map<string, string>> {
  const rows = await db.all<{ slug: string; id: string }>({
    sql: `SELECT i.slug AS slug, i.id AS id FROM json_each(?) j CROSS JOIN items i ON i.shop_key = ? AND i.slug = j.value
          WHERE i.format <> ? AND i.first_generation <= ? AND (i.last_generation IS NULL OR i.last_generation >= ?)
          ORDER BY i.key`,
    args: [JSON.stringify(query.slugs), shop.key, query.format, shop.generation, shop.generation],
  });
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** The versions that are visible at the shop's generation, by id. */
export async function findCurrentVersions(
  db: Database,
  shop: { key: number; generation: number },
  ids: readonly string[],
): Promise<Map<string, CurrentVersion>> {
  const rows = await db.all<CurrentVersion>({
    sql: `SELECT i.key AS key, i.id AS id, i.content_hash AS contentHash FROM json_each(?) j
          CROSS JOIN items i ON i.shop_key = ? AND i.id = j.value
          WHERE i.first_generation <= ? AND (i.last_generation IS NULL OR i.last_generation >= ?)`,
    args: [JSON.stringify(ids), shop.key, shop.generation, shop.generation],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes new versions beside what is visible, and marks those they replace as ending before them. */
export function stageItems(
  staging: Staging,
  items: readonly StagedItem[],
  documents: readonly StagedDocument[],
): Statement[] {
  const { organizationKey, shopKey, generation, format, nowMs } = staging;
  const itemRows = items.map(({ key, id, item, contentHash }) => [
    key,
    id,
    item.externalId,
    item.type,
    item.type === 'product' ? item.slug : null,
    contentHash,
    JSON.stringify(item),
  ]);
  const documentRows = documents.map(
    ({ key, itemKey, type, passage, textHash, replacesItemKey }) => [
      key,
      itemKey,
      type,
      passage,
      textHash,
      replacesItemKey,
    ],
  );
  const replaced = JSON.stringify(
    items.flatMap(({ replacesKey }) => (replacesKey === null ? [] : [replacesKey])),
  );
  return [
    {
      sql: `INSERT INTO items (key, organization_key, shop_key, id, external_id, type, slug, format, content_hash, body, first_generation, updated_at)
            SELECT value->>0, ?, ?, value->>1, value->>2, value->>3, value->>4, ?, value->>5, value->>6, ?, ? FROM json_each(?)`,
      args: [organizationKey, shopKey, format, generation, nowMs, JSON.stringify(itemRows)],
    },
    {
      sql: `INSERT INTO item_identities (shop_key, external_id, id) SELECT ?, value->>2, value->>1 FROM json_each(?) WHERE true
            ON CONFLICT DO NOTHING`,
      args: [
        shopKey,
        JSON.stringify(itemRows.map(([key, id, externalId]) => [key, id, externalId])),
      ],
    },
    {
      // A text that stays the same keeps its vector.
      sql: `INSERT INTO documents (key, item_key, organization_key, shop_key, type, first_generation, passage, text_hash, model_key, vector)
            SELECT j.value->>0, j.value->>1, ?, ?, j.value->>2, ?, j.value->>3, j.value->>4, o.model_key, o.vector
            FROM json_each(?) j LEFT JOIN documents o ON o.key =
              (SELECT min(key) FROM documents WHERE item_key = j.value->>5 AND text_hash = j.value->>4)`,
      args: [organizationKey, shopKey, generation, JSON.stringify(documentRows)],
    },
    ...endVersions(replaced, generation - 1),
  ];
}

function endVersions(itemKeys: string, lastGeneration: number): Statement[] {
  return ['items', 'documents'].map((table) => ({
    sql: `UPDATE ${table} SET last_generation = ? WHERE ${table === 'items' ? 'key' : 'item_key'} IN (SELECT value FROM json_each(?))`,
    args: [lastGeneration, itemKeys],
  }));
}

/** Makes what was staged for `generation` visible, at once and as a whole. */
export function publishGeneration(shopKey: number, generation: number): Statement {
  return {
    sql: 'UPDATE shops SET generation = ?, revision = revision + 1 WHERE key = ?',
    args: [generation, shopKey],
  };
}

export interface Leftover {
  readonly key: number;
  /** Keys of its documents, to be taken out of the word index too. */
  readonly documentKeys: readonly number[];
}

/**
 * Some versions that no searcher will see again: staged by an import that never committed, or ended
 * before the generation that a rollback would bring back. Empty when there are none.
 */
export async function findLeftovers(
  db: Database,
  shop: { key: number; generation: number },
  limit: number,
): Promise<Leftover[]> {
  const rows = await db.all<{ key: number; documentKeys: string }>({
    sql: `SELECT i.key AS key, json_group_array(d.key) AS documentKeys FROM
            (SELECT key FROM items WHERE shop_key = ? AND first_generation > ?
             UNION SELECT key FROM items WHERE shop_key = ? AND last_generation < ? LIMIT ?) i
          JOIN documents d ON d.item_key = i.key GROUP BY i.key ORDER BY i.key`,
    args: [shop.key, shop.generation, shop.key, shop.generation - 1, limit],
  });
  return rows.map(({ key, documentKeys }) => ({
    key,
    documentKeys: JSON.parse(documentKeys) as number[],
  }));
}

export function deleteVersions(itemKeys: readonly number[]): Statement[] {
  const keys = JSON.stringify(itemKeys);
  return [
    {
      sql: 'DELETE FROM documents WHERE item_key IN (SELECT value FROM json_each(?))',
      args: [keys],
    },
    { sql: 'DELETE FROM items WHERE key IN (SELECT value FROM json_each(?))', args: [keys] },
  ];
}

/** Takes back up to `limit` endings, of items and of documents each, that an import staged and never made visible. */
export function reviveVersions(
  shop: { key: number; generation: number },
  limit: number,
): Statement[] {
  return ['items', 'documents'].map((table) => ({
    sql: `UPDATE ${table} SET last_generation = NULL WHERE key IN
          (SELECT key FROM ${table} WHERE shop_key = ? AND last_generation >= ? LIMIT ?)`,
    args: [shop.key, shop.generation, limit],
  }));
}

/** An item as it is stored, with what the wire needs besides its body. */
export interface StoredItem {
  readonly key: number;
  readonly id: string;
  readonly shopKey: number;
  readonly updatedAt: number;
  readonly item: CatalogItem;
}

/** Items of the organization by row key; those of another organization or gone are missing from the map. */
export async function findItems(
  db: Database,
  organizationKey: number,
  keys: readonly number[],
): Promise<Map<number, StoredItem>> {
  const rows = await db.all<{
    key: number;
    id: string;
    shopKey: number;
    updatedAt: number;
    body: string;
  }>({
    sql: `SELECT i.key AS key, i.id AS id, i.shop_key AS shopKey, i.updated_at AS updatedAt, i.body AS body
          FROM json_each(?) j CROSS JOIN items i ON i.key = j.value WHERE i.organization_key = ?`,
    args: [JSON.stringify(keys), organizationKey],
  });
  return new Map(
    rows.map(({ body, ...row }) => [row.key, { ...row, item: JSON.parse(body) as CatalogItem }]),
  );
}

/** Bodies for the background embedder, whatever the organization. */
export async function findBodies(
  db: Database,
  keys: readonly number[],
): Promise<Map<number, CatalogItem>> {
  const rows = await db.all<{ key: number; body: string }>({
    sql: 'SELECT i.key AS key, i.body AS body FROM json_each(?) j CROSS JOIN items i ON i.key = j.value',
    args: [JSON.stringify(keys)],
  });
  return new Map(rows.map(({ key, body }) => [key, JSON.parse(body) as CatalogItem]));
}

/** Passages of documents by key; null for an offering's. */
export async function findPassages(
  db: Database,
  documentKeys: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await db.all<{ key: number; passage: string | null }>({
    sql: 'SELECT d.key AS key, d.passage AS passage FROM json_each(?) j CROSS JOIN documents d ON d.key = j.value',
    args: [JSON.stringify(documentKeys)],
  });
  return new Map(rows.map(({ key, passage }) => [key, passage]));
}

export interface CatalogCounts {
  readonly offerings: number;
  readonly contexts: number;
  /** Offerings and contexts whose every document has a vector. */
  readonly embedded: number;
}

/** What is visible of one shop. */
export async function countItems(
  db: Database,
  shop: { key: number; generation: number },
): Promise<CatalogCounts> {
  const [row] = await db.all<{ offerings: number; contexts: number; embedded: number }>({
    sql: `SELECT coalesce(sum(type = 'product'), 0) AS offerings, coalesce(sum(type = 'context'), 0) AS contexts,
                 coalesce(sum(embedded), 0) AS embedded
          FROM (SELECT type, min(vector IS NOT NULL) AS embedded FROM documents
                WHERE shop_key = ? AND first_generation <= ? AND (last_generation IS NULL OR last_generation >= ?)
                GROUP BY item_key)`,
    args: [shop.key, shop.generation, shop.generation],
  });
  return row!;
}
