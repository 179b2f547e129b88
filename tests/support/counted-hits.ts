import { LATENCY_BOUNDS_MS } from '../../src/domain/hit.ts';
import type { Database } from '../../src/storage/engine/database.ts';

/** How often each combination of values occurs. */
export type Counted = Readonly<Record<string, number>>;

/** The counts in the roll-ups. */
export async function countedInRollUps(db: Database): Promise<Counted> {
  const counted: Record<string, number> = {};
  const days = await db.all<Record<string, unknown>>({ sql: 'SELECT * FROM hit_days', args: [] });
  for (const row of days) {
    const { organization_key, day, source, classification, agent_kind, agent, is_verified } = row;
    const key = [organization_key, day, source, classification, agent_kind, agent, is_verified];
    counted[key.join('|')] = (counted[key.join('|')] ?? 0) + Number(row['hits']);
  }
  const values = await db.all<Record<string, unknown>>({
    sql: 'SELECT * FROM hit_day_values',
    args: [],
  });
  for (const row of values) {
    const { organization_key, day, dimension, value, agent_kind, access } = row;
    const key = [organization_key, day, dimension, value, agent_kind, access].join('|');
    counted[key] = Number(row['hits']);
    counted[`${key}|unanswered`] = Number(row['unanswered']);
  }
  return withoutZeros(counted);
}

/** The same counts, taken from the rows one by one. */
export async function countedFromRows(db: Database): Promise<Counted> {
  const counted: Record<string, number> = {};
  const add = (key: string, count = 1) => {
    counted[key] = (counted[key] ?? 0) + count;
  };
  const rows = await db.all<{ organization_key: number; body: string }>({
    sql: 'SELECT organization_key, body FROM hits',
    args: [],
  });
  for (const { organization_key, body } of rows) {
    const hit = JSON.parse(body) as Record<string, string | number | boolean | null>;
    const { day, source, classification, agentKind, agent, isVerified } = hit;
    add(
      [organization_key, day, source, classification, agentKind, agent, Number(isVerified)].join(
        '|',
      ),
    );
    const latency = (hit['latencyMs'] ?? null) as number | null;
    const bound = LATENCY_BOUNDS_MS.find((candidate) => (latency ?? 0) <= candidate);
    for (const [dimension, value] of [
      ['question', hit['question']],
      ['page', hit['page']],
      ['latency', latency === null ? null : (bound ?? 'more')],
    ]) {
      if (value === null || value === undefined) continue;
      const key = [organization_key, day, dimension, value, agentKind, hit['access']].join('|');
      add(key);
      add(`${key}|unanswered`, hit['resultCount'] === 0 || hit['isDoubtful'] === true ? 1 : 0);
    }
  }
  return withoutZeros(counted);
}

function withoutZeros(counted: Counted): Counted {
  return Object.fromEntries(Object.entries(counted).filter(([, count]) => count !== 0));
}
