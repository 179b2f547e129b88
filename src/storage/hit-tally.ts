import { type Hit, LATENCY_BOUNDS_MS } from '../domain/hit.ts';
import { redactCredentials } from '../domain/private-data.ts';
import type { Database } from './engine/database.ts';
import { ADD_VALUES, type HitDimension, ROLLED_UP_TO } from './hit-rollups.ts';

/** Hits that are counted alike. */
export interface CountedAlike {
  /** One of them. */
  readonly hit: Hit;
  /** The latency of each; null if it is not known. */
  readonly latenciesMs: readonly (number | null)[];
}

/** Sums that take some 4 ms to add. */
const SUMS_MAX = 1000;

/** Hits after which making sure that they are all there takes as long. */
const HITS_MAX = 5000;

/** Hits with adjoining keys, summed in memory as they were inserted. */
export class TalliedHits {
  /** The key before the first of them. */
  readonly after: number;
  #last: number;
  #count = 0;
  readonly #days = new Map<string, Sum>();
  readonly #values = new Map<string, Sum>();

  constructor(after: number) {
    this.after = after;
    this.#last = after;
  }

  /** The key of the last of them. */
  get last(): number {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= HITS_MAX || this.#days.size + this.#values.size >= SUMS_MAX;
  }

  /** Adds the next hits, of which the last has the key `last`. */
  add(alike: readonly CountedAlike[], last: number): void {
    for (const { hit, latenciesMs } of alike) this.#addAlike(hit, latenciesMs);
    this.#last = last;
  }

  #addAlike(hit: Hit, latenciesMs: CountedAlike['latenciesMs']): void {
    const { organizationKey, day, source, access, classification, agentKind, agent } = hit;
    const hits = latenciesMs.length;
    this.#count += hits;
    const isVerified = Number(hit.isVerified);
    // Only the agent and the value can hold a line break.
    const visit = `${organizationKey}\n${day}\n${source}\n${access}\n${classification}\n${agentKind}`;
    const columns = () => [organizationKey, day, source, access, classification, agentKind, agent];
    addTo(this.#days, `${visit}\n${isVerified}\n${agent}`, hits, () => [...columns(), isVerified]);
    const isUnanswered = hit.resultCount === 0 || hit.isDoubtful === true;
    const count = (dimension: HitDimension, value: string | null, times: number) => {
      if (value === null) return;
      const name = `${organizationKey}\n${day}\n${dimension}\n${agentKind}\n${access}\n${value}`;
      const key = () => [organizationKey, day, dimension, value, agentKind, access];
      addTo(this.#values, name, times, key, isUnanswered ? times : 0);
    };
    count('question', hit.question, hits);
    count('page', hit.page, hits);
    for (const [latency, times] of latencyClasses(latenciesMs)) count('latency', latency, times);
  }

  /** The sums as JSON lists of rows of `hit_days` and of `hit_day_values`. */
  toRows(): { readonly days: string; readonly values: string } {
    return {
      days: rowsOf(this.#days, ({ hits }) => [hits]),
      values: rowsOf(this.#values, ({ hits, unanswered }) => [hits, unanswered]),
    };
  }
}

/**
 * Adds the hits to the roll-ups and advances their position, as `rollUpHits` would, and returns true. Does nothing
 * and returns false unless exactly these hits come next: others may wait before or between them, and they may have
 * been counted or purged.
 */
export async function addTallied(db: Database, tallied: TalliedHits): Promise<boolean> {
  const { after, last, count } = tallied;
  const { days, values } = tallied.toRows();
  const areNext = `(SELECT count(*) FROM hits WHERE key > ? AND key <= ?) = ? AND ${ROLLED_UP_TO} <= ?
    AND NOT EXISTS (SELECT 1 FROM hits WHERE key > ${ROLLED_UP_TO} AND key <= ?)`;
  const these = [after, last, count, after, after];
  const results = await db.stage([
    {
      sql: `INSERT INTO hit_days
              (organization_key, day, source, access, classification, agent_kind, agent, is_verified, hits)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
              value ->> 6, value ->> 7, value ->> 8
            FROM json_each(?) WHERE ${areNext}
            ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
      args: [days, ...these],
    },
    {
      sql: `INSERT INTO hit_day_values
              (organization_key, day, dimension, value, agent_kind, access, hits, unanswered)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
              value ->> 6, value ->> 7
            FROM json_each(?) WHERE ${areNext} ${ADD_VALUES}`,
      args: [values, ...these],
    },
    {
      sql: `INSERT INTO meta (name, value) SELECT 'hits_rolled_up_to', ? WHERE ${areNext}
            ON CONFLICT DO UPDATE SET value = excluded.value`,
      args: [String(last), ...these],
    },
  ]);
  return results.at(-1)!.rowsAffected > 0;
}

interface Sum {
  /** The values of the key's columns. */
  readonly key: readonly unknown[];
  hits: number;
  unanswered: number;
}

function addTo(
  sums: Map<string, Sum>,
  name: string,
  hits: number,
  key: () => readonly unknown[],
  unanswered = 0,
): void {
  const sum = sums.get(name);
  if (sum === undefined) sums.set(name, { key: key(), hits, unanswered });
  else {
    sum.hits += hits;
    sum.unanswered += unanswered;
  }
}

/** A JSON list of rows, without API keys, as in the hits. */
function rowsOf(sums: Map<string, Sum>, numbers: (sum: Sum) => number[]): string {
  const rows = Array.from(sums.values(), (sum) => [...sum.key, ...numbers(sum)]);
  return redactCredentials(JSON.stringify(rows));
}

/** How many latencies are in each class. */
function latencyClasses(latenciesMs: CountedAlike['latenciesMs']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const latencyMs of latenciesMs) {
    if (latencyMs === null) continue;
    const name = String(LATENCY_BOUNDS_MS.find((bound) => latencyMs <= bound) ?? 'more');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
