import type { Translator } from '../../messages/translator.ts';
import { REPORT_PARTS, type ReportPart } from '../../operations/hits/export-report.ts';
import type { HitReport } from '../../operations/hits/report-hits.ts';
import { bold, dim } from '../command/cli.ts';
import { table, wrapped } from '../command/table.ts';
import { mendCommands } from './mend-commands.ts';
import { printable } from './printable.ts';
import { ReportWording } from './report-wording.ts';

const BAR_WIDTH = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export interface RenderOptions {
  readonly translator: Translator;
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
  { translator, by, columns, target = [] }: RenderOptions,
): string {
  const wording = new ReportWording(translator);
  const textWidth = Math.max(20, columns - 36);
  const parts: Readonly<Record<ReportPart, () => string[]>> = {
    day: () => [daysTable(report, wording)],
    agent: () => [kindsTable(report, wording), agentsTable(report, wording)],
    query: () => [questionsTable(report, wording, textWidth)],
    unanswered: () =>
      by === null
        ? [unansweredTable(report, wording, textWidth)]
        : report.unanswered.map((row) => mending(row, { wording, target })),
    path: () => [pagesTable(report, wording, textWidth)],
  };
  const latency = report.latency === null ? '' : wording.latency(report.latency);
  const chosen =
    by === null
      ? [
          ...REPORT_PARTS.flatMap((name) => parts[name]()),
          ...[funnelTable(report, wording), latency],
        ]
      : parts[by]();
  return [heading(report, wording, columns), ...chosen.filter((text) => text !== '')].join('\n\n');
}

function heading(report: HitReport, wording: ReportWording, columns: number): string {
  const { firstDay, lastDay, organization, hits, fromAssistants, access, dropped } = report;
  const { text } = wording;
  const title = `${organization.name}, ${wording.span(firstDay, lastDay)}`;
  const summary = [
    text('report.fromAssistants', {
      hits: text('report.hits', { count: hits }),
      assistants: fromAssistants,
      share: wording.share(fromAssistants, hits),
    }),
    text('report.answered', access),
    comparison(report, wording),
    ...(dropped > 0 ? [text('report.dropped', { count: dropped })] : []),
  ];
  return [
    ...wrapped(title, columns).map(bold),
    ...summary.flatMap((line) => wrapped(line, columns)),
  ].join('\n');
}

