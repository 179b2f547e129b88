import { escapeHtml } from '../../domain/html.ts';
import type { Translator } from '../../messages/translator.ts';
import type { AgentKind, HitReport } from '../../operations/hits/report-hits.ts';
import { histogram, stackedBars } from './charts.ts';
import { mendCommands } from './mend-commands.ts';
import { printable } from './printable.ts';
import { figures } from './report-figures.ts';
import { REPORT_STYLE } from './report-style.ts';
import { ReportWording } from './report-wording.ts';

/** From the bottom of a bar to its top. Assistants come first, because the report is about them. */
const STACK: readonly AgentKind[] = [
  ...(['ai_retrieval', 'ai_indexer', 'ai_training'] as const),
  ...(['search_engine', 'tool', 'unknown', 'human'] as const),
];

/** Rows of a list on the page. The command line and CSV show all rows. */
const SHOWN = 12;

export interface PageOptions {
  readonly translator: Translator;
  /** Options of the command that those to mend a question need as well. */
  readonly target?: readonly string[];
}

/** The report as one self-contained page without scripts or external addresses. */
export function renderReportHtml(
  report: HitReport,
  { translator, target = [] }: PageOptions,
): string {
  const wording = new ReportWording(translator);
  const { organization, firstDay, lastDay, before } = report;
  const span = wording.span(firstDay, lastDay);
  const title = wording.text('report.title', { name: organization.name });
  const days = wording.text('report.days', {
    ...{ span, before: wording.span(before.firstDay, before.lastDay) },
  });
  return `<!doctype html>
<html lang="${translator.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(`${title}, ${span}`)}</title><style>${REPORT_STYLE}</style></head>
<body><main>
<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(days)}</p></header>
${figures(report, wording)}
${daysSection(report, wording)}
${funnelSection(report, wording)}
${questionsSection(report, wording)}
${gapsSection(report, wording, target)}
${agentsSection(report, wording)}
${pagesSection(report, wording)}
${eventsSection(report, wording)}
${latencySection(report, wording)}
<footer>${footer(report, wording)}</footer>
</main></body></html>
`;
}

function daysSection({ days, kinds }: HitReport, wording: ReportWording): string {
  const { translator } = wording;
  const present = STACK.filter((kind) => kinds.some((row) => row.kind === kind && row.hits > 0));
  const series = present.map((kind) => ({
    name: wording.kind(kind),
    color: colorOf(kind),
    values: days.map((day) => day.kinds[kind]),
  }));
  const legend = present.map((kind) => {
    const { hits } = kinds.find((row) => row.kind === kind)!;
    return `<li>${dot(kind)}${escapeHtml(wording.kind(kind))} <b>${translator.count(hits)}</b></li>`;
  });
  const labels = days.map(({ day }) => translator.day(day, 'withoutYear'));
  return card(
    { title: wording.text('report.daily'), isWide: true },
    `<ul class="legend">${legend.join('')}</ul>${stackedBars(labels, series)}`,
  );
}

function funnelSection({ funnel, before }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const most = Math.max(1, ...funnel.map(({ hits }) => hits));
  const rows = funnel.map(({ step, hits, fromAssistants }) => {
    const part = (count: number) => ((100 * count) / most).toFixed(2);
    const bar = `<i style="width:${part(fromAssistants)}%;background:var(--accent)"></i><i style="width:${part(hits - fromAssistants)}%;background:var(--human)"></i>`;
    const was = before.funnel.find((row) => row.step === step)?.hits ?? 0;
    const change = wording.change(hits, was);
    const counted =
      change === null
        ? ''
        : ` <span class="tag">${escapeHtml(text('report.was', { before: translator.count(was), change }))}</span>`;
    return `<div><span>${escapeHtml(wording.step(step))}</span><span class="track">${bar}</span><em><b>${translator.count(hits)}</b>${counted}</em></div>`;
  });
  return card(
    { title: text('report.funnel'), note: text('report.funnelNote'), isWide: true },
    `<div class="funnel">${rows.join('')}</div>`,
  );
}

function questionsSection(
  { questions, attributesChoices }: HitReport,
  wording: ReportWording,
): string {
  const { text, translator } = wording;
  const rows = questions.slice(0, SHOWN).map((row) => ({
    name: row.question,
    cells: [
      translator.count(row.hits),
      wording.share(row.fromAssistants, row.hits),
      wording.share(row.chosen, row.fromCustomers),
      wording.share(row.bought, row.fromCustomers),
    ],
    part: row.hits / questions[0]!.hits,
  }));
  const columns: readonly Column[] = [
    { heading: text('report.column.question') },
    { heading: text('report.column.times'), kind: 'number' },
    { heading: text('report.column.assistants'), kind: 'number', isSpare: true },
    { heading: text('report.column.clicked'), kind: 'number' },
    { heading: text('report.column.bought'), kind: 'number' },
  ];
  const note = text(attributesChoices ? 'report.questionsNote' : 'report.notAttributed');
  return card(
    { title: text('report.questions'), note, isWide: true },
    tableOf(columns, rows, wording),
  );
}

function gapsSection(
  { unanswered, ignored }: HitReport,
  { text }: ReportWording,
  target: readonly string[],
): string {
  const items = unanswered.slice(0, SHOWN).map(({ question, unanswered: times, hits }) => {
    const head = text('report.gapOf', { question: printable(question), unanswered: times, hits });
    const ways = mendCommands(question, target).map(
      ({ way, command }) =>
        `<dt>${escapeHtml(text(`report.mend.${way}`))}</dt><dd><code>${escapeHtml(command)}</code></dd>`,
    );
    return `<li><p>${escapeHtml(head)}</p><dl>${ways.join('')}</dl></li>`;
  });
  const list =
    items.length === 0
      ? `<p class="tag">${text('report.none')}</p>`
      : `<ul class="gaps">${items.join('')}</ul>`;
  const left =
    ignored.length === 0
      ? ''
      : `<p class="remark">${escapeHtml(text('report.ignored', { count: ignored.length }))}</p>`;
  return card(
    {
      ...{ title: text('report.gaps'), note: text('report.gapsNote') },
      ...{ isWide: true, isLong: true },
    },
    list + left,
  );
}

