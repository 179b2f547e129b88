import type { HitReport } from '../operations/report-hits.ts';
export function renderReportHtml(report: HitReport): string {
  return JSON.stringify(report);
}
