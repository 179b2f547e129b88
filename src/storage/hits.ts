import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Hit } from '../domain/hit.ts';
import { networkOf, redactApiKeys } from '../domain/private-data.ts';
import type { Database } from './engine/database.ts';
import { hitRequests, hits } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';
import { ROLLED_UP_TO } from './hit-rollups.ts';

/** All of them in one statement, which is twice as fast as one each. An API key in any of their texts is not kept. */
export function insertHits(rows: readonly Hit[]): Statement {
  const values = new Array<string>(rows.length).fill('(?, ?, ?, ?)').join(', ');
  return {
    sql: `INSERT INTO hits (organization_key, created_at, client_ip, body) VALUES ${values}`,
    args: rows.flatMap(({ organizationKey, createdAt, clientIp, ...body }) => [
      organizationKey,
      createdAt,
      clientIp,
      redactApiKeys(JSON.stringify(body)),
    ]),
  };
}

/** What was answered to a request that named an Idempotency-Key. */
export interface HitRequest {
  readonly organizationKey: number;
  readonly idempotencyKey: string;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  readonly createdAt: number;
  /** Of the hits it left, in their order. */
  readonly ids: readonly string[];
}

export function insertHitRequest(db: Database, request: HitRequest): Statement {
  return statement(db.orm.insert(hitRequests).values({ ...request, ids: request.ids.join(' ') }));
}

/** A request kept since `since`, or null. */
export async function findHitRequest(
  db: Database,
  { organizationKey, idempotencyKey }: Pick<HitRequest, 'organizationKey' | 'idempotencyKey'>,
): Promise<HitRequest | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(hitRequests)
      .where(
        and(
          eq(hitRequests.organizationKey, organizationKey),
          eq(hitRequests.idempotencyKey, idempotencyKey),
        ),
      ),
  );
  return row === undefined ? null : { ...row, ids: row.ids.split(' ').filter((id) => id !== '') };
}

export function deleteHitRequest(
  db: Database,
  { organizationKey, idempotencyKey }: Pick<HitRequest, 'organizationKey' | 'idempotencyKey'>,
): Statement {
  return statement(
    db.orm
      .delete(hitRequests)
      .where(
        and(
          eq(hitRequests.organizationKey, organizationKey),
          eq(hitRequests.idempotencyKey, idempotencyKey),
        ),
      ),
  );
}

/** Forgets at most `limit` requests of before `before`; returns how many those were. */
export async function deleteOldHitRequests(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const [result] = await db.write([
    {
      sql: `DELETE FROM hit_requests WHERE (organization_key, idempotency_key) IN
              (SELECT organization_key, idempotency_key FROM hit_requests
               WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      args: [before, limit],
    },
  ]);
  return result!.rowsAffected;
}

/** Hits that arrived before `before` go, at most `limit`, once they are rolled up; returns how many did. */
export async function deleteOldHits(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const [result] = await db.write([
    {
      sql: `DELETE FROM hits WHERE key IN
              (SELECT key FROM hits WHERE created_at < ? ORDER BY created_at LIMIT ?)
            AND key <= ${ROLLED_UP_TO}`,
      args: [before, limit],
    },
  ]);
  return result!.rowsAffected;
}

/** When the newest hit arrived; null without one. */
export async function findNewestHitAt(db: Database): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>({
    sql: 'SELECT max(created_at) AS at FROM hits',
    args: [],
  });
  return row!.at;
}

/** Leaves the network of addresses that arrived before `before`, at most `limit`; returns how many. */
export async function coarsenAddresses(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const rows = await db.all<{ key: number; client_ip: string }>({
    sql: `SELECT key, client_ip FROM hits
          WHERE client_ip IS NOT NULL AND instr(client_ip, '/') = 0 AND created_at < ?
          ORDER BY created_at LIMIT ?`,
    args: [before, limit],
  });
  if (rows.length === 0) return 0;
  const networks = rows.map(({ key, client_ip }) => [key, networkOf(client_ip)]);
  await db.write([
    {
      sql: `UPDATE hits SET client_ip = change.value ->> 1
            FROM json_each(?) AS change WHERE hits.key = change.value ->> 0`,
      args: [JSON.stringify(networks)],
    },
  ]);
  return rows.length;
}

/** One hit as a follower sees it, without the visitor's address. */
export interface RecentHit extends Omit<Hit, 'organizationKey' | 'clientIp'> {
  /** Where to go on. */
  readonly cursor: number;
}

/** Hits of an organization behind `after`, oldest first; without it the latest ones. */
export async function findRecentHits(
  db: Database,
  organizationKey: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<RecentHit[]> {
  const ofOrganization = eq(hits.organizationKey, organizationKey);
  const rows = await db.find(
    db.orm
      .select({ cursor: hits.key, createdAt: hits.createdAt, body: hits.body })
      .from(hits)
      .where(after === null ? ofOrganization : and(ofOrganization, gt(hits.key, after)))
      .orderBy(after === null ? desc(hits.key) : asc(hits.key))
      .limit(limit),
  );
  const found = rows.map(({ cursor, createdAt, body }) => ({
    cursor,
    ...(JSON.parse(body) as Omit<Hit, 'createdAt'>),
    createdAt,
  }));
  return after === null ? found.reverse() : found;
}
