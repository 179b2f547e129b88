import Type from 'typebox';
import { csvLine } from '../../catalog/bytes/csv-table.ts';
import { defineOperation } from '../define-operation.ts';
import {
  type HitReport,
  ReportInput,
  type ReportServices,
  ROWS_MAX,
  reportHits,
} from './report-hits.ts';

/** The parts of a report that can be had alone. */
export const REPORT_PARTS = ['agent', 'query', 'unanswered', 'path', 'day'] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];

/** One part of a report as CSV, for the command line and the admin page. */
export const exportReport = defineOperation({
  name: 'hits.export',
  input: Type.Object({ ...ReportInput, by: Type.Enum([...REPORT_PARTS]) }),
  async run(services: ReportServices, { by, limit = ROWS_MAX, ...input }, exchange) {
    const report = await reportHits.run(services, { ...input, limit }, exchange);
    const { firstDay, lastDay } = report;
    return { name: `${by}-${firstDay}-to-${lastDay}.csv`, text: reportCsv(report, by) };
  },
});

/**
 * One part of the report as CSV. An apostrophe precedes text that a spreadsheet would run as a
 * formula.
 */
export function reportCsv(report: HitReport, by: ReportPart): string {
  const kinds = report.kinds.map(({ kind }) => kind);
  const questions = (rows: HitReport['questions']) => [
    [
      ...['question', 'hits', 'from_assistants', 'unanswered'],
      ...['from_customers', 'chosen', 'bought'],
    ],
    ...rows.map((row) => [
      ...[row.question, row.hits, row.fromAssistants, row.unanswered],
      ...[row.fromCustomers, row.chosen, row.bought],
    ]),
  ];
  const tables: Readonly<Record<ReportPart, () => (string | number)[][]>> = {
    day: () => [
      ['day', 'hits', ...kinds],
      ...report.days.map(({ day, hits, kinds: counts }) => [
        ...[day, hits],
        ...kinds.map((kind) => counts[kind]),
      ]),
    ],
    agent: () => [
      ['agent', 'kind', 'hits', 'verified', 'last_day'],
      ...report.agents.map(({ agent, kind, hits, verified, lastDay }) => [
        ...[agent, kind, hits, verified, lastDay],
      ]),
    ],
    query: () => questions(report.questions),
    unanswered: () => questions(report.unanswered),
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
