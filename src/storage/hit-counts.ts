import type { AgentKind } from '../domain/agent.ts';
import type { HitAccess } from '../domain/hit.ts';
import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import type { HitDimension } from './hit-rollups.ts';

export interface HitDayCount {
  readonly day: string;
  readonly source: string;
  readonly access: string;
  readonly classification: string;
  readonly agentKind: string;
  readonly agent: string;
  readonly isVerified: boolean;
  readonly hits: number;
}

/** An inclusive range of days. */
export interface DayRange {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Hit counts by day, classification and kind of visitor. */
export async function findHitDays(
  db: Database,
  organizationKey: number,
  { firstDay, lastDay }: DayRange,
): Promise<HitDayCount[]> {
  const rows = await db.all<Record<string, string | number>>({
    sql: `SELECT day, source, access, classification, agent_kind, agent, is_verified, hits FROM hit_days
          WHERE organization_key = ? AND day BETWEEN ? AND ?
          ORDER BY day, source, access, classification, agent_kind, agent, is_verified`,
    args: [organizationKey, firstDay, lastDay],
  });
  return rows.map((row) => ({
    day: String(row['day']),
    source: String(row['source']),
    access: String(row['access']),
    classification: String(row['classification']),
    agentKind: String(row['agent_kind']),
    agent: String(row['agent']),
    isVerified: row['is_verified'] === 1,
    hits: Number(row['hits']),
  }));
}

/** Whose hits are counted; null: everybody's. */
export interface CallerFilter {
  readonly kinds: readonly AgentKind[] | null;
  readonly access: HitAccess | null;
}

/** A condition on the columns `agent_kind` and `access`. */
function isOfCallers({ kinds, access }: CallerFilter): Statement {
  return {
    sql: `${kinds === null ? '' : 'AND agent_kind IN (SELECT value FROM json_each(?))'}
          ${access === null ? '' : 'AND access = ?'}`,
    args: [
      ...(kinds === null ? [] : [JSON.stringify(kinds)]),
      ...(access === null ? [] : [access]),
    ],
  };
}

export interface HitValueCount {
  readonly value: string;
  readonly hits: number;
  readonly fromAssistants: number;
  /** Hits of people and of assistants that fetch for them: those whose choices are attributed. */
  readonly fromCustomers: number;
  readonly unanswered: number;
}

const SUMS = `sum(hits) AS hits,
  coalesce(sum(hits) FILTER (WHERE agent_kind LIKE 'ai!_%' ESCAPE '!'), 0) AS fromAssistants,
  coalesce(sum(hits) FILTER (WHERE agent_kind IN ('human', 'ai_retrieval')), 0) AS fromCustomers,
  sum(unanswered) AS unanswered`;

/** The most frequent values of a day, at most `limit`. */
export async function findHitValues(
  db: Database,
  organizationKey: number,
  {
    day,
    dimension,
    callers,
    limit,
  }: { day: string; dimension: HitDimension; callers: CallerFilter; limit: number },
): Promise<HitValueCount[]> {
  const { sql, args } = isOfCallers(callers);
  return db.all<HitValueCount>({
    sql: `SELECT value, ${SUMS} FROM hit_day_values
          WHERE organization_key = ? AND day = ? AND dimension = ? ${sql}
          GROUP BY value ORDER BY 2 DESC, value LIMIT ?`,
    args: [organizationKey, day, dimension, ...args, limit],
  });
}

/** The sums over all questions of a day; null if nobody asked. */
export async function sumQuestions(
  db: Database,
  organizationKey: number,
  { day, callers }: { day: string; callers: CallerFilter },
): Promise<Omit<HitValueCount, 'value'> | null> {
  const { sql, args } = isOfCallers(callers);
  const [row] = await db.all<Omit<HitValueCount, 'value'>>({
    sql: `SELECT ${SUMS} FROM hit_day_values
          WHERE organization_key = ? AND day = ? AND dimension = 'question' ${sql}
          HAVING count(*) > 0`,
    args: [organizationKey, day, ...args],
  });
  return row ?? null;
}

/** How many searches for a question led to a choice and to a purchase. */
export interface ChosenCount {
  readonly question: string;
  readonly chosen: number;
  readonly bought: number;
}

/** The questions of a day after which something was chosen. */
export async function findChosenQuestions(
  db: Database,
  organizationKey: number,
  { day, callers }: { day: string; callers: CallerFilter },
): Promise<ChosenCount[]> {
  const { sql, args } = isOfCallers(callers);
  return db.all<ChosenCount>({
    sql: `SELECT question, count(*) AS chosen, sum(is_purchase) AS bought FROM chosen_searches
          WHERE organization_key = ? AND day = ? ${sql} GROUP BY question ORDER BY question`,
    args: [organizationKey, day, ...args],
  });
}
