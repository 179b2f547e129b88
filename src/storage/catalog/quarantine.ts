import { eq } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { catalogSources, hits, quarantine } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';
import type { RowKind } from './row-checksums.ts';

/** A damaged record, as it was stored. */
export interface DamagedRecord {
  /** `vector`: an item of which only a vector is damaged, which needs no quarantine. */
  readonly kind: (typeof quarantine.$inferSelect)['kind'] | 'vector';
  readonly key: number;
  readonly organizationKey: number;
  /** The shop of an item; null for a hit. */
  readonly shopKey: number | null;
  /** The identifier that an operator knows it by. */
  readonly record: string;
  readonly reason: string;
  readonly content: Uint8Array;
  /** The row that its checksum does not match; null if something else is damaged. */
  readonly row: { readonly kind: RowKind; readonly key: number; readonly text: string } | null;
}

/** An item with the bytes of its body. */
export interface StoredBytes {
  readonly key: number;
  readonly organizationKey: number;
  readonly shopKey: number;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: ArrayBuffer;
}

/** The next versions of items after `after`, in key order, including invisible ones. */
export async function findItemBytes(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<StoredBytes[]> {
  return db.all({
    sql: `SELECT key, organization_key AS organizationKey, shop_key AS shopKey, external_id AS externalId,
            content_hash AS contentHash, CAST(body AS BLOB) AS content
          FROM items WHERE key > ? ORDER BY key LIMIT ?`,
    args: [after, limit],
  });
}

/** Passages of contexts with document keys above `after`, each with the body of its context. */
export async function findPassageBytes(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<(StoredBytes & { readonly documentKey: number; readonly passage: string })[]> {
  return db.all({
    sql: `SELECT d.key AS documentKey, d.passage AS passage, i.key AS key, i.organization_key AS organizationKey,
            i.shop_key AS shopKey, i.external_id AS externalId, i.content_hash AS contentHash,
            CAST(i.body AS BLOB) AS content
          FROM documents d CROSS JOIN items i ON i.key = d.item_key
          WHERE d.key > ? AND d.passage IS NOT NULL ORDER BY d.key LIMIT ?`,
    args: [after, limit],
  });
}

/** Moves a damaged item to quarantine and makes the next fetch of its shop's sources a full one. */
export function quarantineItem(db: Database, damaged: DamagedRecord, foundAt: number): Statement[] {
  const { key, organizationKey, shopKey } = damaged;
  return [
    insert(db, damaged, foundAt),
    { sql: 'DELETE FROM documents WHERE item_key = ?', args: [key] },
    {
      sql: 'DELETE FROM item_references WHERE organization_key = ? AND item_key = ?',
      args: [organizationKey, key],
    },
    // A delete trigger parses the body and fails if it is not JSON.
    { sql: "UPDATE items SET body = '{}' WHERE key = ?", args: [key] },
    { sql: 'DELETE FROM items WHERE key = ?', args: [key] },
    { sql: 'UPDATE shops SET revision = revision + 1 WHERE key = ?', args: [shopKey] },
    statement(
      db.orm
        .update(catalogSources)
        .set({ etag: null, lastModified: null })
        .where(eq(catalogSources.shopKey, shopKey!)),
    ),
  ];
}

/** Moves a damaged hit to quarantine. The roll-ups still count it. */
export function quarantineHit(db: Database, damaged: DamagedRecord, foundAt: number): Statement[] {
  return [
    insert(db, damaged, foundAt),
    statement(db.orm.delete(hits).where(eq(hits.key, damaged.key))),
  ];
}

function insert(db: Database, damaged: DamagedRecord, foundAt: number): Statement {
  const { organizationKey, record, reason } = damaged;
  const kind = damaged.kind === 'hit' ? 'hit' : 'item';
  const content = Buffer.from(damaged.content);
  const row = { kind, organizationKey, record, reason, foundAt, content } as const;
  return statement(db.orm.insert(quarantine).values(row));
}

/** Hits with keys above `after`, at most `span` further, whose body may be damaged. */
export async function findSuspectHits(
  db: Database,
  { after, span }: { after: number; span: number },
): Promise<{ key: number; organizationKey: number; isJson: 0 | 1; content: ArrayBuffer }[]> {
  return db.all({
    // The expression finds U+FFFD both in place of invalid UTF-8 and where the text itself contains
    // it.
    sql: `SELECT key, organization_key AS organizationKey, json_valid(body) AS isJson,
            CAST(body AS BLOB) AS content FROM hits
          WHERE key > ? AND key <= ? AND (NOT json_valid(body) OR body REGEXP ?) ORDER BY key`,
    args: [after, after + span, '[\u{fffd}]'],
  });
}

export type QuarantinedRecord = Pick<
  DamagedRecord,
  'kind' | 'organizationKey' | 'record' | 'reason'
>;

/** The number of records in quarantine, and the latest ones. */
export async function findQuarantined(
  db: Database,
): Promise<{ count: number; latest: QuarantinedRecord | null }> {
  const rows = await db.all<QuarantinedRecord & { count: number }>({
    sql: `SELECT organization_key AS organizationKey, kind, record, reason,
            count(*) OVER () AS count
          FROM quarantine ORDER BY key DESC LIMIT 1`,
    args: [],
  });
  return { count: rows[0]?.count ?? 0, latest: rows[0] ?? null };
}
