import Type, { type Static } from 'typebox';
import { AGENT_KINDS } from '../../domain/agent.ts';
import { AppError } from '../../domain/errors.ts';
import { type HitAccess, LATENCY_BOUNDS_MS } from '../../domain/hit.ts';
import type { Organization } from '../../domain/organization.ts';
import {
  type DayRange,
  findHitDays,
  findHitValues,
  type HitDayCount,
  type HitDimension,
  type HitValueCount,
} from '../../storage/hit-rollups.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';
import { rollUpAll } from './maintain-hits.ts';

const DAY_MS = 86_400_000;

/** Longest span of a report, in days: the longest that counts can be kept. */
const DAYS_MAX = 3660;

/** Most frequent values per day that a report considers; rarer ones are left out. */
const VALUES_OF_DAY_MAX = 2000;

const ROWS_MAX = 1000;

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ description: 'UTC, 2026-01-31.' });
const Kind = Type.Enum([...AGENT_KINDS]);

const QuestionRow = Type.Object({
  question: Type.String({ description: 'In lower case.' }),
  hits: Count,
  fromAssistants: Count,
  unanswered: Count,
});

/** An organization's traffic in a span of days. Lists are sorted by hits, most first. */
export const HitReport = Type.Object({
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  firstDay: Day,
  lastDay: Day,
  hits: Count,
  fromAssistants: Count,
  access: Type.Object(
    { key: Count, public: Count },
    { description: 'Own responses to callers with a key and without one.' },
  ),
  /** Every day of the span, oldest first. */
  days: Type.Array(Type.Object({ day: Day, hits: Count, kinds: Type.Record(Kind, Count) })),
  kinds: Type.Array(Type.Object({ kind: Kind, hits: Count })),
  agents: Type.Array(
    Type.Object({
      agent: Type.String(),
      kind: Kind,
      hits: Count,
      verified: Type.Integer({
        description: 'Hits whose agent the edge network verified.',
      }),
      lastDay: Day,
    }),
  ),
  classifications: Type.Array(Type.Object({ classification: Type.String(), hits: Count })),
  questions: Type.Array(QuestionRow),
  /** Questions without results, most frequent first. */
  unanswered: Type.Array(QuestionRow),
  pages: Type.Array(Type.Object({ page: Type.String(), hits: Count, fromAssistants: Count })),
  /** Counts of each step from search to purchase. */
  funnel: Type.Array(
    Type.Object({
      step: Type.Enum(['search', 'link', 'checkout', 'purchase']),
      hits: Count,
      fromAssistants: Count,
    }),
  ),
  /** Latency of the service's own responses; null if there were none. */
  latency: Type.Union([
    Type.Object({
      hits: Count,
      p50Ms: Type.Number(),
      p95Ms: Type.Number(),
      p99Ms: Type.Number(),
      classes: Type.Array(
        Type.Object({
          /** Null for the last class, which has no upper bound. */
          upToMs: Type.Union([Type.Number(), Type.Null()]),
          hits: Count,
        }),
      ),
    }),
    Type.Null(),
  ]),
  dropped: Type.Integer({
    description: 'Own hits dropped since the start, so as not to slow responses.',
  }),
});
export type HitReport = Static<typeof HitReport>;
export type AgentKind = HitReport['kinds'][number]['kind'];

/** Classifications that count as each step towards a purchase. */
const STEPS = {
  search: ['search'],
  link: ['product_view', 'product_click', 'link_click', 'booking_click'],
  checkout: ['checkout_start'],
  purchase: ['purchase'],
} as const;

