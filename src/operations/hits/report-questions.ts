import {
  type CallerFilter,
  findChosenQuestions,
  findHitValues,
  type HitValueCount,
  sumQuestions,
} from '../../storage/hit-counts.ts';
import type { HitDimension } from '../../storage/hit-rollups.ts';
import type { HitServices } from './hit-services.ts';

/** Most frequent values per day that a report considers; rarer ones are left out. */
const VALUES_OF_DAY_MAX = 2000;

/** Which hits to sum. */
export interface SumFilter {
  readonly organizationKey: number;
  readonly days: readonly string[];
  readonly callers: CallerFilter;
}

export interface QuestionCount extends Omit<HitValueCount, 'value'> {
  readonly question: string;
  /** Searches of customers after which they chose an offering. */
  readonly chosen: number;
  /** Those of `chosen` after which they bought one. */
  readonly bought: number;
}

/** The counts of each value, most hits first. Sums day by day, so that no query blocks for long. */
export async function sumValues(
  { db, platform }: HitServices,
  dimension: HitDimension,
  { organizationKey, days, callers }: SumFilter,
): Promise<HitValueCount[]> {
  const sums = new Map<string, HitValueCount>();
  for (const day of days) {
    const query = { day, dimension, callers, limit: VALUES_OF_DAY_MAX };
    for (const { value, ...row } of await findHitValues(db, organizationKey, query))
      sums.set(value, { value, ...added(sums.get(value), row) });
    await platform.yield();
  }
  return [...sums.values()].sort((a, b) => b.hits - a.hits || (a.value < b.value ? -1 : 1));
}

/** The questions that were asked, most frequent first, and the sums over all of them. */
export async function countQuestions(
  services: HitServices,
  filter: SumFilter,
): Promise<{ rows: QuestionCount[]; total: QuestionTotals }> {
  const values = await sumValues(services, 'question', filter);
  const chosen = new Map<string, { chosen: number; bought: number }>();
  const total = await totalQuestions(services, filter, (question, counts) => {
    const former = chosen.get(question);
    chosen.set(question, {
      chosen: counts.chosen + (former?.chosen ?? 0),
      bought: counts.bought + (former?.bought ?? 0),
    });
  });
  const rows = values.map(({ value, ...counts }) => ({
    question: value,
    ...counts,
    ...(chosen.get(value) ?? { chosen: 0, bought: 0 }),
  }));
  return { rows, total };
}

export type QuestionTotals = Omit<QuestionCount, 'question'>;

/** The sums over all questions; `each` gets what was chosen after each of them on each day. */
export async function totalQuestions(
  { db, platform }: HitServices,
  { organizationKey, days, callers }: SumFilter,
  each: (question: string, counts: { chosen: number; bought: number }) => void = () => undefined,
): Promise<QuestionTotals> {
  let asked = added(undefined, undefined);
  let [chosen, bought] = [0, 0];
  for (const day of days) {
    asked = added(asked, await sumQuestions(db, organizationKey, { day, callers }));
    for (const row of await findChosenQuestions(db, organizationKey, { day, callers })) {
      each(row.question, row);
      chosen += row.chosen;
      bought += row.bought;
    }
    await platform.yield();
  }
  return { ...asked, chosen, bought };
}

type Counts = Omit<HitValueCount, 'value'>;

function added(one: Counts | undefined, other: Counts | null | undefined): Counts {
  return {
    hits: (one?.hits ?? 0) + (other?.hits ?? 0),
    fromAssistants: (one?.fromAssistants ?? 0) + (other?.fromAssistants ?? 0),
    fromCustomers: (one?.fromCustomers ?? 0) + (other?.fromCustomers ?? 0),
    unanswered: (one?.unanswered ?? 0) + (other?.unanswered ?? 0),
  };
}
