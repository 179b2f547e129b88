import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Hit } from '../domain/hit.ts';
import { networkOf, redactCredentials } from '../domain/private-data.ts';
import type { Database } from './engine/database.ts';
import { hitRequests, hits } from './engine/schema.ts';
import type { Statement } from './engine/statement.ts';
import { ROLLED_UP_TO } from './hit-rollups.ts';

/** A row of `hits`. */
export interface HitRow extends Pick<Hit, 'organizationKey' | 'createdAt' | 'clientIp'> {
  /** The other members as JSON, without API keys. */
  readonly body: string;
}

/**
 * Rows per statement: twice as fast as one each. A statement for any number of rows would rarely have been
 * prepared before, and preparing takes a third of its time.
 */
const ROWS_AT_ONCE = 32;

/** Inserts the hits in order; none for no hits. */
export function insertHits(hits: readonly Hit[]): Statement[] {
  return insertHitRows(hits.map(rowOf));
}

/** As `insertHits`. */
export function insertHitRows(rows: readonly HitRow[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    const args: (string | number | null)[] = [];
    for (const row of some) args.push(...valuesOf(row));
    statements.push({ sql: insertOf(some.length), args });
  }
  return statements;
}

/** The key of the last hit that a statement has inserted. */
export function lastKeyOf({ lastInsertRowid }: { lastInsertRowid?: bigint | undefined }): number {
  return Number(lastInsertRowid);
}

function insertOf(rowCount: number): string {
  const values = new Array<string>(rowCount).fill('(?, ?, ?, ?)').join(', ');
  return `INSERT INTO hits (organization_key, created_at, client_ip, body) VALUES ${values}`;
}

function valuesOf({ organizationKey, createdAt, clientIp, body }: HitRow) {
  return [organizationKey, createdAt, clientIp, body] as const;
}

/** The row of a hit. */
function rowOf(hit: Hit): HitRow {
  const { organizationKey, createdAt, clientIp } = hit;
  return { organizationKey, createdAt, clientIp, body: bodyOf(hit, COLUMNS) };
}

/** What differs between hits that are alike. */
export type Occurrence = Pick<Hit, 'id' | 'eventDate' | 'createdAt' | 'clientIp'> & {
  readonly latencyMs: number;
};

/** Makes rows of hits that differ from `hit` in what `Occurrence` holds and in nothing else. */
export function rowsAlike(hit: Hit): (occurrence: Occurrence) => HitRow {
  const { organizationKey } = hit;
  const start = bodyOf(hit, OF_OCCURRENCE).slice(0, -1);
  return ({ id, eventDate, createdAt, clientIp, latencyMs }) => {
    const end = `"id":"${id}","eventDate":"${eventDate}","latencyMs":${latencyMs}}`;
    return { organizationKey, createdAt, clientIp, body: `${start},${end}` };
  };
}

/** How bodies begin; older ones begin with another member. */
export const BODY_START = '{"agentKind":';

/** How the bodies of hits by agents of this kind begin. */
export function bodyStart(agentKind: string): string {
  return `${BODY_START}${JSON.stringify(agentKind)},`;
}

/**
 * The members of a hit that are not null, but for those `leftOut`, as JSON without API keys. The kind of agent is
 * the first, so that a reader of many hits need not parse those that it leaves out.
 */
function bodyOf(hit: Hit, leftOut: ReadonlySet<string>): string {
  const body: Record<string, unknown> = { agentKind: hit.agentKind };
  // `Object.entries` takes as long as to write the JSON.
  for (const name in hit) {
    const value = hit[name as keyof Hit];
    if (value !== null && !leftOut.has(name)) body[name] = value;
  }
  return redactCredentials(JSON.stringify(body));
}

/** Members that have a column of their own. */
const COLUMNS: ReadonlySet<string> = new Set(['organizationKey', 'createdAt', 'clientIp']);

const OF_OCCURRENCE: ReadonlySet<string> = new Set([
  ...COLUMNS,
  ...['id', 'eventDate', 'latencyMs'],
]);

/** What a hit's row holds as JSON. */
export type HitBody = Omit<Hit, 'organizationKey' | 'createdAt' | 'clientIp'>;

/** The members that a stored body leaves out where they are null: half of them in most hits. */
const LEFT_OUT = {
  ...{ method: null, path: null, url: null, userAgent: null, botScore: null, verifiedBot: null },
  ...{ headers: null, cf: null, tool: null, question: null, resultCount: null, isDoubtful: null },
  ...{ offeringId: null, latencyMs: null, page: null },
} satisfies Partial<HitBody>;

