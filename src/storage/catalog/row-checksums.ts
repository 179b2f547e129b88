import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';

/**
 * The columns that each checksum covers. `items.body` has a digest of its own, `content_hash`. A
 * migration that adds a column to either table deletes the checksums, so that rows get new ones.
 */
export const CHECKED_COLUMNS = {
  item: [
    ...['key', 'organization_key', 'shop_key', 'id', 'external_id', 'type', 'slug', 'format'],
    ...[
      'content_hash',
      'first_generation',
      'last_generation',
      'updated_at',
      'availability',
      'pushed',
    ],
  ],
  document: [
    ...['key', 'item_key', 'organization_key', 'shop_key', 'type', 'first_generation'],
    ...['last_generation', 'passage', 'text_hash'],
  ],
  vector: ['model_key', 'vector'],
} as const;

export type RowKind = keyof typeof CHECKED_COLUMNS;

const TABLES = { item: 'items', document: 'documents', vector: 'documents' } as const;

/** SQL for everything that a checksum covers as one text, which tells types apart. */
function textOf(kind: RowKind): string {
  return CHECKED_COLUMNS[kind].map((column) => `quote(t.${column})`).join(" || ',' || ");
}

/** A row as its checksum covers it. */
export interface CheckedRow {
  readonly key: number;
  readonly text: string;
  /** Null if the row has changed since the last examination, or has never been examined. */
  readonly checksum: number | null;
}

/** The next rows after `after`, in key order. Documents without a vector have no row of that kind. */
export async function findCheckedRows(
  db: Database,
  kind: RowKind,
  { after, limit }: { after: number; limit: number },
): Promise<CheckedRow[]> {
  return db.all({
    sql: `SELECT t.key AS key, ${textOf(kind)} AS text, c.checksum AS checksum
          FROM ${TABLES[kind]} t LEFT JOIN row_checksums c ON c.kind = ? AND c.key = t.key
          WHERE t.key > ? ${kind === 'vector' ? 'AND t.vector IS NOT NULL' : ''} ORDER BY t.key LIMIT ?`,
    args: [kind, after, limit],
  });
}

/** Stores the checksums of rows that still are what was read. */
export function saveChecksums(
  kind: RowKind,
  rows: readonly { readonly key: number; readonly text: string; readonly checksum: number }[],
): Statement {
  const values = rows.map(({ key, text, checksum }) => [key, text, checksum]);
  return {
    sql: `INSERT OR IGNORE INTO row_checksums (kind, key, checksum)
          SELECT ?1, t.key, j.value->>2 FROM json_each(?2) j JOIN ${TABLES[kind]} t ON t.key = j.value->>0
          WHERE ${textOf(kind)} = j.value->>1`,
    args: [kind, JSON.stringify(values)],
  };
}

/** Whom a damaged row belongs to. */
export interface RowOwner {
  readonly itemKey: number;
  readonly organizationKey: number;
  readonly shopKey: number;
}

/**
 * Whom a row belongs to, of which any column may be wrong: the shop that most of the keys agree on that
 * the item and its documents name. Null if its item is gone.
 */
export async function findOwner(
  db: Database,
  kind: RowKind,
  key: number,
): Promise<RowOwner | null> {
  const itemKey = kind === 'item' ? '?1' : '(SELECT item_key FROM documents WHERE key = ?1)';
  const [owner] = await db.all<RowOwner>({
    sql: `WITH named AS (
            SELECT key AS itemKey, organization_key, shop_key FROM items WHERE key = ${itemKey}
            UNION ALL
            SELECT item_key, organization_key, shop_key FROM documents WHERE item_key = ${itemKey})
          SELECT n.itemKey AS itemKey, s.organization_key AS organizationKey, s.key AS shopKey
          FROM named n CROSS JOIN shops s
          WHERE EXISTS (SELECT 1 FROM items WHERE key = n.itemKey)
          GROUP BY s.key ORDER BY sum((s.key = n.shop_key) + (s.organization_key = n.organization_key)) DESC, s.key
          LIMIT 1`,
    args: [key],
  });
  return owner ?? null;
}

/** Removes the vector of a document, which is then computed again. */
export function forgetVector(documentKey: number): Statement {
  return {
    sql: 'UPDATE documents SET model_key = NULL, vector = NULL WHERE key = ?',
    args: [documentKey],
  };
}

/** Documents without a vector that are counted: counting a million takes a second. */
const COUNTED_MAX = 1000;

/**
 * A text that changes as vectors are added: with each of the last thousand, and before that as long
 * as they are added in the order of the documents.
 */
export async function findVectorProgress(db: Database): Promise<string> {
  const [row] = await db.all<{ first: number | null; count: number }>({
    sql: `SELECT min(key) AS first, count(*) AS count
          FROM (SELECT key FROM documents WHERE vector IS NULL ORDER BY key LIMIT ?)`,
    args: [COUNTED_MAX],
  });
  return `${row!.first} ${row!.count}`;
}
