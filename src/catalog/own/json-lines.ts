import { parseRecord } from '../bytes/json-text.ts';
import { readLineRecords } from '../bytes/lines.ts';
import { recordFindings } from '../record/findings.ts';
import type { CatalogFormat, CatalogRow, ReaderOptions, RecordText } from '../record/reader.ts';
import { readItem } from './json-item.ts';

const RECORD_COLUMN = 'json';

/**
 * Vitrine's own format, also for exports: one JSON object per line, a product or a context.
 */
export const jsonLines: CatalogFormat = {
  name: 'json-lines',
  detect: ({ text }) =>
    /^[ \t]*\{.*"externalId"[ \t]*:/m.test(text) ? 'JSON Lines with externalId' : null,
  read: (source, options) => readAll(source.name, readLineRecords(source.bytes), options),
  recordColumn: RECORD_COLUMN,
  readRecords: readAll,
};

async function* readAll(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  for await (const record of records) yield* readJsonRecord(file, record, options);
}

/** Yields the faults of one JSON text, then its item, if any: at least one row. */
function readJsonRecord(file: string, text: RecordText, options: ReaderOptions): CatalogRow[] {
  const { line, record } = text;
  const { raw, findings } = recordFindings(file, text, RECORD_COLUMN);
  const value = parseRecord(text, findings);
  const item = value === null ? null : readItem(value, findings, options);
  const rows: CatalogRow[] = findings.faults.map((fault) => ({ fault }));
  if (item !== null) rows.push({ item, file, line, record, raw });
  return rows;
}
