import { desc, eq, isNull, or } from 'drizzle-orm';
import type { Database } from './engine/database.ts';
import { auditLog } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';

/** An operator's action. `details` never contain a secret. */
export interface AuditEntry {
  readonly at: number;
  readonly organizationId: string | null;
  /** `key.created`, `import.committed`, … */
  readonly event: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Belongs in the same transaction as the change that it records. */
export function insertAuditEntry(db: Database, entry: AuditEntry): Statement {
  return statement(
    db.orm.insert(auditLog).values({ ...entry, details: JSON.stringify(entry.details) }),
  );
}

/** The latest entries of an organization and of the service as a whole, newest first. */
export async function findAuditEntries(
  db: Database,
  organizationId: string,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await db.find(
    db.orm
      .select()
      .from(auditLog)
      .where(or(eq(auditLog.organizationId, organizationId), isNull(auditLog.organizationId)))
      .orderBy(desc(auditLog.key))
      .limit(limit),
  );
  // Damaged details are shown as they are stored: what happened and when is still true.
  return rows.map(({ key: _, details, ...row }) => ({
    ...row,
    details: db.parse<AuditEntry['details']>(details) ?? { damaged: details },
  }));
}

/** When this event last happened; null if never. */
export async function findLastEventAt(db: Database, event: string): Promise<number | null> {
  const [row] = await db.find(
    db.orm
      .select({ at: auditLog.at })
      .from(auditLog)
      .where(eq(auditLog.event, event))
      .orderBy(desc(auditLog.key))
      .limit(1),
  );
  return row?.at ?? null;
}

/** The time of the latest recorded event: an operator's action, an import or the use of a key. */
export async function findLastWriteAt(db: Database): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>({
    sql: `SELECT max(at) AS at FROM (
            SELECT max(at) AS at FROM audit_log
            UNION ALL SELECT max(coalesce(finished_at, started_at)) FROM imports
            UNION ALL SELECT max(last_used_at) FROM api_keys)`,
    args: [],
  });
  return row!.at;
}

/** A key as it was created. */
export interface CreatedKey {
  readonly id: string;
  readonly organizationId: string;
  /** A JSON list; null in entries that do not name them. */
  readonly scopes: string | null;
}

/** What was recorded of the creation of every key. */
export async function findCreatedKeys(db: Database): Promise<CreatedKey[]> {
  return db.all<CreatedKey>({
    sql: `SELECT details->>'id' AS id, organization_id AS organizationId, details->>'scopes' AS scopes
          FROM audit_log WHERE event IN ('key.created', 'key.rotated') AND json_valid(details)
          ORDER BY key`,
    args: [],
  });
}
