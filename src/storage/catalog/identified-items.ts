import { catalogItemId } from '../../domain/ids.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Database } from '../engine/database.ts';
import { VISIBLE } from './offerings.ts';

/** An item that an external id means. */
export interface IdentifiedItem {
  readonly externalId: string;
  readonly id: string;
  /** Its first document, while searches can find it; else null. */
  readonly documentKey: number | null;
  /** Null together with `documentKey`. */
  readonly type: 'product' | 'context' | null;
}

/** The items that these external ids mean in a shop, in no particular order, found or not. */
export async function findIdentifiedItems(
  db: Database,
  shop: Pick<Shop, 'key' | 'id'>,
  externalIds: readonly string[],
): Promise<IdentifiedItem[]> {
  const named = externalIds.map((externalId) => [externalId, catalogItemId(shop.id, externalId)]);
  return db.all<IdentifiedItem>({
    sql: `WITH named AS (
            SELECT j.value ->> 0 AS external_id, coalesce(a.id, j.value ->> 1) AS id
            FROM json_each(?) j
            LEFT JOIN item_identities a ON a.shop_key = ? AND a.external_id = j.value ->> 0)
          SELECT n.external_id AS externalId, n.id AS id, min(d.key) AS documentKey, d.type AS type
          FROM named n
          CROSS JOIN shops s ON s.key = ?
          LEFT JOIN item_ids v ON v.shop_key = s.key AND v.id = n.id
          LEFT JOIN items i ON i.key = v.item_key AND i.id = v.id
            AND i.first_generation = v.first_generation AND ${VISIBLE}
          LEFT JOIN documents d ON d.item_key = i.key
          GROUP BY n.external_id`,
    args: [JSON.stringify(named), shop.key, shop.key],
  });
}
