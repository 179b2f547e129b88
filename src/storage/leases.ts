import type { Database } from './engine/database.ts';
import { SERVER_NOW } from './engine/server-clock.ts';
import type { Statement } from './engine/statement.ts';

/** Held while an import stages and publishes a catalogue. */
export const IMPORT_LEASE = 'import';

export interface LeaseClaim {
  readonly name: string;
  /** The instance that claims the lease. */
  readonly owner: string;
  readonly durationMs: number;
}

/**
 * Takes or renews a lease. Returns a row if and only if it was granted: it was free, had expired,
 * or already belonged to the owner.
 */
export function takeLease({ name, owner, durationMs }: LeaseClaim): Statement {
  return {
    sql: `INSERT INTO leases (name, owner, until) VALUES (?1, ?2, ${SERVER_NOW} + ?3)
          ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
          WHERE owner = excluded.owner OR until <= ${SERVER_NOW}
          RETURNING name`,
    args: [name, owner, durationMs],
  };
}

/** Whether any instance holds the lease. */
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
 * Makes its transaction fail unless this instance still holds the lease, so that an instance whose
 * lease expired while it was suspended cannot overwrite newer work. Empty if there are no other
 * instances.
 */
export function fence({ instance }: Pick<Database, 'instance'>, name: string): Statement[] {
  if (instance === null) return [];
  return [
    {
      // A NULL owner violates the table's constraint, which fails the transaction.
      sql: `INSERT INTO leases (name, owner, until) SELECT ?1, NULL, 0
            WHERE NOT EXISTS (SELECT 1 FROM leases WHERE name = ?1 AND owner = ?2)`,
      args: [name, instance],
    },
  ];
}
