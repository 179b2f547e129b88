import {
  type CallerFilter,
  findChosenQuestions,
  findHitValues,
  findSliceEnd,
  sumHitValues,
  type ValueSlice,
} from '../../storage/hit-counts.ts';
import type { HitDimension } from '../../storage/hit-rollups.ts';
import type { HitServices } from './hit-services.ts';
import { TopRows } from './top-rows.ts';

/** Counts that one query reads, which takes some 3 ms. A day of a small shop is one slice. */
const SLICE_ROWS = 2000;

/** Values that are compared with the best ones before other work is done. */
const ROWS_AT_ONCE = 2000;

/** Different values that a report tells apart, some 50 MB. */
const VALUES_MAX = 300_000;

/** Which hits to sum. */
export interface SumFilter {
  readonly organizationKey: number;
  readonly days: readonly string[];
  readonly callers: CallerFilter;
  /** Different values that are told apart; beyond that the rarest so far are left out. */
  readonly valuesMax?: number;
}

/** Counts of some hits. */
export interface HitSums {
  readonly hits: number;
  readonly fromAssistants: number;
  /** Hits of people and of assistants that fetch for them: those whose choices are attributed. */
  readonly fromCustomers: number;
  readonly unanswered: number;
}

export interface QuestionCount extends HitSums {
  readonly question: string;
  /** Searches of customers after which they chose an offering. */
  readonly chosen: number;
  /** Those of `chosen` after which they bought one. */
  readonly bought: number;
}

export type QuestionTotals = Omit<QuestionCount, 'question'>;

type Choices = Pick<QuestionCount, 'chosen' | 'bought'>;

const NO_CHOICES: Choices = { chosen: 0, bought: 0 };

/** Counts that grow. */
class Sums implements HitSums {
  hits = 0;
  fromAssistants = 0;
  fromCustomers = 0;
  unanswered = 0;

  add(agentKind: string, hits: number, unanswered: number): void {
    this.hits += hits;
    this.unanswered += unanswered;
    if (agentKind.startsWith('ai_')) this.fromAssistants += hits;
    if (agentKind === 'human' || agentKind === 'ai_retrieval') this.fromCustomers += hits;
  }
}

/** The counts of each value and of all. Sums slice by slice, so that nothing blocks for long. */
export async function sumValues(
  services: HitServices,
  dimension: HitDimension,
  filter: SumFilter,
): Promise<{ byValue: ReadonlyMap<string, HitSums>; total: HitSums }> {
  const { organizationKey, valuesMax = VALUES_MAX } = filter;
  const byValue = new Map<string, Sums>();
  const total = new Sums();
  await forEachSlice(services, dimension, filter, async (slice) => {
    for (const row of await findHitValues(services.db, organizationKey, slice)) {
      const sums = byValue.get(row[0]) ?? new Sums();
      if (sums.hits === 0) byValue.set(row[0], sums);
      sums.add(row[1], row[2], row[3]);
      total.add(row[1], row[2], row[3]);
    }
    if (byValue.size > valuesMax) await leaveOutRare(services, byValue, (2 * valuesMax) / 3);
  });
  return { byValue, total };
}

/** Leaves out the rarest values until at most `left` are left. */
async function leaveOutRare(
  services: HitServices,
  byValue: Map<string, Sums>,
  left: number,
): Promise<void> {
  for (let rare = 1; byValue.size > left; rare *= 2) {
    await inSlices(services, byValue, ([value, { hits }]) => {
      if (hits <= rare) byValue.delete(value);
    });
  }
}

/** The most frequent values, most hits first. */
export async function topValues(
  services: HitServices,
  dimension: HitDimension,
  { limit, ...filter }: SumFilter & { limit: number },
): Promise<readonly (HitSums & { readonly value: string })[]> {
  const top = new TopRows<HitSums & { readonly value: string }>(
    limit,
    (one, other) => other.hits - one.hits || (one.value < other.value ? -1 : 1),
  );
  const { byValue } = await sumValues(services, dimension, filter);
  await inSlices(services, byValue, ([value, sums]) => top.add({ value, ...sums }));
  return top.rows;
}

