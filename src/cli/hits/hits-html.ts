import { escapeHtml } from '../../domain/html.ts';
import type { AgentKind, HitReport } from '../../operations/hits/report-hits.ts';
import { histogram, stackedBars } from './charts.ts';
import { KIND_NAMES, STEP_NAMES, share } from './hits-text.ts';
import { printable } from './printable.ts';

/** From the bottom of a bar to its top. Assistants come first, because the report is about them. */
const STACK: readonly AgentKind[] = [
  ...(['ai_retrieval', 'ai_indexer', 'ai_training'] as const),
  ...(['search_engine', 'tool', 'unknown', 'human'] as const),
];

const STYLE = `
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #e4e7ec; --text: #17202e; --soft: #667085; --accent: #5b5bd6;
  --ai_retrieval: #5b5bd6; --ai_indexer: #8e8cf0; --ai_training: #c4c1fa; --search_engine: #12a594;
  --tool: #f5b83d; --unknown: #98a2b3; --human: #d5dbe4; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0d1117; --card: #151b24; --line: #262e3a; --text: #e8ecf2; --soft: #93a0b4; --accent: #8f8df5;
  --ai_retrieval: #8f8df5; --ai_indexer: #6a67d6; --ai_training: #4a4894; --search_engine: #1fb8a4;
  --tool: #d9a032; --unknown: #66748a; --human: #38434f; } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; padding: 40px 20px 64px; }
main { max-width: 1080px; margin: 0 auto; display: grid; gap: 20px; grid-template-columns: repeat(2, minmax(0, 1fr)); }
header, .wide { grid-column: 1 / -1; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -.02em; font-weight: 650; }
header p { color: var(--soft); margin-top: 4px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 22px 24px; min-width: 0; }
h2 { font-size: 15px; font-weight: 600; }
section > p { color: var(--soft); font-size: 13px; margin-top: 2px; }
section > div:last-child { margin-top: 16px; }
section.figures > div:last-child { margin-top: 0; }
section.figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 20px; background: none; border: 0; padding: 0; }
section.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 16px 20px; margin: 0; }
.figures b { display: block; font-size: 28px; line-height: 1.25; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.figures span { color: var(--soft); font-size: 13px; }
svg { display: block; width: 100%; height: auto; font-size: 12px; fill: var(--soft); }
svg line { stroke: var(--line); } svg .value { fill: var(--text); }
ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--soft); }
.legend b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; table-layout: fixed; }
th { text-align: left; font-size: 12px; font-weight: 500; color: var(--soft); padding: 0 0 6px; }
td { padding: 7px 0; border-top: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
td:not(.named):not(.number), th:not(.named):not(.number) { padding-left: 12px; }
th.number, td.number { text-align: right; width: 76px; font-variant-numeric: tabular-nums; }
td.named { background: linear-gradient(90deg, color-mix(in srgb, var(--accent) 15%, transparent) var(--part), transparent 0) left / 100% calc(100% - 8px) no-repeat; border-radius: 4px; padding-left: 8px; background-position: 0 4px; }
th.named { padding-left: 8px; }
.tag { font-size: 12px; color: var(--soft); }
.verified { color: var(--search_engine); }
.funnel { display: grid; gap: 12px; }
.funnel div { display: grid; grid-template-columns: 130px 1fr 110px; gap: 14px; align-items: center; font-size: 14px; }
.track { background: color-mix(in srgb, var(--line) 55%, transparent); border-radius: 6px; height: 26px; overflow: hidden; display: flex; }
.track i { display: block; height: 100%; }
.funnel em { font-style: normal; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; }
.funnel em b { color: var(--text); font-weight: 600; }
footer { grid-column: 1 / -1; color: var(--soft); font-size: 13px; }
@media (max-width: 760px) { main { grid-template-columns: minmax(0, 1fr); } section.figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; } th:nth-child(3):nth-last-child(2), td:nth-child(3):nth-last-child(2) { display: none; } section { padding: 18px; } .funnel div { grid-template-columns: 1fr; gap: 4px; } .funnel em { text-align: left; } }
@media print { body { background: none; padding: 0; } section { break-inside: avoid; } }
`;

