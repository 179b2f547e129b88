import { eq } from 'drizzle-orm';
import { catalogItemId } from '../../domain/ids.ts';
import type { Shop } from '../../domain/organization.ts';
import { readByKeys, readPage } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import { shops } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';
import { versionsById } from './item-ids.ts';
import { findAliases } from './items.ts';

/** The visible version of an item. */
export interface VisibleItem {
  readonly key: number;
  readonly id: string;
  /** The item as JSON. */
  readonly body: string;
  readonly contentHash: string;
  readonly updatedAt: number;
  /** Its only document if it is an offering; of a context, the first. */
  readonly documentKey: number;
  /** The shop's generation when it was written. */
  readonly generation: number;
}

const COLUMNS = `i.key AS key, i.id AS id, i.body AS body, i.content_hash AS contentHash,
  i.updated_at AS updatedAt, i.first_generation AS generation,
  (SELECT min(d.key) FROM documents d WHERE d.item_key = i.key) AS documentKey`;

/** The shop's visible items by external id, also by a former one. Others are left out. */
export async function findItemsByExternalId(
  db: Database,
  shop: Shop,
  externalIds: readonly string[],
): Promise<Map<string, VisibleItem>> {
  const own = new Map(
    externalIds.map((externalId) => [externalId, catalogItemId(shop.id, externalId)]),
  );
  const found = await findVisibleItems(db, shop, [...own.values()]);
  const missing = externalIds.filter((externalId) => !found.has(own.get(externalId)!));
  const aliases =
    missing.length === 0 ? new Map<string, string>() : await findAliases(db, shop.key, missing);
  if (aliases.size > 0)
    for (const [id, item] of await findVisibleItems(db, shop, [...aliases.values()]))
      found.set(id, item);
  return new Map(
    externalIds.flatMap((externalId) => {
      const item = found.get(own.get(externalId)!) ?? found.get(aliases.get(externalId) ?? '');
      return item === undefined ? [] : [[externalId, item] as const];
    }),
  );
}

async function findVisibleItems(
  db: Database,
  { key, generation }: Shop,
  ids: readonly string[],
): Promise<Map<string, VisibleItem>> {
  const rows = await readByKeys(ids, (part) =>
    db.all<VisibleItem>({
      sql: `SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN ${versionsById('?', 'j.value')}
            WHERE i.first_generation <= ? AND (i.last_generation IS NULL OR i.last_generation >= ?)`,
      args: [JSON.stringify(part), key, generation, generation],
    }),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The versions of items that are staged for a generation. Items without one are left out. */
export async function findStagedItems(
  db: Database,
  { shopKey, generation }: { shopKey: number; generation: number },
  ids: readonly string[],
): Promise<VisibleItem[]> {
  return readByKeys(ids, (part) =>
    db.all<VisibleItem>({
      sql: `SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN ${versionsById('?', 'j.value')}
            WHERE n.first_generation = ?`,
      args: [JSON.stringify(part), shopKey, generation],
    }),
  );
}

/** A version with another body: the same text, with other prices or another availability. */
export interface ChangedItem {
  readonly key: number;
  readonly body: string;
  readonly contentHash: string;
  readonly availability: string;
}

/** Changes versions in place. `push`: the number of this push of the shop. */
export function changeInPlace(
  db: Database,
  shopKey: number,
  { items, push, nowMs }: { items: readonly ChangedItem[]; push: number; nowMs: number },
): Statement[] {
  const rows = items.map(({ key, body, contentHash, availability }) => [
    ...[key, body, contentHash, availability],
  ]);
  return [
    {
      sql: `UPDATE items SET body = j.value->>1, content_hash = j.value->>2, availability = j.value->>3,
              pushed = ?1, updated_at = ?2
            FROM json_each(?3) j WHERE items.key = j.value->>0`,
      args: [push, nowMs, JSON.stringify(rows)],
    },
    statement(db.orm.update(shops).set({ pushes: push }).where(eq(shops.key, shopKey))),
  ];
}

/** A visible offering that was changed in place. */
export interface PushedItem {
  readonly documentKey: number;
  readonly generation: number;
  readonly key: number;
  readonly body: string;
}

/** The shop's versions that pushes after `push` changed, with keys above `after`; empty at the end. */
export async function findPushedItems(
  db: Database,
  shopKey: number,
  { push, after, limit }: { push: number; after: number; limit: number },
): Promise<PushedItem[]> {
  const { page } = await readPage(limit, (rows) =>
    db.all<PushedItem>({
      sql: `SELECT i.key AS key, i.body AS body, i.first_generation AS generation, d.key AS documentKey
            FROM items i JOIN documents d ON d.item_key = i.key
            WHERE i.shop_key = ? AND i.pushed > ? AND i.key > ? ORDER BY i.key LIMIT ?`,
      args: [shopKey, push, after, rows],
    }),
  );
  return page;
}
