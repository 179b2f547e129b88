import { eq } from 'drizzle-orm';
import type { CurationRule } from '../domain/curation.ts';
import type { Database } from './engine/database.ts';
import { shops } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';

/** Versions that a shop keeps, so that its latest changes can be taken back. */
const VERSIONS_KEPT = 50;

export interface ShopVersion {
  readonly shopKey: number;
  /** 0 before the first rule. */
  readonly version: number;
}

/** The rules of a shop's version; none before the first one, or if their text is damaged. */
export async function findRules(
  db: Database,
  { shopKey, version }: ShopVersion,
): Promise<readonly CurationRule[]> {
  const [row] = await db.all<{ rules: string }>({
    sql: 'SELECT rules FROM curations WHERE shop_key = ? AND version = ?',
    args: [shopKey, version],
  });
  return (row && db.parse<CurationRule[]>(row.rules)) ?? [];
}

/** The latest kept version before this one; null if there is none. */
export async function findFormerVersion(
  db: Database,
  { shopKey, version }: ShopVersion,
): Promise<number | null> {
  const [row] = await db.all<{ version: number | null }>({
    sql: 'SELECT max(version) AS version FROM curations WHERE shop_key = ? AND version < ?',
    args: [shopKey, version],
  });
  return row!.version;
}

/** Makes the rules the shop's next version. Versions are times, so that none is ever used again. */
export function saveRules(
  db: Database,
  { shopKey, version: former }: ShopVersion,
  { rules, changedAt }: { readonly rules: readonly CurationRule[]; readonly changedAt: number },
): Statement[] {
  const version = Math.max(former + 1, changedAt);
  return [
    // The state before the first rule, to which a shop can return.
    {
      sql: `INSERT INTO curations (shop_key, version, rules, changed_at) SELECT ?, 0, '[]', 0 WHERE ? = 0
            ON CONFLICT DO NOTHING`,
      args: [shopKey, former],
    },
    {
      sql: 'INSERT INTO curations (shop_key, version, rules, changed_at) VALUES (?, ?, ?, ?)',
      args: [shopKey, version, JSON.stringify(rules), changedAt],
    },
    {
      sql: `DELETE FROM curations WHERE shop_key = ? AND version <=
              (SELECT version FROM curations WHERE shop_key = ? ORDER BY version DESC LIMIT 1 OFFSET ?)`,
      args: [shopKey, shopKey, VERSIONS_KEPT],
    },
    showVersion(db, { shopKey, version }),
  ];
}

/** Returns to the version before this one. */
export function dropVersion(
  db: Database,
  { shopKey, version }: ShopVersion,
  former: number,
): Statement[] {
  return [
    showVersion(db, { shopKey, version: former }),
    {
      sql: 'DELETE FROM curations WHERE shop_key = ? AND version = ?',
      args: [shopKey, version],
    },
  ];
}

function showVersion(db: Database, { shopKey, version }: ShopVersion): Statement {
  return statement(
    db.orm.update(shops).set({ curationVersion: version }).where(eq(shops.key, shopKey)),
  );
}