export const reportHits = defineOperation({
  name: 'hits.report',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    since: Type.Optional(
      Type.String({ description: 'A span that ends today, such as 7d, or the first day.' }),
    ),
    until: Type.Optional(Type.String({ description: 'The last day; default: today.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX })),
  }),
  output: HitReport,
  /** First counts new hits. Throws `invalid_input` for invalid days. */
  async run(services: HitServices, { organization: reference, since = '7d', until, limit = 20 }) {
    const organization = resolveOrganization(services, reference);
    const range = readRange(services.platform.now(), since, until);
    await rollUpAll(services);
    return makeReport(services, organization, { range, limit });
  },
});

async function makeReport(
  services: HitServices,
  { id, key, name }: Organization,
  { range, limit }: { range: DayRange; limit: number },
): Promise<HitReport> {
  const counts = await findHitDays(services.db, key, range);
  const sum = (rows: readonly HitDayCount[]) => rows.reduce((total, { hits }) => total + hits, 0);
  const answers = (access: HitAccess) =>
    counts.filter((row) => row.source === 'service' && row.access === access);
  const values = (dimension: HitDimension) =>
    sumValues(services, { organizationKey: key, dimension, days: daysWith(counts) });
  const questions = await values('question');
  const asked = questions.map(({ value, ...row }) => ({ question: value, ...row }));
  const pages = await values('page');
  return {
    organization: { id, name },
    ...range,
    hits: sum(counts),
    fromAssistants: sum(counts.filter(isFromAssistant)),
    access: { key: sum(answers('key')), public: sum(answers('public')) },
    days: daysOf(range, counts),
    kinds: AGENT_KINDS.map((kind) => ({
      kind,
      hits: sum(counts.filter(({ agentKind }) => agentKind === kind)),
    })),
    agents: agentsOf(counts).slice(0, limit),
    classifications: byHits(
      [...Map.groupBy(counts, (row) => row.classification)].map(([classification, rows]) => ({
        classification,
        hits: sum(rows),
      })),
      ({ classification }) => classification,
    ).slice(0, limit),
    questions: asked.slice(0, limit),
    unanswered: asked
      .filter(({ unanswered }) => unanswered > 0)
      .sort((a, b) => b.unanswered - a.unanswered || (a.question < b.question ? -1 : 1))
      .slice(0, limit),
    pages: pages
      .slice(0, limit)
      .map(({ value, hits, fromAssistants }) => ({ page: value, hits, fromAssistants })),
    funnel: Object.entries(STEPS).map(([step, classifications]) => {
      const rows = counts.filter((row) =>
        (classifications as readonly string[]).includes(row.classification),
      );
      const isStep = step as HitReport['funnel'][number]['step'];
      return { step: isStep, hits: sum(rows), fromAssistants: sum(rows.filter(isFromAssistant)) };
    }),
    latency: latencyOf(await values('latency')),
    dropped: services.ownTraffic.dropped,
  };
}

/** Sums day by day, so that no query blocks the event loop for long. */
async function sumValues(
  { db, platform }: HitServices,
  wanted: { organizationKey: number; dimension: HitDimension; days: readonly string[] },
): Promise<HitValueCount[]> {
  const { organizationKey, dimension, days } = wanted;
  const sums = new Map<string, HitValueCount>();
  for (const day of days) {
    const query = { day, dimension, limit: VALUES_OF_DAY_MAX };
    for (const row of await findHitValues(db, organizationKey, query)) {
      const sum = sums.get(row.value);
      sums.set(row.value, {
        value: row.value,
        hits: row.hits + (sum?.hits ?? 0),
        fromAssistants: row.fromAssistants + (sum?.fromAssistants ?? 0),
        unanswered: row.unanswered + (sum?.unanswered ?? 0),
      });
    }
    await platform.yield();
  }
  return byHits([...sums.values()], ({ value }) => value);
}

function isFromAssistant({ agentKind }: HitDayCount): boolean {
  return agentKind.startsWith('ai_');
}

function daysWith(counts: readonly HitDayCount[]): string[] {
  return [...new Set(counts.map(({ day }) => day))];
}

function daysOf(
  { firstDay, lastDay }: DayRange,
  counts: readonly HitDayCount[],
): HitReport['days'] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const days: HitReport['days'] = [];
  for (let ms = Date.parse(firstDay); ms <= Date.parse(lastDay); ms += DAY_MS) {
    const day = dayOf(ms);
    const kinds = Object.fromEntries(AGENT_KINDS.map((kind) => [kind, 0])) as Record<
      AgentKind,
      number
    >;
    for (const { agentKind, hits } of byDay.get(day) ?? []) kinds[agentKind as AgentKind] += hits;
    days.push({ day, hits: Object.values(kinds).reduce((total, hits) => total + hits, 0), kinds });
  }
  return days;
}

function agentsOf(counts: readonly HitDayCount[]): HitReport['agents'] {
  const groups = Map.groupBy(counts, ({ agent, agentKind }) => `${agentKind} ${agent}`);
  const agents = [...groups.values()].map((rows) => {
    const { agent, agentKind } = rows[0]!;
    let [hits, verified] = [0, 0];
    for (const row of rows) {
      hits += row.hits;
      if (row.isVerified) verified += row.hits;
    }
    return { agent, kind: agentKind as AgentKind, hits, verified, lastDay: rows.at(-1)!.day };
  });
  return byHits(agents, ({ agent, kind }) => `${agent} ${kind}`);
}

/** Interpolates quantiles within their bucket. */
function latencyOf(rows: readonly HitValueCount[]): HitReport['latency'] {
  if (rows.length === 0) return null;
  const hitsOf = (value: string) => rows.find((row) => row.value === value)?.hits ?? 0;
  const classes = [
    ...LATENCY_BOUNDS_MS.map((upToMs) => ({ upToMs, hits: hitsOf(String(upToMs)) })),
    { upToMs: null, hits: hitsOf('more') },
  ];
  const total = classes.reduce((sum, { hits }) => sum + hits, 0);
  const quantile = (share: number) => {
    let before = 0;
    let fromMs = 0;
    for (const { upToMs, hits } of classes) {
      const inside = hits === 0 ? 1 : (share * total - before) / hits;
      if (inside <= 1 && hits > 0) {
        const toMs = upToMs ?? fromMs;
        return Math.round((fromMs + (toMs - fromMs) * inside) * 100) / 100;
      }
      before += hits;
      fromMs = upToMs ?? fromMs;
    }
    return fromMs;
  };
  return {
    hits: total,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    classes,
  };
}

function byHits<Row extends { readonly hits: number }>(
  rows: readonly Row[],
  name: (row: Row) => string,
): Row[] {
  return rows.toSorted((a, b) => b.hits - a.hits || (name(a) < name(b) ? -1 : 1));
}

/** Throws `invalid_input` for invalid days or too long a span. */
function readRange(nowMs: number, since: string, until: string | undefined): DayRange {
  const today = dayOf(nowMs);
  const lastDay = until === undefined ? today : readDay(until);
  const [, count] = /^(\d{1,4})d$/.exec(since) ?? [];
  const firstDay =
    count === undefined
      ? readDay(since)
      : dayOf(Date.parse(lastDay) - (Number(count) - 1) * DAY_MS);
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  if (days < 1) throw new AppError('invalid_input', 'The first day is after the last.');
  if (days > DAYS_MAX)
    throw new AppError('invalid_input', `A report spans at most ${DAYS_MAX} days.`);
  return { firstDay, lastDay };
}

/** Validates a day such as `2026-01-31`. Throws `invalid_input`. */
export function readDay(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(ms) || dayOf(ms) !== text)
    throw new AppError('invalid_input', 'A day is written like 2026-01-31, a span like 7d.');
  return text;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
