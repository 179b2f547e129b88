import type { Shop } from '../../domain/organization.ts';
import type { Database } from '../engine/database.ts';

/** Fields that readers want and an offering may lack. */
export const GAPS = ['image', 'price', 'description', 'publicUrl', 'productType'] as const;
export type Gap = (typeof GAPS)[number];

export interface ItemWithGaps {
  readonly key: number;
  readonly id: string;
  readonly externalId: string;
  readonly name: string;
  readonly lacks: readonly Gap[];
}

/** SQL that is true if an offering `i` lacks the field. A price of zero counts as a price. */
const LACKS: Readonly<Record<Gap, string>> = {
  image: "i.body ->> '$.image' IS NULL",
  price: "i.body ->> '$.priceMinor' IS NULL",
  description: "coalesce(i.body ->> '$.description', '') = ''",
  publicUrl: "i.body ->> '$.publicUrl' IS NULL",
  productType: "i.body ->> '$.productType' IS NULL",
};

/**
 * The visible offerings of a shop that lack something, in key order, among the next `rows` versions of any
 * shop after `afterKey`; damaged ones are left out. `lastKey` is null at the end. The table is read slice by slice, so that
 * no statement blocks the event loop for long: by an index of shops, SQLite would sort the whole shop for each.
 */
export async function findGaps(
  db: Database,
  shop: Pick<Shop, 'key' | 'generation'>,
  { afterKey, rows }: { afterKey: number; rows: number },
): Promise<{ items: ItemWithGaps[]; lastKey: number | null }> {
  const found = await db.all<
    { key: number; id: string; externalId: string; name: string } & Record<Gap, number>
  >({
    sql: `SELECT i.key AS key, i.id AS id, i.external_id AS externalId, i.body ->> '$.name' AS name,
                 ${GAPS.map((gap) => `(i.type = 'product' AND ${LACKS[gap]}) AS ${gap}`).join(', ')}
          FROM (SELECT * FROM items NOT INDEXED WHERE key > ? ORDER BY key LIMIT ?) i
          WHERE i.shop_key = ? AND json_valid(i.body)
            AND i.first_generation <= ? AND (i.last_generation IS NULL OR i.last_generation >= ?)
          ORDER BY i.key`,
    args: [afterKey, rows, shop.key, shop.generation, shop.generation],
  });
  const [last] = await db.all<{ key: number | null }>({
    sql: `SELECT max(key) AS key FROM (SELECT key FROM items NOT INDEXED WHERE key > ? ORDER BY key LIMIT ?)`,
    args: [afterKey, rows],
  });
  const items = found
    .map(({ key, id, externalId, name, ...flags }) => ({
      key,
      id,
      externalId,
      name,
      lacks: GAPS.filter((gap) => flags[gap] === 1),
    }))
    .filter(({ lacks }) => lacks.length > 0);
  return { items, lastKey: last?.key ?? null };
}
