import { CsvRecords } from './csv-records.ts';

/** Lines at the start of a table that may precede its headings, and are examined together. */
export const HEADER_LINES_MAX = 30;

const DELIMITERS = [',', ';', '\t', '|'];

/** A table with fewer columns has no products: an id, a name and one more. */
const COLUMN_COUNT_MIN = 3;

/** A first line that tells Excel the delimiter. */
const DELIMITER_LINE = /^"?sep=(.)"?$/i;

/** Text that is markup, JSON or Markdown has no headings further down. */
const NO_TABLE = /^\s*[<{[#]/;

/** Where a table's headings stand, and what separates them. */
interface TableStart {
  readonly index: number;
  readonly delimiter: string;
}

/**
 * The first cell of Amazon's templates. The headings are on the line that it names, else the third, below
 * labels for people.
 */
const AMAZON_TEMPLATE = /^"?(?:TemplateType=|settings=.*attributeRow=)/;

/**
 * Finds the line with the headings: the first with three filled fields or more, because price lists and
 * sheets often begin with a title or a date. The first line that is not blank, if there is none such.
 * The delimiter is the comma, semicolon, tab or pipe, whichever is most frequent in that line outside
 * quotation marks, or the one that a line `sep=` names.
 */
export function findHeader(lines: readonly string[]): TableStart {
  const first = lines.findIndex((line) => line.trim() !== '');
  const start = lines[first] ?? '';
  if (NO_TABLE.test(start)) return { index: first, delimiter: delimiterOf(start) };
  if (AMAZON_TEMPLATE.test(start)) {
    const index = Number(/attributeRow=(\d+)/.exec(start)?.[1] ?? 3) - 1;
    return { index, delimiter: delimiterOf(lines[index] ?? '') };
  }
  const named = DELIMITER_LINE.exec(start.trim())?.[1];
  const index = lines.findIndex((line, at) => {
    const fields = headings(lines.slice(at), named ?? delimiterOf(line));
    return fields.filter((field) => field !== '').length >= COLUMN_COUNT_MIN;
  });
  const header = index === -1 ? Math.max(first, 0) : index;
  return { index: header, delimiter: named ?? delimiterOf(lines[header] ?? '') };
}

/** The fields of the record that begins on the first of `lines`, each on one line of text. */
export function headings(lines: readonly string[], delimiter: string): string[] {
  const records = new CsvRecords(delimiter);
  for (const text of lines) {
    const [record] = records.push({ number: 1, text, problem: null });
    if (record !== undefined) return record.fields.map(heading);
  }
  return [];
}

/** A heading as people read it: sheets break long ones. */
export function heading(field: string): string {
  return field.replace(/\s+/g, ' ').trim();
}

function delimiterOf(header: string): string {
  const text = header.replace(/"[^"]*"/g, '');
  let best = ',';
  for (const delimiter of DELIMITERS) {
    if (text.split(delimiter).length > text.split(best).length) best = delimiter;
  }
  return best;
}