/** The report as one self-contained page without scripts or external addresses. */
export function renderReportHtml(report: HitReport): string {
  const { organization, firstDay, lastDay } = report;
  const span = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const title = `Hits of ${organization.name}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(`${title}, ${span}`)}</title><style>${STYLE}</style></head>
<body><main>
<header><h1>${escapeHtml(title)}</h1><p>${span}, days in UTC</p></header>
${figures(report)}
${daysSection(report)}
${funnelSection(report)}
${agentsSection(report)}
${questionsSection(report)}
${unansweredSection(report)}
${pagesSection(report)}
${classificationsSection(report)}
${latencySection(report)}
<footer>${footer(report)}</footer>
</main></body></html>
`;
}

function figures({ hits, fromAssistants, access, questions, funnel }: HitReport): string {
  const asked = questions.reduce((sum, row) => sum + row.hits, 0);
  const unanswered = questions.reduce((sum, row) => sum + row.unanswered, 0);
  const checkouts = funnel.find(({ step }) => step === 'checkout')!.hits;
  const cells = [
    [number(hits), 'hits'],
    [share(fromAssistants, hits), `from assistants and their crawlers (${number(fromAssistants)})`],
    [share(unanswered, asked), 'of the top questions had no good answer'],
    [number(checkouts), 'went to checkout'],
    [number(access.public), 'answers without a key, to public assistants'],
    [number(access.key), 'answers to callers with a key'],
  ];
  return `<section class="wide figures">${cells.map(([value, label]) => `<div><b>${value}</b><span>${label}</span></div>`).join('')}</section>`;
}

function daysSection({ days, kinds }: HitReport): string {
  const present = STACK.filter((kind) => kinds.some((row) => row.kind === kind && row.hits > 0));
  const series = present.map((kind) => ({
    name: KIND_NAMES[kind],
    color: colorOf(kind),
    values: days.map((day) => day.kinds[kind]),
  }));
  const legend = present.map((kind) => {
    const { hits } = kinds.find((row) => row.kind === kind)!;
    return `<li><span class="dot" style="background:${colorOf(kind)}"></span>${KIND_NAMES[kind]} <b>${number(hits)}</b></li>`;
  });
  const labels = days.map(({ day }) => day.slice(5));
  return card(
    { title: 'Hits a day', isWide: true },
    `<ul class="legend">${legend.join('')}</ul>${stackedBars(labels, series)}`,
  );
}

function funnelSection({ funnel }: HitReport): string {
  const most = Math.max(1, ...funnel.map(({ hits }) => hits));
  const rows = funnel.map(({ step, hits, fromAssistants }) => {
    const part = (count: number) => ((100 * count) / most).toFixed(2);
    const bar = `<i style="width:${part(fromAssistants)}%;background:var(--accent)"></i><i style="width:${part(hits - fromAssistants)}%;background:var(--human)"></i>`;
    return `<div><span>${STEP_NAMES[step]}</span><span class="track">${bar}</span><em><b>${number(hits)}</b> · ${share(hits, most)}</em></div>`;
  });
  const note = 'How often each step was taken. The coloured part shows assistants.';
  return card(
    { title: 'From question to purchase', note, isWide: true },
    `<div class="funnel">${rows.join('')}</div>`,
  );
}

function agentsSection({ agents }: HitReport): string {
  const rows = agents.slice(0, SHOWN).map(({ agent, kind, hits, verified, lastDay }) => ({
    name: agent,
    mark: `<span class="dot" style="background:${colorOf(kind)}"></span>`,
    cells: [
      kind === 'human'
        ? '<span class="tag">–</span>'
        : verified === 0
          ? '<span class="tag">self-declared</span>'
          : `<span class="verified">${verified === hits ? 'verified' : `${share(verified, hits)} verified`}</span>`,
      `<span class="tag">${lastDay}</span>`,
      number(hits),
    ],
    part: hits / agents[0]!.hits,
  }));
  const note =
    'A user agent is self-declared. “Verified” means that the edge network confirmed the identity.';
  return card(
    { title: 'Who came', note, isWide: true },
    tableOf(['Agent', 'Identity', 'Last seen', 'Hits'], rows),
  );
}

