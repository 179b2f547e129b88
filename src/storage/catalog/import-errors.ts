import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';

/** Imports of a shop whose errors files are kept: the latest ones. */
const KEPT_IMPORTS = 10;

export function insertImportErrors(importId: string, part: number, text: string): Statement {
  return {
    sql: 'INSERT INTO import_errors (import_id, part, text) VALUES (?, ?, ?)',
    args: [importId, part, text],
  };
}

/** Deletes the errors files of all but the shop's latest imports. */
export function deleteOldImportErrors(shopKey: number): Statement {
  return {
    sql: `DELETE FROM import_errors WHERE import_id IN
            (SELECT id FROM imports WHERE shop_key = ? ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?)`,
    args: [shopKey, KEPT_IMPORTS],
  };
}

/** One part of an import's errors file, from 0; null after the last. */
export async function findImportErrors(
  db: Database,
  importId: string,
  part: number,
): Promise<string | null> {
  const [row] = await db.all<{ text: string }>({
    sql: 'SELECT text FROM import_errors WHERE import_id = ? AND part = ?',
    args: [importId, part],
  });
  return row?.text ?? null;
}
