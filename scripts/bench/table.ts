import type { LoadResult } from './load.ts';

/** One measurement of one contender. Members that do not apply are null. */
export interface Row {
  readonly name: string;
  /** Null for a measurement in the contender's process, without HTTP. */
  readonly connections: number | null;
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly residentMb: number | null;
  /** Seconds from the file to searchable words. */
  readonly wordsSeconds: number | null;
  readonly vectorSeconds: number | null;
}

export type Ratios = Record<'againstMiniSearch' | 'againstBare', number | null>;

/** Names of the rows that others are compared with, at the same number of connections. */
export interface Yardsticks {
  readonly miniSearch: string;
  readonly bare: string;
}

export function rowOf(
  name: string,
  {
    connections,
    load,
    ...further
  }: Pick<Row, 'residentMb' | 'wordsSeconds' | 'vectorSeconds'> & {
    connections: number;
    load: LoadResult;
  },
): Row {
  const { perSecond, p50Ms, p99Ms } = load;
  return { name, connections, perSecond, p50Ms, p99Ms, ...further };
}

export function withRatios(
  rows: readonly Row[],
  { miniSearch, bare }: Yardsticks,
): (Row & Ratios)[] {
  return rows.map((row) => {
    const against = (name: string) => {
      const other = rows.find(
        (candidate) => candidate.name === name && candidate.connections === row.connections,
      );
      return other === undefined ? null : row.perSecond / other.perSecond;
    };
    return { ...row, againstMiniSearch: against(miniSearch), againstBare: against(bare) };
  });
}

const COLUMNS: readonly (readonly [string, (row: Row & Ratios) => string])[] = [
  ['connections', ({ connections }) => connections?.toString() ?? 'engine alone'],
  ['requests/s', ({ perSecond }) => perSecond.toFixed(0)],
  ['p50 ms', ({ p50Ms }) => digits(p50Ms, 2)],
  ['p99 ms', ({ p99Ms }) => digits(p99Ms, 2)],
  ['RSS MB', ({ residentMb }) => digits(residentMb, 0)],
  ['words s', ({ wordsSeconds }) => digits(wordsSeconds, 2)],
  ['meaning s', ({ vectorSeconds }) => digits(vectorSeconds, 0)],
  ['× MiniSearch', ({ againstMiniSearch }) => digits(againstMiniSearch, 2)],
  ['× bare', ({ againstBare }) => digits(againstBare, 3)],
];

export function renderTable(rows: readonly (Row & Ratios)[]): string {
  const cells = [
    ['', ...COLUMNS.map(([title]) => title)],
    ...rows.map((row) => [row.name, ...COLUMNS.map(([, show]) => show(row))]),
  ];
  const widths = cells[0]!.map((_, column) =>
    Math.max(...cells.map((line) => line[column]!.length)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return cells.map((line) => line.map(pad).join('  ')).join('\n');
}

function digits(value: number | null, count: number): string {
  return value === null ? '–' : value.toFixed(count);
}
