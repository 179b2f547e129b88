import type { AgentKind } from '../domain/agent.ts';
import type { HitAccess } from '../domain/hit.ts';
import type { Statement } from './engine/statement.ts';

/** A search after which its visitor chose an offering. */
export interface ChosenSearch {
  readonly searchHitKey: number;
  readonly choiceHitKey: number;
  readonly organizationKey: number;
  /** Day of the search, UTC. */
  readonly day: string;
  readonly question: string;
  readonly agentKind: AgentKind;
  readonly access: HitAccess;
  readonly isPurchase: boolean;
}

/** Counts each search once, however often its visitor chose something. */
export function saveChosenSearches(searches: readonly ChosenSearch[]): Statement[] {
  if (searches.length === 0) return [];
  const rows = searches.map(({ searchHitKey, choiceHitKey, organizationKey, day, ...search }) => [
    ...[searchHitKey, choiceHitKey, organizationKey, day, search.question],
    ...[search.agentKind, search.access, Number(search.isPurchase)],
  ]);
  return [
    {
      sql: `INSERT INTO chosen_searches
              (search_hit_key, choice_hit_key, organization_key, day, question, agent_kind, access, is_purchase)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
              value ->> 6, value ->> 7
            FROM json_each(?) WHERE true
            ON CONFLICT DO UPDATE SET choice_hit_key = excluded.choice_hit_key,
              is_purchase = max(is_purchase, excluded.is_purchase)`,
      args: [JSON.stringify(rows)],
    },
  ];
}

/** Deletes the searches that these hits are, or chose something after. */
export function forgetChosenSearches(hitKeys: readonly number[]): Statement {
  return {
    sql: `WITH gone AS (SELECT value FROM json_each(?))
          DELETE FROM chosen_searches
          WHERE search_hit_key IN (SELECT value FROM gone) OR choice_hit_key IN (SELECT value FROM gone)`,
    args: [JSON.stringify(hitKeys)],
  };
}
