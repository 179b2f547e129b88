import { escapeHtml } from '../../domain/html.ts';
import type { HitReport } from '../../operations/hits/report-hits.ts';
import type { ReportWording } from './report-wording.ts';

/** Its value, and how it was in the period before; null if there was nothing then. */
interface Figure {
  readonly value: string;
  readonly was: string | null;
  readonly label: string;
}

/** The main figures of the page, each with the period before. */
export function figures(report: HitReport, wording: ReportWording): string {
  const { before, asked, access } = report;
  const { text } = wording;
  const was = before.asked;
  const shown: readonly Figure[] = [
    {
      ...counted(report.hits, before.hits, wording),
      label: text('report.figure.hits'),
    },
    {
      ...shared(
        [report.fromAssistants, report.hits],
        [before.fromAssistants, before.hits],
        wording,
      ),
      label: text('report.figure.assistants'),
    },
    { ...counted(asked.hits, was.hits, wording), label: text('report.figure.searches') },
    {
      ...shared([asked.unanswered, asked.hits], [was.unanswered, was.hits], wording),
      label: text('report.figure.unanswered'),
    },
    {
      ...shared([asked.chosen, asked.fromCustomers], [was.chosen, was.fromCustomers], wording),
      label: text('report.figure.clicked'),
    },
    {
      ...shared([asked.bought, asked.fromCustomers], [was.bought, was.fromCustomers], wording),
      label: text('report.figure.bought'),
    },
    {
      ...counted(access.public, before.access.public, wording),
      label: text('report.figure.public'),
    },
    { ...counted(access.key, before.access.key, wording), label: text('report.figure.key') },
  ];
  const cells = shown.map(
    ({ value, was: earlier, label }) =>
      `<div><b>${escapeHtml(value)}</b><span>${escapeHtml(label)}</span>${
        earlier === null ? '' : `<span class="was">${escapeHtml(earlier)}</span>`
      }</div>`,
  );
  return `<section class="wide figures">${cells.join('')}</section>`;
}

function counted(now: number, was: number, wording: ReportWording): Omit<Figure, 'label'> {
  const { text, translator } = wording;
  const change = wording.change(now, was);
  const before = translator.count(was);
  return {
    value: translator.count(now),
    was: change === null ? null : text('report.was', { before, change }),
  };
}

/** A part and its whole. */
type Share = readonly [part: number, whole: number];

function shared(now: Share, was: Share, wording: ReportWording): Omit<Figure, 'label'> {
  const { text } = wording;
  const value = wording.share(...now);
  if (now[1] === 0 || was[1] === 0) return { value, was: null };
  const points = Math.round((100 * now[0]) / now[1]) - Math.round((100 * was[0]) / was[1]);
  const sign = points > 0 ? '+' : points < 0 ? '-' : '';
  const change = text('report.points', { sign, count: Math.abs(points) });
  return { value, was: text('report.was', { before: wording.share(...was), change }) };
}
