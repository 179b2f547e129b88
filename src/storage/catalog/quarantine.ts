import { eq } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { catalogSources, hits, quarantine } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';
import { unindexDocumentsOf } from './word-index.ts';

/** A record as it was found damaged. */
export interface DamagedRecord {
  readonly kind: (typeof quarantine.$inferSelect)['kind'];
  readonly key: number;
  readonly organizationKey: number;
  /** Of an item; null for a hit. */
  readonly shopKey: number | null;
  /** What an operator knows it by. */
  readonly record: string;
  readonly reason: string;
  readonly content: Uint8Array;
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

/** The next versions of items behind `after`, by key, those included that nobody sees. */
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

/** Passages of contexts with keys of documents behind `after`, each with the body it was cut from. */
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

/** Takes a damaged item out of the catalogue, and has what it was fetched from be read in full the next time. */
export function quarantineItem(db: Database, damaged: DamagedRecord, foundAt: number): Statement[] {
  const { key, organizationKey, shopKey } = damaged;
  return [
    insert(db, damaged, foundAt),
    unindexDocumentsOf(organizationKey, key),
    { sql: 'DELETE FROM documents WHERE item_key = ?', args: [key] },
    {
      sql: 'DELETE FROM item_references WHERE organization_key = ? AND item_key = ?',
      args: [organizationKey, key],
    },
    // A trigger reads the body of what is deleted, and fails at one that is no JSON.
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

/** Takes out a damaged hit. What it was counted as stays. */
export function quarantineHit(db: Database, damaged: DamagedRecord, foundAt: number): Statement[] {
  return [
    insert(db, damaged, foundAt),
    statement(db.orm.delete(hits).where(eq(hits.key, damaged.key))),
  ];
}

function insert(
  db: Database,
  { key: _, shopKey: __, content, ...record }: DamagedRecord,
  foundAt: number,
): Statement {
  const row = { ...record, foundAt, content: Buffer.from(content) };
  return statement(db.orm.insert(quarantine).values(row));
}

/** Hits with keys above `after`, at most `span` further, whose body may be damaged. */
export async function findSuspectHits(
  db: Database,
  { after, span }: { after: number; span: number },
): Promise<{ key: number; organizationKey: number; isJson: 0 | 1; content: ArrayBuffer }[]> {
  return db.all({
    // The expression sees U+FFFD in whatever is no UTF-8, and where it was stored as such.
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

/** What is in quarantine: how many records, and the latest of them. */
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
