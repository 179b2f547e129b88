import { LATENCY_BOUNDS_MS } from '../domain/hit.ts';
import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** The key of the last hit that the roll-ups count. */
export const ROLLED_UP_TO = `coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'hits_rolled_up_to'), 0)`;

const LATENCY_CLASS = `CASE ${LATENCY_BOUNDS_MS.map(
  (bound) => `WHEN latency_ms <= ${bound} THEN '${bound}'`,
).join(' ')} ELSE 'more' END`;

const VALUES = {
  question: `question`,
  page: `page`,
  latency: `CASE WHEN latency_ms IS NULL THEN NULL ELSE ${LATENCY_CLASS} END`,
} as const;

/** The dimensions that the roll-ups count by value. */
export type HitDimension = keyof typeof VALUES;

/**
 * A `WITH` clause whose `counted` has a row for each dimension in which a hit has a value. A hit's body is
 * parsed once for all dimensions.
 */
export function hitsByValue(where: string): string {
  const columns = Object.entries(VALUES).map(([dimension, value]) => `${value} AS ${dimension}`);
  const rows = Object.keys(VALUES).map(
    (dimension) => `
      SELECT organization_key, day, '${dimension}' AS dimension, ${dimension} AS value,
        agent_kind, access, is_unanswered
      FROM facts WHERE ${dimension} IS NOT NULL`,
  );
  return `
    WITH facts AS MATERIALIZED (
      SELECT organization_key, day, ${columns.join(', ')}, agent_kind, access,
        result_count IS 0 OR is_doubtful IS 1 AS is_unanswered
      FROM hit_facts WHERE ${where}),
    counted AS (${rows.join(' UNION ALL ')})`;
}

/** Adds counts to those that are there. */
export const ADD_VALUES = `ON CONFLICT DO UPDATE SET hits = hits + excluded.hits,
  unanswered = unanswered + excluded.unanswered`;

/** Adds the hits that meet a condition to the roll-ups, or takes them out again. */
function count(sign: 1 | -1, { sql: where, args }: Statement): Statement[] {
  const days = `
    INSERT INTO hit_days
      (organization_key, day, source, access, classification, agent_kind, agent, is_verified, hits)
    SELECT organization_key, day, source, access, classification, agent_kind, agent, is_verified,
      ${sign} * count(*)
    FROM hit_facts WHERE ${where} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`;
  const values = `
    INSERT INTO hit_day_values
      (organization_key, day, dimension, value, agent_kind, access, hits, unanswered)
    ${hitsByValue(where)}
    SELECT organization_key, day, dimension, value, agent_kind, access,
      ${sign} * count(*), ${sign} * sum(is_unanswered)
    FROM counted GROUP BY 1, 2, 3, 4, 5, 6
    ${ADD_VALUES}`;
  return [days, values].map((sql) => ({ sql, args }));
}

/**
 * Adds the next hits, at most `limit` and none after the key `upTo`, to the roll-ups and returns their number.
 * The position advances in the same transaction, so each hit is counted exactly once, even with concurrent
 * callers and after a crash.
 */
export async function rollUpHits(
  db: Database,
  limit: number,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const [next] = await db.poll<{ last: number | null; hits: number }>({
    sql: `SELECT max(key) AS last, count(*) AS hits
          FROM (SELECT key FROM hits WHERE key > ${ROLLED_UP_TO} AND key <= ? ORDER BY key LIMIT ?)`,
    args: [upTo, limit],
  });
  const { last, hits } = next!;
  if (last === null) return 0;
  // A power cut reverts the position together with the counts.
  await db.stage([
    ...count(1, { sql: `key > ${ROLLED_UP_TO} AND key <= ?`, args: [last] }),
    {
      sql: `INSERT INTO meta (name, value) VALUES ('hits_rolled_up_to', ?)
            ON CONFLICT DO UPDATE SET value = excluded.value
            WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER)`,
      args: [String(last)],
    },
  ]);
  return hits;
}

