import { detectFormat } from '../../src/catalog/formats.ts';

/** A table with the named cells; the others are blank. */
export function csv(headings: string, rows: readonly Readonly<Record<string, string>>[]): string {
  const names = headings.split(',');
  const cell = (text = '') => `"${text.replaceAll('"', '""')}"`;
  return [headings, ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join(
    '\n',
  );
}

/** The detected format of an export. */
export function formatOf(text: string): string | undefined {
  return detectFormat({ text, fileName: 'export.csv' })?.format.name;
}
