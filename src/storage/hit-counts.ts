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

/** Hits with a value, of one kind of agent. A tuple, because a report reads half a million. */
export type ValueCount = readonly [
  value: string,
  agentKind: string,
  hits: number,
  unanswered: number,
];

/** The counts of a dimension on one day from one value to another, in the order of their values. */
export interface ValueSlice {
  readonly day: string;
  readonly dimension: HitDimension;
  /** The last value of the slice before; '' before the first. */
  readonly after: string;
  /** The last value of the slice; null: all further ones. */
  readonly upTo: string | null;
  readonly callers: CallerFilter;
}

/** The value that ends a slice of `rows` counts; null if no more are left. */
export async function findSliceEnd(
  db: Database,
  organizationKey: number,
  { day, dimension, after, rows }: Omit<ValueSlice, 'callers' | 'upTo'> & { rows: number },
): Promise<string | null> {
  const [end] = await db.all<{ value: string }>({
    sql: `SELECT value FROM hit_day_values
          WHERE organization_key = ? AND day = ? AND dimension = ? AND value > ?
          ORDER BY value LIMIT 1 OFFSET ?`,
    args: [organizationKey, day, dimension, after, rows - 1],
  });
  return end?.value ?? null;
}

/**
 * The counts of a slice. They come as one JSON text: a row for each takes the driver three times as long,
 * and SQLite groups them no faster.
 */
export async function findHitValues(
  db: Database,
  organizationKey: number,
  slice: ValueSlice,
): Promise<readonly ValueCount[]> {
  const { sql, args } = isInSlice(organizationKey, slice);
  const [row] = await db.all<{ found: string }>({
    sql: `SELECT json_group_array(json_array(value, agent_kind, hits, unanswered)) AS found
          FROM hit_day_values WHERE ${sql}`,
    args,
  });
  return db.parse(row!.found) ?? [];
}

/** The counts of a slice by kind of agent. */
export async function sumHitValues(
  db: Database,
  organizationKey: number,
  slice: ValueSlice,
): Promise<{ agentKind: string; hits: number; unanswered: number }[]> {
  const { sql, args } = isInSlice(organizationKey, slice);
  return db.all({
    sql: `SELECT agent_kind AS agentKind, sum(hits) AS hits, sum(unanswered) AS unanswered
          FROM hit_day_values WHERE ${sql} GROUP BY agent_kind`,
    args,
  });
}

/** A condition on the counts of a slice. */
function isInSlice(
  organizationKey: number,
  { day, dimension, callers, after, upTo }: ValueSlice,
): Statement {
  const { sql, args } = isOfCallers(callers);
  return {
    sql: `organization_key = ? AND day = ? AND dimension = ? AND value > ?
          ${upTo === null ? '' : 'AND value <= ?'} ${sql}`,
    args: [organizationKey, day, dimension, after, ...(upTo === null ? [] : [upTo]), ...args],
  };
}

/** How many searches for a question led to a choice and to a purchase. */
export interface ChosenCount {
  readonly question: string;
  readonly chosen: number;
  readonly bought: number;
}

/** The questions of a day after which something was chosen. As one JSON text: see `findHitValues`. */
export async function findChosenQuestions(
  db: Database,
  organizationKey: number,
  { day, callers }: Pick<ValueSlice, 'day' | 'callers'>,
): Promise<ChosenCount[]> {
  const { sql, args } = isOfCallers(callers);
  const [row] = await db.all<{ found: string }>({
    sql: `SELECT json_group_array(json_array(question, chosen, bought)) AS found
          FROM (SELECT question, count(*) AS chosen, sum(is_purchase) AS bought FROM chosen_searches
                WHERE organization_key = ? AND day = ? ${sql} GROUP BY question)`,
    args: [organizationKey, day, ...args],
  });
  const questions = db.parse<[string, number, number][]>(row!.found) ?? [];
  return questions.map(([question, chosen, bought]) => ({ question, chosen, bought }));
}