/** A stored body. Null if it is damaged. */
export function readBody(db: Database, text: string): HitBody | null {
  const body = db.parse<Omit<HitBody, keyof typeof LEFT_OUT>>(text);
  return body === null ? null : { ...LEFT_OUT, ...body };
}

/** The stored answer to a request with an Idempotency-Key. */
export interface HitRequest {
  readonly organizationKey: number;
  readonly idempotencyKey: string;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  readonly createdAt: number;
  /** The ids of the hits it inserted, in order. */
  readonly ids: readonly string[];
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly request: HitRequest;
  /** Earlier uses of the key count only if they are later than this. */
  readonly since: number;
}

/** A keyed request and the hits it inserts. */
export interface KeyedHits extends KeyedRequest {
  readonly hits: readonly Hit[];
}

/**
 * Inserts requests with their hits, except those whose key was used before. The last statement
 * returns a row with the `place` of each request that was skipped for that reason. So requests
 * share a commit, even if another instance used a key first.
 */
export function insertKeyedHits(keyed: readonly KeyedHits[]): Statement[] {
  const requests = keyed.map(({ request }) => [
    ...[request.organizationKey, request.idempotencyKey, request.bodyHash],
    ...[request.createdAt, request.ids.join(' '), request.ids[0] ?? ''],
  ]);
  const rows = keyed.flatMap(({ request, hits }) =>
    hits.map((hit) => [...valuesOf(rowOf(hit)), request.idempotencyKey, request.ids[0]!]),
  );
  const isOfRequest = (key: string, firstId: string) =>
    `r.organization_key = value ->> 0 AND r.idempotency_key = ${key} AND instr(r.ids, ${firstId}) = 1`;
  return [
    {
      sql: `INSERT INTO hit_requests (organization_key, idempotency_key, body_hash, created_at, ids)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)
            WHERE true
            ON CONFLICT (organization_key, idempotency_key) DO UPDATE SET
              body_hash = excluded.body_hash, created_at = excluded.created_at, ids = excluded.ids
            WHERE hit_requests.created_at <= ?`,
      args: [JSON.stringify(requests), Math.min(...keyed.map(({ since }) => since))],
    },
    {
      sql: `INSERT INTO hits (organization_key, created_at, client_ip, body)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)
            WHERE EXISTS (SELECT 1 FROM hit_requests r WHERE ${isOfRequest('value ->> 4', 'value ->> 5')})`,
      args: [JSON.stringify(rows)],
    },
    {
      sql: `SELECT key AS place FROM json_each(?) WHERE NOT EXISTS
              (SELECT 1 FROM hit_requests r WHERE ${isOfRequest('value ->> 1', 'value ->> 5')})`,
      args: [JSON.stringify(requests)],
    },
  ];
}

/** The request with this key, if stored since `since`; else null. */
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

/** Deletes at most `limit` requests from before `before`. Returns how many it deleted. */
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

/**
 * Deletes at most `limit` hits that arrived before `before` and are rolled up. Returns how many it
 * deleted.
 */
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

/** When the newest hit arrived; null if there are no hits. */
export async function findNewestHitAt(db: Database): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>({
    sql: 'SELECT max(created_at) AS at FROM hits',
    args: [],
  });
  return row!.at;
}

/** The keys of the first and the last hit; both 0 if there are no hits. */
export async function findKeyRange(db: Database): Promise<{ first: number; last: number }> {
  const [row] = await db.all<{ first: number; last: number }>({
    sql: 'SELECT coalesce(min(key), 0) AS first, coalesce(max(key), 0) AS last FROM hits',
    args: [],
  });
  return row!;
}

/**
 * Truncates at most `limit` addresses that arrived before `before` to their network. Returns how
 * many it truncated.
 */
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

/** A hit as `hits --follow` shows it, without the visitor's address. */
export interface RecentHit extends Omit<Hit, 'organizationKey' | 'clientIp'> {
  /** The cursor to continue from. */
  readonly cursor: number;
}

/**
 * An organization's hits after the cursor `after`, oldest first; without a cursor the latest ones.
 * Damaged ones are left out.
 */
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
  const found = rows.flatMap(({ cursor, createdAt, body }) => {
    const hit = readBody(db, body);
    return hit === null ? [] : { cursor, ...hit, createdAt };
  });
  return after === null ? found.reverse() : found;
}