function questionsSection({ questions }: HitReport): string {
  const rows = questions.slice(0, SHOWN).map(({ question, hits, fromAssistants }) => ({
    name: question,
    cells: [share(fromAssistants, hits), number(hits)],
    part: hits / questions[0]!.hits,
  }));
  return card({ title: 'What was asked' }, tableOf(['Question', 'Assistants', 'Times'], rows));
}

function unansweredSection({ unanswered }: HitReport): string {
  const rows = unanswered.slice(0, SHOWN).map((row) => ({
    name: row.question,
    cells: [number(row.unanswered)],
    part: row.unanswered / unanswered[0]!.unanswered,
  }));
  return card({ title: 'Questions without a good answer' }, tableOf(['Question', 'Times'], rows));
}

function pagesSection({ pages }: HitReport): string {
  const rows = pages.slice(0, SHOWN).map(({ page, hits, fromAssistants }) => ({
    name: page,
    cells: [share(fromAssistants, hits), number(hits)],
    part: hits / pages[0]!.hits,
  }));
  return card({ title: 'Where' }, tableOf(['Path', 'Assistants', 'Hits'], rows));
}

function classificationsSection({ classifications }: HitReport): string {
  const rows = classifications.slice(0, SHOWN).map(({ classification, hits }) => ({
    name: classification.replaceAll('_', ' '),
    cells: [number(hits)],
    part: hits / classifications[0]!.hits,
  }));
  return card({ title: 'What happened' }, tableOf(['Event', 'Hits'], rows));
}

function latencySection({ latency }: HitReport): string {
  if (latency === null) return '';
  const { classes, p50Ms, p95Ms, p99Ms, hits } = latency;
  const lastUsed = classes.findLastIndex((row) => row.hits > 0);
  const shown = classes.slice(0, Math.max(6, lastUsed + 1)).map(({ upToMs, hits: value }) => ({
    label: upToMs === null ? 'slower' : upToMs < 1000 ? `≤ ${upToMs} ms` : `≤ ${upToMs / 1000} s`,
    value,
  }));
  const note = `${number(hits)} responses of the service: half within ${p50Ms} ms, 95 % within ${p95Ms} ms, 99 % within ${p99Ms} ms.`;
  return card({ title: 'How fast', note, isWide: true }, histogram(shown, 'var(--accent)'));
}

function footer({ dropped }: HitReport): string {
  const lost =
    dropped > 0 ? ` ${number(dropped)} of the service’s own hits were dropped under load.` : '';
  return `Made by vitrine.${lost}`;
}

/** Rows of a list on the page. The command line and CSV show all rows. */
const SHOWN = 12;

interface TableRow {
  readonly name: string;
  /** HTML before the name. */
  readonly mark?: string;
  /** HTML of each cell; the last cell is a number. */
  readonly cells: readonly string[];
  /** Length of the bar behind the name, 0 to 1. */
  readonly part: number;
}

function tableOf(headings: readonly string[], rows: readonly TableRow[]): string {
  if (rows.length === 0) return '<p class="tag">Nothing.</p>';
  const isNumber = (index: number) =>
    index > 0 && (headings.length < 4 || index === headings.length - 1);
  const attribute = (index: number) =>
    index === 0 ? ' class="named"' : isNumber(index) ? ' class="number"' : ' style="width:130px"';
  const head = headings.map((heading, index) => `<th${attribute(index)}>${heading}</th>`).join('');
  const body = rows.map(({ name, mark = '', cells, part }) => {
    const text = escapeHtml(printable(name));
    const first = `<td class="named" style="--part:${(100 * part).toFixed(1)}%" title="${text}">${mark}${text}</td>`;
    const further = cells.map(
      (cell, index) => `<td${isNumber(index + 1) ? ' class="number"' : ''}>${cell}</td>`,
    );
    return `<tr>${first}${further.join('')}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function card(
  { title, note, isWide = false }: { title: string; note?: string; isWide?: boolean },
  content: string,
): string {
  const remark = note === undefined ? '' : `<p>${note}</p>`;
  return `<section${isWide ? ' class="wide"' : ''}><h2>${title}</h2>${remark}<div>${content}</div></section>`;
}

function colorOf(kind: AgentKind): string {
  return `var(--${kind})`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
