import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Hit } from '../domain/hit.ts';
import { networkOf } from '../domain/private-data.ts';
import { type Database, type Statement, statement } from './database.ts';
import { hitRequests, hits } from './schema.ts';

/** Columns of an insert in the order of its values. */
const COLUMNS: readonly (readonly [string, (hit: Hit) => unknown])[] = [
  ['id', ({ id }) => id],
  ['organization_key', ({ organizationKey }) => organizationKey],
  ['source', ({ source }) => source],
  ['created_at', ({ createdAt }) => createdAt],
  ['event_date', ({ eventDate }) => eventDate],
  ['day', ({ day }) => day],
  ['classification', ({ classification }) => classification],
  ['method', ({ method }) => method],
  ['path', ({ path }) => path],
  ['url', ({ url }) => url],
  ['user_agent', ({ userAgent }) => userAgent],
  ['client_ip', ({ clientIp }) => clientIp],
  ['bot_score', ({ botScore }) => botScore],
  ['verified_bot', ({ verifiedBot }) => verifiedBot],
  ['headers', ({ headers }) => headers],
  ['cf', ({ cf }) => cf],
  ['agent', ({ agent }) => agent],
  ['agent_kind', ({ agentKind }) => agentKind],
  ['is_verified', ({ isVerified }) => isVerified],
  ['page', ({ page }) => page],
  ['question', ({ question }) => question],
  ['result_count', ({ resultCount }) => resultCount],
  ['tool', ({ tool }) => tool],
  ['offering_id', ({ offeringId }) => offeringId],
  ['latency_ms', ({ latencyMs }) => latencyMs],
];

const INSERT = `INSERT INTO hits (${COLUMNS.map(([name]) => name).join(', ')})
  SELECT ${COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(?)`;

/** All of them in one statement, which is some ten times as fast as one each. */
export function insertHits(rows: readonly Hit[]): Statement {
  return {
    sql: INSERT,
    args: [JSON.stringify(rows.map((hit) => COLUMNS.map(([, read]) => read(hit))))],
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
  const [row] = await db.orm
    .select()
    .from(hitRequests)
    .where(
      and(
        eq(hitRequests.organizationKey, organizationKey),
        eq(hitRequests.idempotencyKey, idempotencyKey),
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
            AND key <= (SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'hits_rolled_up_to')`,
      args: [before, limit],
    },
  ]);
  return result!.rowsAffected;
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

/** One hit as a follower sees it; `cursor` is where to go on. */
export interface RecentHit {
  readonly cursor: number;
  readonly id: string;
  readonly createdAt: number;
  readonly eventDate: string;
  readonly source: 'client' | 'service';
  readonly classification: string;
  readonly agent: string;
  readonly agentKind: string;
  readonly isVerified: boolean;
  readonly page: string | null;
  readonly question: string | null;
  readonly resultCount: number | null;
  readonly tool: string | null;
  readonly latencyMs: number | null;
}

/** Hits of an organization behind `after`, oldest first; without it the latest ones. */
export async function findRecentHits(
  db: Database,
  organizationKey: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<RecentHit[]> {
  const ofOrganization = eq(hits.organizationKey, organizationKey);
  const rows = await db.orm
    .select({
      cursor: hits.key,
      id: hits.id,
      createdAt: hits.createdAt,
      eventDate: hits.eventDate,
      source: hits.source,
      classification: hits.classification,
      agent: hits.agent,
      agentKind: hits.agentKind,
      isVerified: hits.isVerified,
      page: hits.page,
      question: hits.question,
      resultCount: hits.resultCount,
      tool: hits.tool,
      latencyMs: hits.latencyMs,
    })
    .from(hits)
    .where(after === null ? ofOrganization : and(ofOrganization, gt(hits.key, after)))
    .orderBy(after === null ? sql`${hits.key} DESC` : asc(hits.key))
    .limit(limit);
  return after === null ? rows.reverse() : rows;
}
