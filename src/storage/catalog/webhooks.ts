import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';

/** Deliveries that are deleted with each new one, once they are old enough. */
const DELETED_AT_ONCE = 100;

export type WebhookPlatform = 'shopify' | 'woocommerce';

/** A delivery that has been received and not applied. */
export interface WaitingDelivery {
  readonly key: number;
  readonly shopKey: number;
  readonly platform: WebhookPlatform;
  readonly topic: string;
  readonly receivedAt: number;
  readonly body: string;
}

export function saveWebhookSecret(
  shopKey: number,
  secret: string | null,
  nowMs: number,
): Statement {
  if (secret === null)
    return { sql: 'DELETE FROM webhook_secrets WHERE shop_key = ?', args: [shopKey] };
  return {
    sql: `INSERT INTO webhook_secrets (shop_key, secret, set_at) VALUES (?, ?, ?)
          ON CONFLICT (shop_key) DO UPDATE SET secret = excluded.secret, set_at = excluded.set_at`,
    args: [shopKey, secret, nowMs],
  };
}

/** The secrets with which shop systems of one organization or of all sign their webhooks, by shop key. */
export async function findWebhookSecrets(
  db: Database,
  organizationKey?: number,
): Promise<Map<number, string>> {
  const isAsked = 'WHERE shop_key IN (SELECT key FROM shops WHERE organization_key = ?)';
  const rows = await db.all<{ shopKey: number; secret: string }>({
    sql: `SELECT shop_key AS shopKey, secret FROM webhook_secrets
          ${organizationKey === undefined ? '' : isAsked}`,
    args: organizationKey === undefined ? [] : [organizationKey],
  });
  return new Map(rows.map(({ shopKey, secret }) => [shopKey, secret]));
}

/**
 * Stores a delivery, and deletes some from before `since`. The first statement affects no row if the
 * shop has received this delivery before.
 */
export function insertDelivery(
  delivery: Omit<WaitingDelivery, 'key'> & { readonly deliveryId: string },
  since: number,
): Statement[] {
  const { shopKey, platform, deliveryId, topic, receivedAt, body } = delivery;
  return [
    {
      sql: `INSERT INTO webhook_deliveries (shop_key, platform, delivery_id, topic, received_at, body)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (shop_key, delivery_id) DO NOTHING`,
      args: [shopKey, platform, deliveryId, topic, receivedAt, body],
    },
    {
      sql: `DELETE FROM webhook_deliveries WHERE key IN
              (SELECT key FROM webhook_deliveries WHERE received_at < ? AND body IS NULL LIMIT ?)`,
      args: [since, DELETED_AT_ONCE],
    },
  ];
}

/** The deliveries that arrived first and have not been applied. */
export async function findWaitingDeliveries(
  db: Database,
  limit: number,
): Promise<readonly WaitingDelivery[]> {
  return db.poll({
    sql: `SELECT key, shop_key AS shopKey, platform, topic, received_at AS receivedAt, body
          FROM webhook_deliveries WHERE body IS NOT NULL ORDER BY key LIMIT ?`,
    args: [limit],
  });
}

/** Marks a delivery as done, and forgets its body. */
export function finishDelivery(key: number, outcome: string): Statement {
  return {
    sql: 'UPDATE webhook_deliveries SET body = NULL, outcome = ? WHERE key = ?',
    args: [outcome, key],
  };
}

/** The newest state of a resource that a webhook brought; null if none did. */
export async function findWebhookState(
  db: Database,
  shopKey: number,
  resource: string,
): Promise<{ changedAt: number; isDeleted: boolean } | null> {
  const [row] = await db.all<{ changedAt: number; isDeleted: number }>({
    sql: `SELECT changed_at AS changedAt, is_deleted AS isDeleted FROM webhook_states
          WHERE shop_key = ? AND resource = ?`,
    args: [shopKey, resource],
  });
  return row === undefined ? null : { ...row, isDeleted: row.isDeleted === 1 };
}

export function saveWebhookState(
  shopKey: number,
  resource: string,
  { changedAt, isDeleted }: { changedAt: number; isDeleted: boolean },
): Statement {
  return {
    sql: `INSERT INTO webhook_states (shop_key, resource, changed_at, is_deleted) VALUES (?, ?, ?, ?)
          ON CONFLICT (shop_key, resource) DO UPDATE SET changed_at = excluded.changed_at,
            is_deleted = excluded.is_deleted`,
    args: [shopKey, resource, changedAt, isDeleted ? 1 : 0],
  };
}

/** The variant that a shop system counts under an id of its own. */
export interface StockItem {
  readonly stockItem: string;
  readonly externalId: string;
  readonly variantId: string;
  /** Whether it is still sold when there is none of it. */
  readonly isBackordered: boolean;
}

export function saveStockItems(shopKey: number, items: readonly StockItem[]): Statement {
  const rows = items.map(({ stockItem, externalId, variantId, isBackordered }) => [
    ...[stockItem, externalId, variantId, isBackordered ? 1 : 0],
  ]);
  return {
    sql: `INSERT INTO stock_items (shop_key, stock_item, external_id, variant_id, is_backordered)
          SELECT ?, value->>0, value->>1, value->>2, value->>3 FROM json_each(?) WHERE true
          ON CONFLICT (shop_key, stock_item) DO UPDATE SET external_id = excluded.external_id,
            variant_id = excluded.variant_id, is_backordered = excluded.is_backordered`,
    args: [shopKey, JSON.stringify(rows)],
  };
}

export async function findStockItem(
  db: Database,
  shopKey: number,
  stockItem: string,
): Promise<StockItem | null> {
  const [row] = await db.all<Omit<StockItem, 'isBackordered'> & { isBackordered: number }>({
    sql: `SELECT stock_item AS stockItem, external_id AS externalId, variant_id AS variantId,
                 is_backordered AS isBackordered
          FROM stock_items WHERE shop_key = ? AND stock_item = ?`,
    args: [shopKey, stockItem],
  });
  return row === undefined ? null : { ...row, isBackordered: row.isBackordered === 1 };
}

/** How many of a stock item there are at a location; `available` is null if it is not kept there. */
export interface StockLevel {
  readonly location: string;
  readonly available: number | null;
  readonly changedAt: number;
}

export async function findStockLevels(
  db: Database,
  shopKey: number,
  stockItem: string,
): Promise<StockLevel[]> {
  return db.all({
    sql: `SELECT location, available, changed_at AS changedAt FROM stock_levels
          WHERE shop_key = ? AND stock_item = ? ORDER BY location`,
    args: [shopKey, stockItem],
  });
}

export function saveStockLevel(
  shopKey: number,
  stockItem: string,
  { location, available, changedAt }: StockLevel,
): Statement {
  return {
    sql: `INSERT INTO stock_levels (shop_key, stock_item, location, available, changed_at)
          VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (shop_key, stock_item, location) DO UPDATE SET available = excluded.available,
            changed_at = excluded.changed_at`,
    args: [shopKey, stockItem, location, available, changedAt],
  };
}
