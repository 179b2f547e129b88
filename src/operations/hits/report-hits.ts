import Type, { type Static } from 'typebox';
import { AGENT_KINDS } from '../../domain/agent.ts';
import { type HitAccess, LATENCY_BOUNDS_MS } from '../../domain/hit.ts';
import type { Organization } from '../../domain/organization.ts';
import { localeOfShops } from '../../messages/translator.ts';
import {
  type CallerFilter,
  type DayRange,
  findHitDays,
  type HitDayCount,
} from '../../storage/hit-counts.ts';
import { findIgnoredQuestions } from '../../storage/ignored-questions.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';
import { rollUpAll } from './maintain-hits.ts';
import {
  countQuestions,
  type HitSums,
  sumValues,
  topValues,
  totalQuestions,
} from './report-questions.ts';
import { daysIn, rangeBefore, readRange } from './report-range.ts';

/** The most rows of a list. */
export const ROWS_MAX = 1000;

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ description: 'UTC, 2026-01-31.' });
const Kind = Type.Enum([...AGENT_KINDS]);

const questionCounts = {
  hits: Count,
  fromAssistants: Count,
  fromCustomers: Type.Integer({
    minimum: 0,
    description: 'Searches of people and of assistants that fetch for them.',
  }),
  unanswered: Type.Integer({
    minimum: 0,
    description: 'How often there were no results, or only doubtful ones.',
  }),
  chosen: Type.Integer({
    minimum: 0,
    description: 'Searches of customers that led to a click, a checkout or a purchase.',
  }),
  bought: Type.Integer({ minimum: 0, description: 'Searches that led to a purchase.' }),
};

const QuestionRow = Type.Object({
  question: Type.String({ description: 'In lower case.' }),
  ...questionCounts,
});

const Access = Type.Object(
  { key: Count, public: Count },
  { description: 'Own responses to callers with a key and without one.' },
);

/** Counts of each step from search to purchase. */
const Funnel = Type.Array(
  Type.Object({
    step: Type.Enum(['search', 'link', 'checkout', 'purchase']),
    hits: Count,
    fromAssistants: Count,
  }),
);