function agentsSection({ agents }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const rows = agents.slice(0, SHOWN).map((agent) => ({
    name: agent.agent,
    mark: dot(agent.kind),
    cells: [
      `<span class="${agent.verified > 0 && agent.kind !== 'human' ? 'verified' : 'tag'}">${escapeHtml(wording.identity(agent))}</span>`,
      `<span class="tag">${escapeHtml(translator.day(agent.lastDay))}</span>`,
      translator.count(agent.hits),
    ],
    part: agent.hits / agents[0]!.hits,
  }));
  const columns: readonly Column[] = [
    { heading: text('report.column.agent') },
    { heading: text('report.column.identity'), kind: 'middle' },
    { heading: text('report.column.lastDay'), kind: 'middle', isSpare: true },
    { heading: text('report.column.hits'), kind: 'number' },
  ];
  return card(
    { title: text('report.agents'), note: text('report.agentsNote'), isWide: true },
    tableOf(columns, rows, wording),
  );
}

function pagesSection({ pages }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const rows = pages.slice(0, SHOWN).map(({ page, hits, fromAssistants }) => ({
    name: page,
    cells: [wording.share(fromAssistants, hits), translator.count(hits)],
    part: hits / pages[0]!.hits,
  }));
  const columns: readonly Column[] = [
    { heading: text('report.column.page') },
    { heading: text('report.column.assistants'), kind: 'number', isSpare: true },
    { heading: text('report.column.hits'), kind: 'number' },
  ];
  return card({ title: text('report.pages') }, tableOf(columns, rows, wording));
}

function eventsSection({ classifications }: HitReport, wording: ReportWording): string {
  const { text, translator } = wording;
  const rows = classifications.slice(0, SHOWN).map(({ classification, hits }) => ({
    name: wording.event(classification),
    cells: [translator.count(hits)],
    part: hits / classifications[0]!.hits,
  }));
  const columns: readonly Column[] = [
    { heading: text('report.column.event') },
    { heading: text('report.column.hits'), kind: 'number' },
  ];
  return card({ title: text('report.events') }, tableOf(columns, rows, wording));
}

function latencySection({ latency }: HitReport, wording: ReportWording): string {
  if (latency === null) return '';
  const { text, translator } = wording;
  const { classes } = latency;
  const lastUsed = classes.findLastIndex((row) => row.hits > 0);
  const shown = classes.slice(0, Math.max(6, lastUsed + 1)).map(({ upToMs, hits: value }) => ({
    label:
      upToMs === null
        ? text('report.slower')
        : upToMs < 1000
          ? `≤ ${upToMs} ms`
          : `≤ ${upToMs / 1000} s`,
    value,
    shown: translator.count(value),
  }));
  const note = wording.latency(latency);
  return card(
    { title: text('report.latency'), note, isWide: true },
    histogram(shown, 'var(--accent)'),
  );
}

function footer({ dropped }: HitReport, { text }: ReportWording): string {
  const lost = dropped > 0 ? ` ${text('report.dropped', { count: dropped })}` : '';
  return escapeHtml(text('report.made') + lost);
}

interface Column {
  readonly heading: string;
  readonly kind?: 'named' | 'number' | 'middle';
  /** Left out where there is little room. */
  readonly isSpare?: boolean;
}

interface TableRow {
  readonly name: string;
  /** HTML before the name. */
  readonly mark?: string;
  /** HTML of each cell. */
  readonly cells: readonly string[];
  /** Length of the bar behind the name, 0 to 1. */
  readonly part: number;
}

function tableOf(
  columns: readonly Column[],
  rows: readonly TableRow[],
  { text }: ReportWording,
): string {
  if (rows.length === 0) return `<p class="tag">${text('report.none')}</p>`;
  const classOf = ({ kind = 'named', isSpare = false }: Column) =>
    ` class="${kind}${isSpare ? ' spare' : ''}"`;
  const head = columns.map((column) => `<th${classOf(column)}>${escapeHtml(column.heading)}</th>`);
  const body = rows.map(({ name, mark = '', cells, part }) => {
    const shown = escapeHtml(printable(name));
    const first = `<td class="named" style="--part:${(100 * part).toFixed(1)}%" title="${shown}">${mark}${shown}</td>`;
    const further = cells.map((cell, index) => `<td${classOf(columns[index + 1]!)}>${cell}</td>`);
    return `<tr>${first}${further.join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

interface Card {
  readonly title: string;
  readonly note?: string;
  readonly isWide?: boolean;
  /** May be broken across pages of paper. */
  readonly isLong?: boolean;
}

function card({ title, note, isWide = false, isLong = false }: Card, content: string): string {
  const remark = note === undefined ? '' : `<p>${escapeHtml(note)}</p>`;
  const name = `${isWide ? 'wide' : ''}${isLong ? ' long' : ''}`;
  return `<section class="${name}"><h2>${escapeHtml(title)}</h2>${remark}<div>${content}</div></section>`;
}

function dot(kind: AgentKind): string {
  return `<span class="dot" style="background:${colorOf(kind)}"></span>`;
}

function colorOf(kind: AgentKind): string {
  return `var(--${kind})`;
}
