import { cpus } from 'node:os';

/** What is measured, in the order of the table. */
export const FIGURES = {
  rowsPerSecond: { title: 'import', unit: 'rows/s', digits: 0 },
  startSeconds: { title: 'start after a restart', unit: 's', digits: 1 },
  p50Ms: { title: 'search, one at a time: p50', unit: 'ms', digits: 2 },
  p99Ms: { title: 'search, one at a time: p99', unit: 'ms', digits: 2 },
  perSecond: { title: 'searches, eight at a time', unit: '1/s', digits: 0 },
  residentMb: { title: 'memory after the searches', unit: 'MB', digits: 0 },
  diskMb: { title: 'disk', unit: 'MB', digits: 0 },
  manyP50Ms: { title: 'search, eight at a time: p50', unit: 'ms', digits: 1 },
  manyP99Ms: { title: 'search, eight at a time: p99', unit: 'ms', digits: 1 },
  importMb: { title: 'import: memory above that for one row', unit: 'MB', digits: 0 },
  builtSeconds: { title: 'start without an index file', unit: 's', digits: 1 },
  restMb: { title: 'memory after a start', unit: 'MB', digits: 0 },
  changeSeconds: { title: 'import of 1 % beside a service', unit: 's', digits: 1 },
  servedRowsPerSecond: { title: 'import beside an empty service', unit: 'rows/s', digits: 0 },
  healthP99Ms: { title: '`/healthz` meanwhile: p99', unit: 'ms', digits: 0 },
  healthMostMs: { title: '`/healthz` meanwhile: most', unit: 'ms', digits: 0 },
} as const;

export type Figure = keyof typeof FIGURES;
export type Figures = { readonly [name in Figure]?: number | null };

/** Figures of one engine at one size. */
export interface Measured {
  readonly rows: number;
  readonly engine: string;
  /** Measured in its own process, without HTTP. */
  readonly isAlone: boolean;
  readonly figures: Figures;
  /** Load average just before. */
  readonly loadBefore: number;
  /** ISO date. */
  readonly date: string;
}

/** Charts have one scale. Where engines alone would flatten the rest, they are in the table only. */
const CHARTS: readonly { figure: Figure; withAlone: boolean }[] = [
  { figure: 'rowsPerSecond', withAlone: false },
  { figure: 'p50Ms', withAlone: false },
  { figure: 'perSecond', withAlone: false },
  { figure: 'residentMb', withAlone: true },
];

const COLOURS = {
  ...{ blue: '#1f77b4', orange: '#ff7f0e', green: '#2ca02c', purple: '#9467bd', brown: '#8c564b' },
  ...{ pink: '#e377c2', grey: '#7f7f7f' },
};

/** Room above the highest point of a chart. */
const HEADROOM = 1.1;

const BEGIN = '<!-- curves: written by --write-readme -->';
const END = '<!-- end of the curves -->';

/** Replaces what is between the marks of a README. Throws if they are missing. */
export function replaceCurves(readme: string, measured: readonly Measured[]): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The README has no “${BEGIN}” … “${END}”.`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${renderCurves(measured)}\n\n${readme.slice(end)}`;
}

/** Conditions, table and charts, in Markdown. */
export function renderCurves(measured: readonly Measured[]): string {
  const charts = CHARTS.flatMap((chart) => renderChart(measured, chart) ?? []);
  return [describeConditions(measured), renderTable(measured), ...charts].join('\n\n');
}

function describeConditions(measured: readonly Measured[]): string {
  const dates = measured.map(({ date }) => date.slice(0, 10)).sort();
  const [from, to] = [dates[0], dates.at(-1)];
  const loads = measured.map(({ loadBefore }) => loadBefore);
  const spread = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
  return `Measured ${when} on ${processor}; load average before a measurement ${spread}.`;
}

/** A row for each figure and engine, a column for each size. */
function renderTable(measured: readonly Measured[]): string {
  const sizes = sizesOf(measured);
  const lines = [
    `| | | ${sizes.map((rows) => rows.toLocaleString('en')).join(' | ')} |`,
    `| --- | --- |${' ---: |'.repeat(sizes.length)}`,
  ];
  for (const [name, { title, unit, digits }] of Object.entries(FIGURES)) {
    const engines = enginesOf(measured).filter((engine) =>
      sizes.some((rows) => figureOf(measured, { engine, rows, figure: name as Figure }) !== null),
    );
    for (const [at, engine] of engines.entries()) {
      const cells = sizes.map((rows) => {
        const value = figureOf(measured, { engine, rows, figure: name as Figure });
        return value === null ? '–' : format(value, digits);
      });
      lines.push(`| ${at === 0 ? `${title}, ${unit}` : ''} | ${engine} | ${cells.join(' | ')} |`);
    }
  }
  return lines.join('\n');
}

/** Null unless two sizes or more are measured. An engine without all of these sizes is left out. */
function renderChart(
  measured: readonly Measured[],
  { figure, withAlone }: { figure: Figure; withAlone: boolean },
): string | null {
  const sizes = sizesOf(measured);
  const lines = enginesOf(measured.filter(({ isAlone }) => withAlone || !isAlone))
    .map((engine) => ({
      engine,
      values: sizes.flatMap((rows) => figureOf(measured, { engine, rows, figure }) ?? []),
    }))
    .filter(({ values }) => values.length === sizes.length);
  if (sizes.length < 2 || lines.length === 0) return null;
  const colours = Object.entries(COLOURS).slice(0, lines.length);
  const palette = colours.map(([, code]) => code).join(', ');
  const legend = lines.map(({ engine }, at) => `${colours[at]![0]}: ${engine}`);
  const top = Math.max(...lines.flatMap(({ values }) => values)) * HEADROOM;
  const { title, unit, digits } = FIGURES[figure];
  return [
    `**${title[0]!.toUpperCase()}${title.slice(1)}** (${legend.join('; ')})`,
    '',
    '```mermaid',
    `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "${palette}"}}}}%%`,
    'xychart-beta',
    `  x-axis "offerings" [${sizes.map((rows) => `"${rows.toLocaleString('en')}"`).join(', ')}]`,
    `  y-axis "${unit}" 0 --> ${top.toFixed(digits)}`,
    ...lines.map(({ values }) => `  line [${values.map((value) => value.toFixed(digits))}]`),
    '```',
  ].join('\n');
}

function sizesOf(measured: readonly Measured[]): number[] {
  return [...new Set(measured.map(({ rows }) => rows))].sort((left, right) => left - right);
}

/** In the order of their first measurement, those over HTTP first. */
function enginesOf(measured: readonly Measured[]): string[] {
  const byKind = [false, true].flatMap((kind) =>
    measured.filter(({ isAlone }) => isAlone === kind),
  );
  return [...new Set(byKind.map(({ engine, isAlone }) => nameOf({ engine, isAlone })))];
}

function nameOf({ engine, isAlone }: Pick<Measured, 'engine' | 'isAlone'>): string {
  return isAlone ? `${engine}, alone` : engine;
}

function figureOf(
  measured: readonly Measured[],
  { engine, rows, figure }: { engine: string; rows: number; figure: Figure },
): number | null {
  const found = measured.find(
    (one) => nameOf(one) === engine && one.rows === rows && one.figures[figure] != null,
  );
  return found?.figures[figure] ?? null;
}

function format(value: number, digits: number): string {
  // Engines without HTTP answer in microseconds.
  const shown = value > 0 && value < 0.1 ? Math.max(digits, 3) : digits;
  return value.toLocaleString('en', { minimumFractionDigits: shown, maximumFractionDigits: shown });
}
