import { stripVTControlCharacters, styleText } from 'node:util';

const GAP = '  ';

/** Narrowest column that a wide cell is wrapped into. */
const WRAPPED_MIN = 24;

/**
 * Rows under headings, each column as wide as its widest cell. If that exceeds `width`, the widest column
 * is wrapped; if too little room would be left for it, each row becomes a block of its own, one line for
 * each heading. Nothing is cut.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => lengthOf(row[index] ?? ''))),
  );
  const total = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  if (total <= width)
    return [bold(line(headings, widths)), ...rows.map((row) => line(row, widths))].join('\n');
  const widest = widths.indexOf(Math.max(...widths));
  const room = width - (total - widths[widest]!);
  if (room < WRAPPED_MIN) return blocks(headings, rows, width);
  widths[widest] = room;
  const wrappedRows = rows.flatMap((row) =>
    wrapped(row[widest] ?? '', room).map((part, at) =>
      widths.map((_, index) => (index === widest ? part : at === 0 ? (row[index] ?? '') : '')),
    ),
  );
  return [bold(line(headings, widths)), ...wrappedRows.map((row) => line(row, widths))].join('\n');
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map(
    (cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(cell))),
  );
  return padded.join(GAP).trimEnd();
}

function blocks(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const label = Math.max(...headings.map((heading) => heading.length));
  const block = (row: readonly string[]) =>
    headings
      .flatMap((heading, index) =>
        wrapped(row[index] ?? '', width - label - GAP.length).map((part, at) =>
          `${bold((at === 0 ? heading : '').padEnd(label))}${GAP}${part}`.trimEnd(),
        ),
      )
      .join('\n');
  return rows.map(block).join('\n\n');
}

/** Lines of at most `width` characters, broken at spaces or, in longer words, anywhere. */
export function wrapped(text: string, width: number): string[] {
  if (lengthOf(text) <= width) return [text];
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

function bold(text: string): string {
  return styleText('bold', text);
}
