import type { CatalogItem } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { readByKeys, readPage } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';
import { versionsById } from './item-ids.ts';

/** What an import needs to know about an item that it finds or has already written. */
export interface KnownVersion {
  readonly key: number;
  readonly id: string;
  readonly contentHash: string;
  readonly firstGeneration: number;
  readonly lastGeneration: number | null;
}

/** The largest keys in use: an import assigns the ones above. */
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

/** Whether nothing was ever imported into the shop, not even by an import that failed. */
export async function isBlank(db: Database, shopKey: number): Promise<boolean> {
  const [row] = await db.all<{ count: number }>({
    sql: `SELECT EXISTS (SELECT 1 FROM items WHERE shop_key = ?1)
               + EXISTS (SELECT 1 FROM item_identities WHERE shop_key = ?1) AS count`,
    args: [shopKey],
  });
  return row!.count === 0;
}

/** The item ids that external ids of the shop are aliases of. */
export async function findAliases(
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

/**
 * Ids of visible items that have one of the slugs and were imported in a format other than
 * `format`.
 */
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

/** Every version of the items, visible or not. */
export async function findVersions(
  db: Database,
  shopKey: number,
  ids: readonly string[],
): Promise<KnownVersion[]> {
  return db.all<KnownVersion>({
    sql: `SELECT i.key AS key, i.id AS id, i.content_hash AS contentHash,
                 i.first_generation AS firstGeneration, i.last_generation AS lastGeneration
          FROM json_each(?) j CROSS JOIN ${versionsById('?', 'j.value')}`,
    args: [JSON.stringify(ids), shopKey],
  });
}

/** Makes versions invisible after generation `lastGeneration`. */
export function endVersions(itemKeys: readonly number[], lastGeneration: number): Statement[] {
  return ['items', 'documents'].map((table) => ({
    sql: `UPDATE ${table} SET last_generation = ? WHERE ${table === 'items' ? 'key' : 'item_key'} IN (SELECT value FROM json_each(?))`,
    args: [lastGeneration, JSON.stringify(itemKeys)],
  }));
}

/** Makes a generation visible atomically: a staged one or an earlier one. */
export function showGeneration(
  shopKey: number,
  { generation, previousGeneration }: { generation: number; previousGeneration: number | null },
): Statement {
  return {
    sql: 'UPDATE shops SET generation = ?, previous_generation = ?, revision = revision + 1 WHERE key = ?',
    args: [generation, previousGeneration, shopKey],
  };
}

/** The position where the next page of `findVisibleKeys` begins. */
export interface KeyPlace {
  readonly key: number;
  readonly firstGeneration: number;
}

/** Keys of the versions visible at the shop's generation, after `after`. */
export async function findVisibleKeys(
  db: Database,
  shop: { key: number; generation: number },
  { after, limit }: { after: KeyPlace; limit: number },
): Promise<KeyPlace[]> {
  const { key, generation } = shop;
  return db.all({
    sql: `SELECT key, first_generation AS firstGeneration FROM items
          WHERE shop_key = ? AND (first_generation, key) > (?, ?) AND first_generation <= ?
            AND (last_generation IS NULL OR last_generation >= ?)
          ORDER BY first_generation, key LIMIT ?`,
    args: [key, after.firstGeneration, after.key, generation, generation, limit],
  });
}

/**
 * Bodies of the items visible at a shop's generation, in the order of their ids, after `after`;
 * empty at the end.
 */
export async function findVisibleBodies(
  db: Database,
  shop: { key: number; generation: number },
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; body: string }[]> {
  const { key, generation } = shop;
  const { page } = await readPage(limit, (rows) =>
    db.all<{ id: string; body: string }>({
      sql: `SELECT n.id AS id, i.body AS body
            FROM item_ids n CROSS JOIN items i
              ON i.key = n.item_key AND i.id = n.id AND i.first_generation = n.first_generation
            WHERE n.shop_key = ? AND n.id > ? AND i.first_generation <= ?
              AND (i.last_generation IS NULL OR i.last_generation >= ?) ORDER BY n.id LIMIT ?`,
      args: [key, after, generation, generation, rows],
    }),
  );
  return page;
}

/** Bodies of the contexts visible at a shop's generation, at most `limit`. */
export async function findVisibleContexts(
  db: Database,
  shop: { key: number; generation: number },
  limit: number,
): Promise<string[]> {
  const { key, generation } = shop;
  const rows = await db.all<{ body: string }>({
    sql: `SELECT body FROM items WHERE shop_key = ? AND type = 'context' AND first_generation <= ?
            AND (last_generation IS NULL OR last_generation >= ?) ORDER BY id LIMIT ?`,
    args: [key, generation, generation, limit],
  });
  return rows.map(({ body }) => body);
}

/**
 * Which leftovers: `unpublished` ones were staged by an import that never committed, or reverted by a
 * rollback, and would become visible with the next import. `any` includes versions ended before the
 * generation that a rollback would restore, and those begun and ended since then.
 */
export type LeftoverKind = 'unpublished' | 'any';

const UNPUBLISHED = ['first_generation > ?2'];
const NEVER_SHOWN_AGAIN = [
  ...UNPUBLISHED,
  'last_generation < ?3',
  'last_generation > ?3 AND last_generation < ?2 AND first_generation > ?3',
];

/** Keys of versions that no search will return again, at most `limit`, in order. Empty if there are none. */
export async function findLeftovers(
  db: Database,
  shop: { key: number; generation: number; previousGeneration: number | null },
  { kind, limit }: { readonly kind: LeftoverKind; readonly limit: number },
): Promise<number[]> {
  const previous = shop.previousGeneration ?? shop.generation;
  const conditions = kind === 'any' ? NEVER_SHOWN_AGAIN : UNPUBLISHED;
  // Each part has its own limit, because a UNION reads them to their ends.
  const parts = conditions.map(
    (condition) =>
      `SELECT key FROM (SELECT key FROM items WHERE shop_key = ?1 AND ${condition} LIMIT ?4)`,
  );
  const rows = await db.all<{ key: number }>({
    sql: `SELECT key FROM (${parts.join(' UNION ')} LIMIT ?4) WHERE ?3 NOT NULL ORDER BY key`,
    args: [shop.key, shop.generation, previous, limit],
  });
  return rows.map(({ key }) => key);
}

/** How an organization's documents, items and ids, staged ones included, belong together. */
export interface DocumentComparison {
  /** All documents. */
  readonly total: number;
  readonly withoutItem: number;
  /** Items that have none. */
  readonly withoutDocument: number;
  /** How many more versions there are than ids, without staged ones. */
  readonly withoutId: number;
}

/** Compares every document; takes a second for a million. */
export async function compareDocuments(
  db: Database,
  organizationKey: number,
): Promise<DocumentComparison> {
  const [row] = await db.all<DocumentComparison>({
    sql: `SELECT
            (SELECT count(*) FROM documents WHERE organization_key = ?1) AS total,
            (SELECT count(*) FROM documents d WHERE d.organization_key = ?1
               AND NOT EXISTS (SELECT 1 FROM items i WHERE i.key = d.item_key)) AS withoutItem,
            (SELECT count(*) FROM items i WHERE i.organization_key = ?1
               AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.item_key = i.key)) AS withoutDocument,
            max(0, (${countShown('items')}) - (${countShown('item_ids')})) AS withoutId`,
    args: [organizationKey],
  });
  return row!;
}

/** SQL that counts an organization's versions up to what its shops show, or their ids. */
function countShown(table: 'items' | 'item_ids'): string {
  return `SELECT count(*) FROM shops s CROSS JOIN ${table} t
    ON t.shop_key = s.key AND t.first_generation <= s.generation WHERE s.organization_key = ?1`;
}

/** Whether more than `count` versions of the shop ended before the generation a rollback would restore. */
export async function hasMoreEnded(
  db: Database,
  shop: { key: number; generation: number; previousGeneration: number | null },
  count: number,
): Promise<boolean> {
  const rows = await db.all({
    sql: 'SELECT key FROM items WHERE shop_key = ? AND last_generation < ? LIMIT 1 OFFSET ?',
    args: [shop.key, shop.previousGeneration ?? shop.generation, count],
  });
  return rows.length > 0;
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

/**
 * Makes up to `limit` items and as many documents visible again that an import had ended without
 * ever publishing its generation.
 */
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

/** A stored item, with the columns that an answer needs besides its body. */
export interface StoredItem {
  readonly key: number;
  readonly id: string;
  readonly shopKey: number;
  readonly updatedAt: number;
  readonly item: CatalogItem;
}

/**
 * Items of the organization by row key. Items that are gone, damaged or belong to another
 * organization are left out.
 */
export async function findItems(
  db: Database,
  organizationKey: number,
  keys: readonly number[],
): Promise<Map<number, StoredItem>> {
  const rows = await readByKeys(keys, (part) =>
    db.all<{
      key: number;
      id: string;
      shopKey: number;
      updatedAt: number;
      body: string;
    }>({
      sql: `SELECT i.key AS key, i.id AS id, i.shop_key AS shopKey, i.updated_at AS updatedAt, i.body AS body
          FROM json_each(?) j CROSS JOIN items i ON i.key = j.value WHERE i.organization_key = ?`,
      args: [JSON.stringify(part), organizationKey],
    }),
  );
  const items = new Map<number, StoredItem>();
  for (const { key, id, shopKey, updatedAt, body } of rows) {
    const item = db.parse<CatalogItem>(body);
    if (item !== null) items.set(key, { key, id, shopKey, updatedAt, item });
  }
  return items;
}

/** Items for the background embedder, whatever the organization. Damaged ones are left out. */
export async function findBodies(
  db: Database,
  keys: readonly number[],
): Promise<Map<number, CatalogItem>> {
  const rows = await readByKeys(keys, (part) =>
    db.all<{ key: number; body: string }>({
      sql: 'SELECT i.key AS key, i.body AS body FROM json_each(?) j CROSS JOIN items i ON i.key = j.value',
      args: [JSON.stringify(part)],
    }),
  );
  const items = new Map<number, CatalogItem>();
  for (const { key, body } of rows) {
    const item = db.parse<CatalogItem>(body);
    if (item !== null) items.set(key, item);
  }
  return items;
}

/** The passages of documents by key; null for an offering's document. */
export async function findPassages(
  db: Database,
  documentKeys: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await readByKeys(documentKeys, (part) =>
    db.all<{ key: number; passage: string | null }>({
      sql: 'SELECT d.key AS key, d.passage AS passage FROM json_each(?) j CROSS JOIN documents d ON d.key = j.value',
      args: [JSON.stringify(part)],
    }),
  );
  return new Map(rows.map(({ key, passage }) => [key, passage]));
}

export interface CatalogCounts {
  readonly offerings: number;
  readonly contexts: number;
  /** Offerings and contexts whose every document has a vector. */
  readonly embedded: number;
}

/** Counts of one shop’s visible items. Its organization has an index, the shop has none. */
export async function countItems(
  db: Database,
  { key, organizationKey, generation }: Pick<Shop, 'key' | 'organizationKey' | 'generation'>,
): Promise<CatalogCounts> {
  const [row] = await db.all<{ offerings: number; contexts: number; embedded: number }>({
    sql: `SELECT coalesce(sum(type = 'product'), 0) AS offerings, coalesce(sum(type = 'context'), 0) AS contexts,
                 coalesce(sum(embedded), 0) AS embedded
          FROM (SELECT type, min(vector IS NOT NULL) AS embedded FROM documents
                WHERE organization_key = ?1 AND shop_key = ?2
                  AND first_generation <= ?3 AND (last_generation IS NULL OR last_generation >= ?3)
                GROUP BY item_key)`,
    args: [organizationKey, key, generation],
  });
  return row!;
}

/**
 * Names of an organization's offerings, spread over the catalogue. The selection is deterministic.
 */
export async function findNames(
  db: Database,
  organizationKey: number,
  limit: number,
): Promise<string[]> {
  // Knuth's multiplicative hash scatters neighbouring keys.
  const rows = await db.all<{ name: string }>({
    sql: `SELECT body->>'name' AS name FROM items
          WHERE organization_key = ? AND type = 'product' AND last_generation IS NULL AND json_valid(body)
          ORDER BY key * 2654435761 % 4294967296, key LIMIT ?`,
    args: [organizationKey, limit],
  });
  return rows.map(({ name }) => name);
}