/** An organization's traffic in a span of days. Lists are sorted by hits, most first. */
export const HitReport = Type.Object({
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  locale: Type.String({ description: 'Of its shops, if they share a language; else `en`.' }),
  firstDay: Day,
  lastDay: Day,
  hits: Count,
  fromAssistants: Count,
  access: Access,
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
  /** Questions with no results or only doubtful ones, most frequent first, without ignored ones. */
  unanswered: Type.Array(QuestionRow),
  ignored: Type.Array(Type.String(), { description: 'Questions left out of `unanswered`.' }),
  asked: Type.Object(questionCounts, { description: 'Sums over all questions.' }),
  attributesChoices: Type.Boolean({
    description: 'Whether choices are attributed to questions now; not with `learn = "off"`.',
  }),
  pages: Type.Array(Type.Object({ page: Type.String(), hits: Count, fromAssistants: Count })),
  funnel: Funnel,
  /** The span of the same length just before. */
  before: Type.Object({
    firstDay: Day,
    lastDay: Day,
    hits: Count,
    fromAssistants: Count,
    access: Access,
    asked: Type.Object(questionCounts),
    funnel: Funnel,
  }),
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

/** What the operations on reports need. */
export interface ReportServices extends HitServices {
  /** Whether choices are attributed to questions. */
  readonly learned: { readonly isOn: boolean };
}

/** Which hits a report is about. */
export const ReportInput = {
  organization: Type.Optional(Type.String()),
  since: Type.Optional(
    Type.String({ description: 'A span that ends on the last day, such as 7d, or the first day.' }),
  ),
  until: Type.Optional(Type.String({ description: 'The last day; default: today.' })),
  kinds: Type.Optional(
    Type.Array(Kind, { minItems: 1, description: 'Only hits of these kinds of agents.' }),
  ),
  access: Type.Optional(
    Type.Enum(['key', 'public'], { description: 'Only hits with a key, or only without one.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX })),
};

export const reportHits = defineOperation({
  name: 'hits.report',
  input: Type.Object(ReportInput),
  output: HitReport,
  /** First counts new hits. Throws `invalid_input` for invalid days. */
  async run(services: ReportServices, { organization: reference, since = '7d', until, ...input }) {
    const organization = resolveOrganization(services, reference);
    const range = readRange(services.platform.now(), since, until);
    await rollUpAll(services);
    const callers = { kinds: input.kinds ?? null, access: input.access ?? null };
    return makeReport(services, organization, { range, callers, limit: input.limit ?? 20 });
  },
});

async function makeReport(
  services: ReportServices,
  { id, key, name }: Organization,
  { range, callers, limit }: { range: DayRange; callers: CallerFilter; limit: number },
): Promise<HitReport> {
  const counts = await findCounts(services, key, { range, callers });
  const filter = { organizationKey: key, days: daysWith(counts), callers };
  const ignored = await findIgnoredQuestions(services.db, key);
  const asked = await countQuestions(services, { ...filter, limit, isIgnored: new Set(ignored) });
  const pages = await topValues(services, 'page', { ...filter, limit });
  return {
    organization: { id, name },
    locale: localeOfShops(services.directory.shopsOf(key)),
    ...range,
    ...summaryOf(counts),
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
    questions: [...asked.questions],
    unanswered: [...asked.unanswered],
    ignored,
    asked: asked.asked,
    attributesChoices: services.learned.isOn,
    pages: pages.map(({ value, hits, fromAssistants }) => ({ page: value, hits, fromAssistants })),
    before: await summarizeBefore(services, key, { range, callers }),
    latency: latencyOf((await sumValues(services, 'latency', filter)).byValue),
    dropped: services.ownTraffic.dropped,
  };
}

async function summarizeBefore(
  services: HitServices,
  organizationKey: number,
  { range, callers }: { range: DayRange; callers: CallerFilter },
): Promise<HitReport['before']> {
  const before = rangeBefore(range);
  const counts = await findCounts(services, organizationKey, { range: before, callers });
  const filter = { organizationKey, days: daysWith(counts), callers };
  return { ...before, ...summaryOf(counts), asked: await totalQuestions(services, filter) };
}

async function findCounts(
  { db }: HitServices,
  organizationKey: number,
  { range, callers: { kinds, access } }: { range: DayRange; callers: CallerFilter },
): Promise<HitDayCount[]> {
  const counts = await findHitDays(db, organizationKey, range);
  return counts.filter(
    (row) =>
      (kinds === null || (kinds as readonly string[]).includes(row.agentKind)) &&
      (access === null || row.access === access),
  );
}

function summaryOf(counts: readonly HitDayCount[]) {
  const answers = (access: HitAccess) =>
    sum(counts.filter((row) => row.source === 'service' && row.access === access));
  return {
    hits: sum(counts),
    fromAssistants: sum(counts.filter(isFromAssistant)),
    access: { key: answers('key'), public: answers('public') },
    funnel: Object.entries(STEPS).map(([step, classifications]) => {
      const rows = counts.filter((row) =>
        (classifications as readonly string[]).includes(row.classification),
      );
      const isStep = step as HitReport['funnel'][number]['step'];
      return { step: isStep, hits: sum(rows), fromAssistants: sum(rows.filter(isFromAssistant)) };
    }),
  };
}

function sum(rows: readonly HitDayCount[]): number {
  return rows.reduce((total, { hits }) => total + hits, 0);
}

function isFromAssistant({ agentKind }: HitDayCount): boolean {
  return agentKind.startsWith('ai_');
}

function daysWith(counts: readonly HitDayCount[]): string[] {
  return [...new Set(counts.map(({ day }) => day))];
}

function daysOf(range: DayRange, counts: readonly HitDayCount[]): HitReport['days'] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return daysIn(range).map((day) => {
    const kinds = Object.fromEntries(AGENT_KINDS.map((kind) => [kind, 0])) as Record<
      AgentKind,
      number
    >;
    for (const { agentKind, hits } of byDay.get(day) ?? []) kinds[agentKind as AgentKind] += hits;
    return { day, hits: Object.values(kinds).reduce((total, hits) => total + hits, 0), kinds };
  });
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
function latencyOf(counts: ReadonlyMap<string, HitSums>): HitReport['latency'] {
  if (counts.size === 0) return null;
  const hitsOf = (value: string) => counts.get(value)?.hits ?? 0;
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
