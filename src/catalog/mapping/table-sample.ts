import { openCsv } from '../bytes/csv-table.ts';
import { HEAD_BYTES } from '../bytes/decompress.ts';
import type { TableSample } from './guess-columns.ts';

/** Rows that a guess looks at. */
const SAMPLE_ROWS = 200;

/** The headings and first whole rows of the table that a file begins with. */
export async function readTableSample(head: string): Promise<TableSample> {
  // The head of a longer file may end in the middle of a row; the last row of a whole one need not end in a newline.
  const isWhole = Buffer.byteLength(head) < HEAD_BYTES;
  const whole = isWhole ? head : (/^[\s\S]*\n/.exec(head)?.[0] ?? head);
  const bytes = async function* () {
    yield new TextEncoder().encode(whole);
  };
  const { columns, rows } = await openCsv(bytes());
  const sample: (readonly string[])[] = [];
  for await (const { fields, problem } of rows) {
    if (problem === null) sample.push(fields);
    if (sample.length === SAMPLE_ROWS) break;
  }
  return { headings: columns, rows: sample };
}
