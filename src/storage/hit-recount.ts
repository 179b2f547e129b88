import type { Database } from './engine/database.ts';
import { ADD_VALUES, hitsByValue } from './hit-rollups.ts';
import { pollMeta } from './meta.ts';

/** The last hit to be counted again. Kept as long as former counts are left. */
const UNTIL = 'hits_recount_until';

/** The last hit that was counted again. */
const RECOUNTED = 'hits_recounted_to';

const RECOUNTED_TO = `coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = '${RECOUNTED}'), 0)`;

/** The first of the former counts. */
const FIRST_FORMER = `SELECT organization_key, day, dimension, value FROM former_hit_day_values
  ORDER BY organization_key, day, dimension, value LIMIT ?`;

/**
 * After an upgrade from before schema 24, moves the next counts by value, at most `limit`, to where they
 * stand by kind of agent and by access: first those of hits that are kept, which are counted again, then
 * what is left of expired ones, of which the former counts only tell assistants (kind `ai_`) from others
 * (kind empty). Returns whether more may be left. Each slice is one transaction with its position, so
 * that nothing counts twice, even with concurrent callers and after a crash. No hit and no count may be
 * deleted before it has finished.
 */
export async function recountHits(db: Database, limit: number): Promise<boolean> {
  const until = await pollMeta(db, UNTIL);
  if (until === null) return false;
  if (!(await recountKeptHits(db, { until: Number(until), limit }))) await moveExpired(db, limit);
  return true;
}

/** Returns whether there were any. */
async function recountKeptHits(
  db: Database,
  { until, limit }: { until: number; limit: number },
): Promise<boolean> {
  const [next] = await db.all<{ last: number | null }>({
    sql: `SELECT max(key) AS last FROM
            (SELECT key FROM hits WHERE key > ${RECOUNTED_TO} AND key <= ? ORDER BY key LIMIT ?)`,
    args: [until, limit],
  });
  const { last } = next!;
  if (last === null) return false;
  const counted = hitsByValue(`key > ${RECOUNTED_TO} AND key <= ?`);
  await db.stage([
    {
      sql: `INSERT INTO hit_day_values
              (organization_key, day, dimension, value, agent_kind, access, hits, unanswered)
            ${counted}
            SELECT organization_key, day, dimension, value, agent_kind, access, count(*), sum(is_unanswered)
            FROM counted GROUP BY 1, 2, 3, 4, 5, 6 ${ADD_VALUES}`,
      args: [last],
    },
    {
      sql: `INSERT INTO former_hit_day_values
              (organization_key, day, dimension, value, hits, from_assistants, unanswered)
            ${counted}
            SELECT organization_key, day, dimension, value, -count(*),
              -sum(substr(agent_kind, 1, 3) = 'ai_'), -sum(is_unanswered)
            FROM counted GROUP BY 1, 2, 3, 4 ${ADD_VALUES},
              from_assistants = from_assistants + excluded.from_assistants`,
      args: [last],
    },
    {
      sql: `INSERT INTO meta (name, value) VALUES ('${RECOUNTED}', ?)
            ON CONFLICT DO UPDATE SET value = excluded.value
            WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER)`,
      args: [String(last)],
    },
  ]);
  return true;
}

async function moveExpired(db: Database, limit: number): Promise<void> {
  const first = `SELECT * FROM former_hit_day_values
    WHERE (organization_key, day, dimension, value) IN (${FIRST_FORMER})`;
  await db.stage([
    {
      sql: `INSERT INTO hit_day_values
              (organization_key, day, dimension, value, agent_kind, access, hits, unanswered)
            WITH former AS MATERIALIZED (${first})
            SELECT organization_key, day, dimension, value, 'ai_', '', from_assistants,
              max(0, min(unanswered, from_assistants)) FROM former WHERE from_assistants > 0
            UNION ALL
            SELECT organization_key, day, dimension, value, '', '', hits - max(0, from_assistants),
              max(0, unanswered - max(0, from_assistants))
            FROM former WHERE hits > max(0, from_assistants)
            ${ADD_VALUES}`,
      args: [limit],
    },
    {
      sql: `DELETE FROM former_hit_day_values
            WHERE (organization_key, day, dimension, value) IN (${FIRST_FORMER})`,
      args: [limit],
    },
    {
      sql: `DELETE FROM meta WHERE name IN ('${UNTIL}', '${RECOUNTED}')
            AND NOT EXISTS (SELECT 1 FROM former_hit_day_values)`,
      args: [],
    },
  ]);
}
