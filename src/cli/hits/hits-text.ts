import { csvLine } from '../../catalog/bytes/csv-table.ts';
import type { AgentKind, HitReport } from '../../operations/hits/report-hits.ts';
import { bold, dim, table } from '../command/cli.ts';

/** The parts that a report can be limited to. */
export const GROUPINGS = ['agent', 'query', 'path', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Display names of the kinds of agents. */
export const KIND_NAMES: Readonly<Record<AgentKind, string>> = {
  human: 'People',
  ai_retrieval: 'Assistants',
  ai_indexer: 'Assistants’ indexes',
  ai_training: 'Model training',
  search_engine: 'Search engines',
  tool: 'Tools',
  unknown: 'Unknown',
};

export const STEP_NAMES: Readonly<Record<HitReport['funnel'][number]['step'], string>> = {
  search: 'Searched',
  link: 'Followed a link',
  checkout: 'Went to checkout',
  purchase: 'Bought',
};

const BAR_WIDTH = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** The report for a terminal; `by` limits it to one part. */
export function renderReport(report: HitReport, by: Grouping | null, columns: number): string {
  const { firstDay, lastDay, organization, hits, fromAssistants, access, dropped } = report;
  const span = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const head = [
    bold(`${organization.name}, ${span}`),
    `${hits} hits, ${fromAssistants} from assistants and their crawlers (${share(fromAssistants, hits)})`,
    `answered by the service: ${access.public} without a key, ${access.key} with one`,
    ...(dropped > 0 ? [`${dropped} of the service’s own hits were dropped under load.`] : []),
  ].join('\n');
  const textWidth = Math.max(20, columns - 36);
  const parts: Readonly<Record<Grouping, () => string[]>> = {
    day: () => [daysTable(report)],
    agent: () => [kindsTable(report), agentsTable(report)],
    query: () => [questionsTable(report, textWidth), unansweredTable(report, textWidth)],
    path: () => [pagesTable(report, textWidth)],
  };
  const chosen =
    by === null
      ? [...GROUPINGS.flatMap((name) => parts[name]()), funnelTable(report), latencyLine(report)]
      : parts[by]();
  return [head, ...chosen.filter((text) => text !== '')].join('\n\n');
}

/**
 * One table of the report as CSV. An apostrophe precedes text that a spreadsheet would run as a
 * formula.
 */
export function reportCsv(report: HitReport, by: Grouping): string {
  const kinds = report.kinds.map(({ kind }) => kind);
  const tables: Readonly<Record<Grouping, () => (string | number)[][]>> = {
    day: () => [
      ['day', 'hits', ...kinds],
      ...report.days.map(({ day, hits, kinds: counts }) => [
        day,
        hits,
        ...kinds.map((kind) => counts[kind]),
      ]),
    ],
    agent: () => [
      ['agent', 'kind', 'hits', 'verified', 'last_day'],
      ...report.agents.map(({ agent, kind, hits, verified, lastDay }) => [
        ...[agent, kind, hits, verified, lastDay],
      ]),
    ],
    query: () => [
      ['question', 'hits', 'from_assistants', 'unanswered'],
      ...report.questions.map((row) => [
        ...[row.question, row.hits, row.fromAssistants, row.unanswered],
      ]),
    ],
    path: () => [
      ['path', 'hits', 'from_assistants'],
      ...report.pages.map(({ page, hits, fromAssistants }) => [page, hits, fromAssistants]),
    ],
  };
  // Excel reads UTF-8 only after a byte order mark.
  return `\ufeff${tables[by]()
    .map((row) => csvLine(row.map(String)))
    .join('')}`;
}

interface TailedHit {
  readonly eventDate: string;
  readonly agent: string;
  readonly agentKind: string;
  readonly isVerified: boolean;
  readonly classification: string;
  readonly page: string | null;
  readonly question: string | null;
  readonly resultCount: number | null;
  readonly tool: string | null;
}

/** One hit on one line. */
export function hitLine(hit: TailedHit): string {
  const { eventDate, agent, agentKind, isVerified, classification, tool } = hit;
  const what = tool === null ? classification : `${classification} ${tool}`;
  const found = hit.resultCount === null ? '' : dim(` (${hit.resultCount} found)`);
  const about = hit.question === null ? printable(hit.page ?? '') : `“${printable(hit.question)}”`;
  const who = `${agent}${isVerified ? ' ✓' : ''} ${dim(agentKind)}`;
  return `${eventDate}  ${what.padEnd(16)}  ${who}  ${about}${found}`;
}

function daysTable({ days }: HitReport): string {
  const most = Math.max(1, ...days.map(({ hits }) => hits));
  const rows = days.map(({ day, hits, kinds }) => [
    day,
    String(hits).padStart(7),
    String(kinds.ai_retrieval + kinds.ai_indexer + kinds.ai_training).padStart(10),
    bar(hits / most),
  ]);
  return table(['day', '   hits', 'assistants', ''], rows);
}

function kindsTable({ kinds, hits }: HitReport): string {
  const rows = kinds
    .filter((row) => row.hits > 0)
    .map((row) => [
      KIND_NAMES[row.kind],
      String(row.hits).padStart(7),
      share(row.hits, hits).padStart(5),
      bar(row.hits / Math.max(1, hits)),
    ]);
  return rows.length === 0 ? '' : table(['kind', '   hits', 'share', ''], rows);
}

function agentsTable({ agents }: HitReport): string {
  const rows = agents.map(({ agent, kind, hits, verified, lastDay }) => [
    agent,
    KIND_NAMES[kind],
    String(hits).padStart(7),
    kind === 'human'
      ? '–'
      : verified === 0
        ? 'self-declared'
        : verified === hits
          ? 'yes'
          : share(verified, hits),
    lastDay,
  ]);
  return rows.length === 0 ? '' : table(['agent', 'kind', '   hits', 'verified', 'last day'], rows);
}

function questionsTable({ questions }: HitReport, width: number): string {
  const rows = questions.map((row) => [
    clip(row.question, width),
    String(row.hits).padStart(7),
    String(row.fromAssistants).padStart(10),
  ]);
  return rows.length === 0 ? '' : table(['question', '   hits', 'assistants'], rows);
}

function unansweredTable({ unanswered }: HitReport, width: number): string {
  const rows = unanswered.map((row) => [
    clip(row.question, width),
    String(row.unanswered).padStart(7),
  ]);
  return rows.length === 0 ? '' : table(['question without results', '  times'], rows);
}

function pagesTable({ pages }: HitReport, width: number): string {
  const rows = pages.map(({ page, hits, fromAssistants }) => [
    clip(page, width),
    String(hits).padStart(7),
    String(fromAssistants).padStart(10),
  ]);
  return rows.length === 0 ? '' : table(['page', '   hits', 'assistants'], rows);
}

function funnelTable({ funnel }: HitReport): string {
  const most = Math.max(1, ...funnel.map(({ hits }) => hits));
  const rows = funnel.map(({ step, hits, fromAssistants }) => [
    STEP_NAMES[step],
    String(hits).padStart(7),
    String(fromAssistants).padStart(10),
    bar(hits / most),
  ]);
  return table(['step', '   hits', 'assistants', ''], rows);
}

function latencyLine({ latency }: HitReport): string {
  if (latency === null) return '';
  const { hits, p50Ms, p95Ms, p99Ms } = latency;
  return `Responses of the service: ${hits}, half within ${p50Ms} ms, 95 % within ${p95Ms} ms, 99 % within ${p99Ms} ms.`;
}

/** `12 %`; a dash if the whole is 0. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

function bar(part: number): string {
  const eighths = Math.ceil(part * BAR_WIDTH * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

function clip(text: string, width: number): string {
  const shown = printable(text);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}

/** Untrusted text without the characters that control a terminal, reverse text or hide it. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '�');
}
