import { REPORT_PARTS, type ReportPart } from '../../operations/hits/export-report.ts';
import type { AgentKind, HitReport } from '../../operations/hits/report-hits.ts';
import { bold, dim } from '../command/cli.ts';
import { table, wrapped } from '../command/table.ts';
import { mendCommands } from './mend-commands.ts';
import { printable } from './printable.ts';

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

export interface RenderOptions {
  /** Limits the report to one part. */
  readonly by: ReportPart | null;
  /** Width of the terminal, in characters. */
  readonly columns: number;
  /** Options of the command that those to mend a question need as well. */
  readonly target?: readonly string[];
}

/** The report for a terminal. */
export function renderReport(
  report: HitReport,
  { by, columns, target = [] }: RenderOptions,
): string {
  const { firstDay, lastDay, organization, hits, fromAssistants, access, dropped } = report;
  const span = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const head = [
    ...wrapped(`${organization.name}, ${span}`, columns).map(bold),
    `${hits} hits, ${fromAssistants} from assistants and their crawlers (${share(fromAssistants, hits)})`,
    `answered by the service: ${access.public} without a key, ${access.key} with one`,
    ...wrapped(comparison(report), columns),
    ...(dropped > 0 ? [`${dropped} of the service’s own hits were dropped under load.`] : []),
  ].join('\n');
  const textWidth = Math.max(20, columns - 36);
  const parts: Readonly<Record<ReportPart, () => string[]>> = {
    day: () => [daysTable(report)],
    agent: () => [kindsTable(report), agentsTable(report)],
    query: () => [questionsTable(report, textWidth)],
    unanswered: () =>
      by === null
        ? [unansweredTable(report, textWidth)]
        : report.unanswered.map((row) => mending(row, target)),
    path: () => [pagesTable(report, textWidth)],
  };
  const chosen =
    by === null
      ? [...REPORT_PARTS.flatMap((name) => parts[name]()), funnelTable(report), latencyLine(report)]
      : parts[by]();
  return [head, ...chosen.filter((text) => text !== '')].join('\n\n');
}

function comparison({ before, hits, asked }: HitReport): string {
  const { firstDay, lastDay } = before;
  const span = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const changes = [
    `${before.hits} hits (${change(hits, before.hits)})`,
    `${before.asked.hits} searches (${change(asked.hits, before.asked.hits)})`,
    `${before.asked.unanswered} without a good answer (${change(asked.unanswered, before.asked.unanswered)})`,
  ];
  return `before, ${span}: ${changes.join(', ')}`;
}

/** `now +12 %`; a dash if there was nothing before. */
function change(now: number, before: number): string {
  if (before === 0) return '–';
  const percent = Math.round((100 * (now - before)) / before);
  return `now ${percent > 0 ? '+' : ''}${percent} %`;
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

function questionsTable({ questions, attributesChoices }: HitReport, width: number): string {
  const rows = questions.map((row) => [
    clip(row.question, width - 2 * RATE_WIDTH),
    String(row.hits).padStart(7),
    String(row.fromAssistants).padStart(10),
    share(row.chosen, row.fromCustomers).padStart(RATE_WIDTH - 2),
    share(row.bought, row.fromCustomers).padStart(RATE_WIDTH - 2),
  ]);
  if (rows.length === 0) return '';
  const headings = ['question', '   hits', 'assistants', 'clicked', ' bought'];
  const remark = attributesChoices ? '' : '\nLearning is off, so that clicks are not attributed.';
  return table(headings, rows) + remark;
}

/** Width of a column with a rate, in characters. */
const RATE_WIDTH = 9;

function unansweredTable({ unanswered, ignored }: HitReport, width: number): string {
  const rows = unanswered.map((row) => [
    clip(row.question, width),
    String(row.unanswered).padStart(7),
  ]);
  if (rows.length === 0) return '';
  const without = ignored.length === 0 ? '' : ` Without ${ignored.length} ignored.`;
  return `${table(['question without a good answer', '  times'], rows)}
${dim(`To mend them: vitrine hits report --by unanswered.${without}`)}`;
}

function mending(
  { question, unanswered, hits }: HitReport['unanswered'][number],
  target: readonly string[],
): string {
  const head = `${bold(printable(question))}: ${unanswered} of ${hits} without a good answer`;
  return [head, ...mendCommands(question, target).map((command) => `  ${command}`)].join('\n');
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
