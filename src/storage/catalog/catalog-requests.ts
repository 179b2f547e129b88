import { and, eq, gt, lte } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { catalogRequests } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';

/** Expired requests that are deleted with each new one, so that none pile up. */
const DELETED_AT_ONCE = 100;

/** The answer to a request with an Idempotency-Key that changed a catalogue. */
export interface CatalogRequest {
  readonly organizationKey: number;
  readonly idempotencyKey: string;
  /** SHA-256 of method, path and body, hex. */
  readonly requestHash: string;
  readonly createdAt: number;
  readonly status: number;
  readonly answer: string;
}

/**
 * Stores a request, in the transaction that it makes, and deletes some from before `since`. The
 * transaction fails if the key was used since then.
 */
export function insertCatalogRequest(
  db: Database,
  request: CatalogRequest,
  since: number,
): Statement[] {
  return [
    statement(
      db.orm
        .delete(catalogRequests)
        .where(and(isNamed(request), lte(catalogRequests.createdAt, since))),
    ),
    {
      sql: `DELETE FROM catalog_requests WHERE (organization_key, idempotency_key) IN
              (SELECT organization_key, idempotency_key FROM catalog_requests WHERE created_at <= ? LIMIT ?)`,
      args: [since, DELETED_AT_ONCE],
    },
    statement(db.orm.insert(catalogRequests).values(request)),
  ];
}

/** The request with this key, if stored after `since`; else null. */
export async function findCatalogRequest(
  db: Database,
  key: Pick<CatalogRequest, 'organizationKey' | 'idempotencyKey'>,
  since: number,
): Promise<CatalogRequest | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(catalogRequests)
      .where(and(isNamed(key), gt(catalogRequests.createdAt, since))),
  );
  return row ?? null;
}

function isNamed({
  organizationKey,
  idempotencyKey,
}: Pick<CatalogRequest, 'organizationKey' | 'idempotencyKey'>) {
  return and(
    eq(catalogRequests.organizationKey, organizationKey),
    eq(catalogRequests.idempotencyKey, idempotencyKey),
  );
}
