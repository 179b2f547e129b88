import type { Database } from './engine/database.ts';
import { SERVER_NOW } from './engine/server-clock.ts';
import type { Statement } from './engine/statement.ts';

/** Of whoever writes a catalogue where nobody sees it, and then shows it. */
export const IMPORT_LEASE = 'import';

export interface LeaseClaim {
  readonly name: string;
  /** The instance that asks. */
  readonly owner: string;
  readonly durationMs: number;
}

/** Takes or prolongs a lease. Returns a row exactly when it is had: it was free, run out, or the owner's already. */
export function takeLease({ name, owner, durationMs }: LeaseClaim): Statement {
  return {
    sql: `INSERT INTO leases (name, owner, until) VALUES (?1, ?2, ${SERVER_NOW} + ?3)
          ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
          WHERE owner = excluded.owner OR until <= ${SERVER_NOW}
          RETURNING name`,
    args: [name, owner, durationMs],
  };
}

/** Whether any instance has it. */
export async function isLeased(db: Database, name: string): Promise<boolean> {
  const rows = await db.all({
    sql: `SELECT name FROM leases WHERE name = ? AND until > ${SERVER_NOW}`,
    args: [name],
  });
  return rows.length > 0;
}

export function releaseLease({ name, owner }: Omit<LeaseClaim, 'durationMs'>): Statement {
  return { sql: 'DELETE FROM leases WHERE name = ? AND owner = ?', args: [name, owner] };
}

/**
 * Makes the transaction it stands in fail unless the lease is still this instance's, so that one that
 * slept through its lease undoes nothing. Empty where there are no other instances.
 */
export function fence({ instance }: Pick<Database, 'instance'>, name: string): Statement[] {
  if (instance === null) return [];
  return [
    {
      // An owner of NULL is against the table's rules.
      sql: `INSERT INTO leases (name, owner, until) SELECT ?1, NULL, 0
            WHERE NOT EXISTS (SELECT 1 FROM leases WHERE name = ?1 AND owner = ?2)`,
      args: [name, instance],
    },
  ];
}
