import type { CatalogItem, Context, Offering } from '../../domain/catalog.ts';
import { readPage } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import { versionsById } from './item-ids.ts';

/** A stored offering. */
export interface StoredOffering {
  readonly id: string;
  readonly shopKey: number;
  readonly offering: Offering;
}

/** An offering with the variant that a reference names. */
export interface ReferencedOffering extends StoredOffering {
  /** Null: the reference names the offering as a whole. */
  readonly variantId: string | null;
}

interface Row {
  readonly id: string;
  readonly shopKey: number;
  readonly body: string;
}

/** SQL condition on `items i` and `shops s`: the item is visible now. */
export const VISIBLE = `i.first_generation <= s.generation
  AND (i.last_generation IS NULL OR i.last_generation >= s.generation)`;

/** The organization's offering or context with this id; null if there is none, or it is damaged. */
export async function findItemById(
  db: Database,
  organizationKey: number,
  id: string,
): Promise<{ id: string; shopKey: number; item: CatalogItem } | null> {
  const [row] = await db.all<Row>({
    sql: `SELECT i.id AS id, i.shop_key AS shopKey, i.body AS body
          FROM shops s CROSS JOIN ${versionsById('s.key', '?')}
          WHERE s.organization_key = ? AND ${VISIBLE} ORDER BY i.key LIMIT 1`,
    args: [id.toLowerCase(), organizationKey],
  });
  const item = row && db.parse<CatalogItem>(row.body);
  return item ? { id: row.id, shopKey: row.shopKey, item } : null;
}

/** The organization's visible items with these ids; ids of no item are left out. */
export async function findItemsById(
  db: Database,
  organizationKey: number,
  ids: readonly string[],
): Promise<Map<string, CatalogItem>> {
  const rows = await db.all<Row>({
    sql: `SELECT i.id AS id, i.shop_key AS shopKey, i.body AS body
          FROM json_each(?) j CROSS JOIN shops s ON s.organization_key = ?
          CROSS JOIN ${versionsById('s.key', 'j.value')} WHERE ${VISIBLE}`,
    args: [JSON.stringify(ids), organizationKey],
  });
  return new Map(
    rows.flatMap(({ id, body }) => {
      const item = db.parse<CatalogItem>(body);
      return item === null ? [] : [[id, item] as const];
    }),
  );
}

/**
 * The organization's offering that a reference names. Tries external id, then variant id, SKU, slug
 * and public URL, each in the case given before any other case. Null if none matches, or the one that
 * does is damaged.
 */
export async function findOfferingByReference(
  db: Database,
  organizationKey: number,
  names: readonly string[],
): Promise<ReferencedOffering | null> {
  const [row] = await db.all<Row & { variantId: string }>({
    sql: `SELECT i.id AS id, i.shop_key AS shopKey, i.body AS body, r.variant_id AS variantId
          FROM json_each(?) j
          CROSS JOIN item_references r ON r.organization_key = ? AND r.reference = j.value
          CROSS JOIN items i ON i.key = r.item_key
          CROSS JOIN shops s ON s.key = i.shop_key
          WHERE ${VISIBLE}
          ORDER BY j.key, r.kind, r.reference = j.value COLLATE BINARY DESC, i.key, r.variant_id LIMIT 1`,
    args: [JSON.stringify(names), organizationKey],
  });
  const offering = row && db.parse<Offering>(row.body);
  if (!offering) return null;
  const { id, shopKey, variantId } = row;
  return { id, shopKey, offering, variantId: variantId === '' ? null : variantId };
}

/** The item id that an earlier external id still refers to, or null. */
export async function findAlias(
  db: Database,
  organizationKey: number,
  externalId: string,
): Promise<string | null> {
  const [row] = await db.all<{ id: string }>({
    sql: `SELECT a.id AS id FROM shops s CROSS JOIN item_identities a
          ON a.shop_key = s.key AND a.external_id = ? WHERE s.organization_key = ? ORDER BY s.key LIMIT 1`,
    args: [externalId, organizationKey],
  });
  return row?.id ?? null;
}

const AVAILABLE = `i.type = 'product' AND i.availability NOT IN ('out_of_stock', 'discontinued')`;

/**
 * The organization's available offerings with row keys above `after`, in key order; empty at the
 * end.
 */
export async function findAvailableOfferings(
  db: Database,
  organizationKey: number,
  { after, limit }: { after: number; limit: number },
): Promise<(StoredOffering & { readonly key: number })[]> {
  const { page } = await readPage(limit, (rows) =>
    db.all<Row & { key: number }>({
      sql: `SELECT i.key AS key, i.id AS id, i.shop_key AS shopKey, i.body AS body
            FROM items i CROSS JOIN shops s ON s.key = i.shop_key
            WHERE i.key > ? AND i.organization_key = ? AND ${AVAILABLE} AND ${VISIBLE}
            ORDER BY i.key LIMIT ?`,
      args: [after, organizationKey, rows],
    }),
  );
  return page.flatMap(({ body, ...row }) => {
    const offering = db.parse<Offering>(body);
    return offering === null ? [] : { ...row, offering };
  });
}

/** The number of the organization's visible offerings, and how many of them can be ordered. */
export async function countOfferings(
  db: Database,
  organizationKey: number,
): Promise<{ all: number; available: number }> {
  const [row] = await db.all<{ all: number; available: number }>({
    sql: `SELECT count(*) AS "all", coalesce(sum(${AVAILABLE}), 0) AS available
          FROM shops s CROSS JOIN items i ON i.shop_key = s.key AND i.type = 'product'
          WHERE s.organization_key = ? AND ${VISIBLE}`,
    args: [organizationKey],
  });
  return row!;
}

/** The organization's contexts with row keys above `after`, in key order. */
export async function findContexts(
  db: Database,
  organizationKey: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ key: number; id: string; context: Context }[]> {
  const found: { key: number; id: string; body: string }[] = [];
  for (;;) {
    const behind = found.at(-1)?.key ?? after;
    const read = await readPage(limit - found.length, (rows) =>
      db.all<{ key: number; id: string; body: string }>({
        sql: `SELECT i.key AS key, i.id AS id, i.body AS body FROM items i CROSS JOIN shops s ON s.key = i.shop_key
              WHERE i.organization_key = ? AND i.key > ? AND i.type = 'context' AND ${VISIBLE}
              ORDER BY i.key LIMIT ?`,
        args: [organizationKey, behind, rows],
      }),
    );
    found.push(...read.page);
    if (read.page.length < read.limit || found.length === limit) break;
  }
  return found.flatMap(({ key, id, body }) => {
    const context = db.parse<Context>(body);
    return context === null ? [] : { key, id, context };
  });
}

/**
 * Image URLs of the organization's offerings with row keys above `after` and of their variants, in key
 * order.
 */
export async function findImages(
  db: Database,
  organizationKey: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ key: number; images: readonly string[] }[]> {
  const rows = await db.all<{ key: number; images: string }>({
    sql: `SELECT i.key AS key, iif(json_valid(i.body),
            (SELECT json_group_array(image) FILTER (WHERE image IS NOT NULL) FROM (
              SELECT i.body->>'image' AS image
              UNION SELECT value->>'image' FROM json_each(i.body, '$.variants'))), '[]') AS images
          FROM items i CROSS JOIN shops s ON s.key = i.shop_key
          WHERE i.organization_key = ? AND i.key > ? AND i.type = 'product' AND ${VISIBLE}
          ORDER BY i.key LIMIT ?`,
    args: [organizationKey, after, limit],
  });
  return rows.map(({ key, images }) => ({ key, images: db.parse<string[]>(images) ?? [] }));
}