/** The questions that were asked. */
export interface Questions {
  /** Most frequent first. */
  readonly questions: readonly QuestionCount[];
  /** Those without a good answer, most often so first. */
  readonly unanswered: readonly QuestionCount[];
  /** The sums over all questions. */
  readonly asked: QuestionTotals;
}

/** At most `limit` of each list. `isIgnored`: questions that are left out of `unanswered`. */
export async function countQuestions(
  services: HitServices,
  { limit, isIgnored, ...filter }: SumFilter & { limit: number; isIgnored: ReadonlySet<string> },
): Promise<Questions> {
  const { byValue, total } = await sumValues(services, 'question', filter);
  const choices = new Map<string, Choices>();
  const chosen = await totalChoices(services, filter, (question, counts) => {
    choices.set(question, added(choices.get(question) ?? NO_CHOICES, counts));
  });
  const top = new TopRows<QuestionCount>(limit, mostFirst('hits'));
  const unanswered = new TopRows<QuestionCount>(limit, mostFirst('unanswered'));
  await inSlices(services, byValue, ([question, sums]) => {
    const row = { question, ...sums, ...(choices.get(question) ?? NO_CHOICES) };
    top.add(row);
    if (row.unanswered > 0 && !isIgnored.has(question)) unanswered.add(row);
  });
  return { questions: top.rows, unanswered: unanswered.rows, asked: { ...total, ...chosen } };
}

function mostFirst(count: 'hits' | 'unanswered') {
  return (one: QuestionCount, other: QuestionCount) =>
    other[count] - one[count] || (one.question < other.question ? -1 : 1);
}

/** The sums over all questions. */
export async function totalQuestions(
  services: HitServices,
  filter: SumFilter,
): Promise<QuestionTotals> {
  const total = new Sums();
  await forEachSlice(services, 'question', filter, async (slice) => {
    const counts = await sumHitValues(services.db, filter.organizationKey, slice);
    for (const { agentKind, hits, unanswered } of counts) total.add(agentKind, hits, unanswered);
  });
  return { ...total, ...(await totalChoices(services, filter)) };
}

/** What was chosen in all; `each` gets what was chosen after each question on each day. */
async function totalChoices(
  { db, platform }: HitServices,
  { organizationKey, days, callers }: SumFilter,
  each: (question: string, counts: Choices) => void = () => undefined,
): Promise<Choices> {
  let total = NO_CHOICES;
  for (const day of days) {
    for (const row of await findChosenQuestions(db, organizationKey, { day, callers })) {
      each(row.question, row);
      total = added(total, row);
    }
    await platform.yield();
  }
  return total;
}

function added(one: Choices, other: Choices): Choices {
  return { chosen: one.chosen + other.chosen, bought: one.bought + other.bought };
}

/** Cuts the counts of each day into slices; other work is done after each. */
async function forEachSlice(
  { db, platform }: HitServices,
  dimension: HitDimension,
  { organizationKey, days, callers }: SumFilter,
  task: (slice: ValueSlice) => Promise<void>,
): Promise<void> {
  const rows = SLICE_ROWS * db.batchFactor;
  for (const day of days) {
    let after: string | null = '';
    while (after !== null) {
      const values = { day, dimension, after };
      const upTo: string | null = await findSliceEnd(db, organizationKey, { ...values, rows });
      await task({ ...values, upTo, callers });
      await platform.yield();
      after = upTo;
    }
  }
}

/** Calls `each` with every row; other work is done in between. */
async function inSlices<Row>(
  { platform }: HitServices,
  rows: Iterable<Row>,
  each: (row: Row) => void,
): Promise<void> {
  let count = 0;
  for (const row of rows) {
    each(row);
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await platform.yield();
  }
}