/** Which hits a purge deletes. */
export interface PurgeFilter {
  readonly organizationKey: number;
  /** Events of days before this one; null: of all days. */
  readonly beforeDay: string | null;
}

interface PurgeableHit {
  readonly key: number;
  readonly client_ip: string | null;
}

/**
 * Hits that a purge may delete, with keys above `after` and at most `after + span`, in key order.
 * `isLast`: no hits lie beyond.
 */
export async function findPurgeable(
  db: Database,
  { organizationKey, beforeDay }: PurgeFilter,
  { after, span }: { after: number; span: number },
): Promise<{ hits: readonly PurgeableHit[]; isLast: boolean }> {
  const args = [after, after + span, organizationKey];
  const hits = await db.all<PurgeableHit>({
    sql: `SELECT key, client_ip FROM hit_facts WHERE key > ? AND key <= ? AND organization_key = ?
            ${beforeDay === null ? '' : 'AND day < ?'} ORDER BY key`,
    args: beforeDay === null ? args : [...args, beforeDay],
  });
  const [end] = await db.all<{ last: number | null }>({
    sql: 'SELECT max(key) AS last FROM hits',
    args: [],
  });
  return { hits, isLast: (end!.last ?? 0) <= after + span };
}

/** The key of the first hit, where a purge can begin. */
export async function firstHitKey(db: Database): Promise<number> {
  const [row] = await db.all<{ first: number | null }>({
    sql: 'SELECT min(key) AS first FROM hits',
    args: [],
  });
  return row!.first ?? 0;
}

/** Deletes these hits and subtracts them from the roll-ups. */
export function deleteHits(keys: readonly number[]): Statement[] {
  const args = [JSON.stringify(keys)];
  const chosen = `key IN (SELECT value FROM json_each(?))`;
  return [
    ...count(-1, { sql: `${chosen} AND key <= ${ROLLED_UP_TO}`, args }),
    { sql: `DELETE FROM hits WHERE ${chosen}`, args },
    // A count drops below zero if the roll-up that included the hits was itself deleted.
    { sql: 'DELETE FROM hit_days WHERE hits <= 0', args: [] },
    { sql: 'DELETE FROM hit_day_values WHERE hits <= 0', args: [] },
  ];
}

/** Deletes an organization's roll-ups for days before `beforeDay`, or for all days. */
export function deleteRollUps({ organizationKey, beforeDay }: PurgeFilter): Statement[] {
  const limit = beforeDay === null ? '' : ' AND day < ?';
  const args = beforeDay === null ? [organizationKey] : [organizationKey, beforeDay];
  return ['hit_days', 'hit_day_values', 'chosen_searches'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE organization_key = ?${limit}`,
    args,
  }));
}

/**
 * Deletes roll-ups of days before `beforeDay`, at most `limit` rows of each table. Returns how many
 * it deleted.
 */
export async function deleteOldRollUps(
  db: Database,
  { beforeDay, limit }: { beforeDay: string; limit: number },
): Promise<number> {
  const results = await db.write([
    {
      sql: `DELETE FROM hit_days
            WHERE (organization_key, day, source, access, classification, agent_kind, agent, is_verified) IN
              (SELECT organization_key, day, source, access, classification, agent_kind, agent, is_verified
               FROM hit_days WHERE day < ? ORDER BY day LIMIT ?)`,
      args: [beforeDay, limit],
    },
    {
      sql: `DELETE FROM hit_day_values
            WHERE (organization_key, day, dimension, value, agent_kind, access) IN
              (SELECT organization_key, day, dimension, value, agent_kind, access
               FROM organizations CROSS JOIN hit_day_values ON organization_key = organizations.key
               WHERE day < ? LIMIT ?)`,
      args: [beforeDay, limit],
    },
    {
      sql: `DELETE FROM chosen_searches WHERE search_hit_key IN
              (SELECT search_hit_key FROM chosen_searches WHERE day < ? ORDER BY day LIMIT ?)`,
      args: [beforeDay, limit],
    },
  ]);
  return results.reduce((sum, { rowsAffected }) => sum + rowsAffected, 0);
}