function comparison({ before, hits, asked }: HitReport, wording: ReportWording): string {
  const { text } = wording;
  const compared = (counted: string, now: number, was: number) => {
    const change = wording.change(now, was);
    return change === null ? counted : text('report.now', { counted, change });
  };
  const was = before.asked;
  return text('report.before', {
    span: wording.span(before.firstDay, before.lastDay),
    hits: compared(text('report.hits', { count: before.hits }), hits, before.hits),
    searches: compared(text('report.searches', { count: was.hits }), asked.hits, was.hits),
    unanswered: compared(
      text('report.unanswered', { count: was.unanswered }),
      ...([asked.unanswered, was.unanswered] as const),
    ),
  });
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

function daysTable({ days }: HitReport, { text, translator }: ReportWording): string {
  const most = Math.max(1, ...days.map(({ hits }) => hits));
  return table(
    ...aligned([
      [text('report.column.day'), days.map(({ day }) => day)],
      [text('report.column.hits'), days.map(({ hits }) => translator.count(hits)), 'number'],
      [
        text('report.column.assistants'),
        days.map(({ kinds }) =>
          translator.count(kinds.ai_retrieval + kinds.ai_indexer + kinds.ai_training),
        ),
        'number',
      ],
      ['', days.map(({ hits }) => bar(hits / most))],
    ]),
  );
}

function kindsTable({ kinds, hits }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const rows = kinds.filter((row) => row.hits > 0);
  if (rows.length === 0) return '';
  return table(
    ...aligned([
      [text('report.column.kind'), rows.map(({ kind }) => wording.kind(kind))],
      [text('report.column.hits'), rows.map((row) => translator.count(row.hits)), 'number'],
      [text('report.column.share'), rows.map((row) => wording.share(row.hits, hits)), 'number'],
      ['', rows.map((row) => bar(row.hits / Math.max(1, hits)))],
    ]),
  );
}

function agentsTable({ agents }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  if (agents.length === 0) return '';
  return table(
    ...aligned([
      [text('report.column.agent'), agents.map(({ agent }) => agent)],
      [text('report.column.kind'), agents.map(({ kind }) => wording.kind(kind))],
      [text('report.column.hits'), agents.map(({ hits }) => translator.count(hits)), 'number'],
      [text('report.column.identity'), agents.map((agent) => wording.identity(agent))],
      [text('report.column.lastDay'), agents.map(({ lastDay }) => lastDay)],
    ]),
  );
}

function questionsTable(
  { questions, attributesChoices }: HitReport,
  wording: ReportWording,
  width: number,
): string {
  const { text, translator } = wording;
  if (questions.length === 0) return '';
  const rates = table(
    ...aligned([
      [
        text('report.column.question'),
        questions.map(({ question }) => clip(question, width - RATES_WIDTH)),
      ],
      [text('report.column.hits'), questions.map(({ hits }) => translator.count(hits)), 'number'],
      [
        text('report.column.assistants'),
        questions.map(({ fromAssistants }) => translator.count(fromAssistants)),
        'number',
      ],
      [
        text('report.column.clicked'),
        questions.map(({ chosen, fromCustomers }) => wording.share(chosen, fromCustomers)),
        'number',
      ],
      [
        text('report.column.bought'),
        questions.map(({ bought, fromCustomers }) => wording.share(bought, fromCustomers)),
        'number',
      ],
    ]),
  );
  return attributesChoices ? rates : `${rates}\n${text('report.notAttributed')}`;
}

/** Width of the two columns with rates, in characters. */
const RATES_WIDTH = 18;

function unansweredTable(
  { unanswered, ignored }: HitReport,
  { text, translator }: ReportWording,
  width: number,
): string {
  if (unanswered.length === 0) return '';
  const counts = table(
    ...aligned([
      [text('report.gaps'), unanswered.map(({ question }) => clip(question, width))],
      [
        text('report.column.times'),
        unanswered.map((row) => translator.count(row.unanswered)),
        'number',
      ],
    ]),
  );
  const hints = [
    text('report.mend', { command: 'vitrine hits report --by unanswered' }),
    ...(ignored.length === 0 ? [] : [text('report.ignored', { count: ignored.length })]),
  ];
  return [counts, ...hints.map(dim)].join('\n');
}

function mending(
  { question, unanswered, hits }: HitReport['unanswered'][number],
  { wording, target }: { wording: ReportWording; target: readonly string[] },
): string {
  const asked = bold(printable(question));
  const head = wording.text('report.gapOf', { question: asked, unanswered, hits });
  return [head, ...mendCommands(question, target).map(({ command }) => `  ${command}`)].join('\n');
}

function pagesTable(
  { pages }: HitReport,
  { text, translator }: ReportWording,
  width: number,
): string {
  if (pages.length === 0) return '';
  return table(
    ...aligned([
      [text('report.column.page'), pages.map(({ page }) => clip(page, width))],
      [text('report.column.hits'), pages.map(({ hits }) => translator.count(hits)), 'number'],
      [
        text('report.column.assistants'),
        pages.map(({ fromAssistants }) => translator.count(fromAssistants)),
        'number',
      ],
    ]),
  );
}

function funnelTable({ funnel }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const most = Math.max(1, ...funnel.map(({ hits }) => hits));
  return table(
    ...aligned([
      [text('report.column.step'), funnel.map(({ step }) => wording.step(step))],
      [text('report.column.hits'), funnel.map(({ hits }) => translator.count(hits)), 'number'],
      [
        text('report.column.assistants'),
        funnel.map(({ fromAssistants }) => translator.count(fromAssistants)),
        'number',
      ],
      ['', funnel.map(({ hits }) => bar(hits / most))],
    ]),
  );
}

/** A heading with the cells below it. */
type Column = readonly [heading: string, cells: readonly string[], kind?: 'number'];

/** Headings and rows of a table. Numbers and their headings stand on the right. */
function aligned(columns: readonly Column[]): [string[], string[][]] {
  const padded = columns.map(([heading, cells, kind]) => {
    const width = Math.max(heading.length, ...cells.map(({ length }) => length));
    return [heading, ...cells].map((cell) => (kind === 'number' ? cell.padStart(width) : cell));
  });
  const [headings, ...rows] = padded[0]!.map((_, row) => padded.map((column) => column[row]!));
  return [headings!, rows];
}

function bar(part: number): string {
  const eighths = Math.ceil(part * BAR_WIDTH * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

function clip(text: string, width: number): string {
  const shown = printable(text);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}
