import { escapeHtml } from '../../domain/html.ts';

/**
 * Plots as SVG text. Colours come from the page's custom properties, so that a plot fits both the
 * light and the dark theme.
 */

export interface Series {
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
  /** One value per label. */
  readonly values: readonly number[];
}

const WIDTH = 960;
const HEIGHT = 260;
const LEFT = 44;
const BOTTOM = 26;
const TOP = 10;

/** Stacked bars with a scale on the left. */
export function stackedBars(labels: readonly string[], series: readonly Series[]): string {
  const totals = labels.map((_, index) =>
    series.reduce((sum, { values }) => sum + values[index]!, 0),
  );
  const ticks = niceTicks(Math.max(1, ...totals));
  const most = ticks.at(-1)!;
  const slot = (WIDTH - LEFT) / Math.max(1, labels.length);
  const barWidth = Math.min(64, slot * 0.72);
  const toY = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const bars = labels.map((label, index) => {
    const x = LEFT + slot * index + (slot - barWidth) / 2;
    let below = 0;
    const shown = series.filter(({ values }) => values[index]! > 0);
    const parts = shown.map(({ name, color, values }, place) => {
      const value = values[index]!;
      const y = toY(below + value);
      const height = toY(below) - y;
      below += value;
      const isTop = place === shown.length - 1;
      return `<path d="${barPath({ x, y, width: barWidth, height }, isTop)}" fill="${color}"><title>${escapeHtml(`${label} · ${name}: ${value}`)}</title></path>`;
    });
    return parts.join('');
  });
  const labelEvery = Math.ceil(labels.length / 14);
  const names = labels.map((label, index) =>
    index % labelEvery === 0
      ? `<text x="${round(LEFT + slot * (index + 0.5))}" y="${HEIGHT - 8}" text-anchor="middle">${escapeHtml(label)}</text>`
      : '',
  );
  return svg(
    HEIGHT,
    `${ticks.map((tick) => gridLine(tick, toY(tick))).join('')}${bars.join('')}${names.join('')}`,
  );
}

/** Columns without gaps, one per class, each with its count above it as `shown` writes it. */
export function histogram(
  classes: readonly { label: string; value: number; shown: string }[],
  color: string,
): string {
  const height = 200;
  const most = Math.max(1, ...classes.map(({ value }) => value));
  const slot = WIDTH / Math.max(1, classes.length);
  const room = height - TOP - 20 - BOTTOM;
  const columns = classes.map(({ label, value, shown }, index) => {
    const columnHeight = value === 0 ? 0 : Math.max(2, (room * value) / most);
    const x = slot * index + slot * 0.08;
    const y = TOP + 20 + room - columnHeight;
    const center = round(slot * (index + 0.5));
    const column = barPath({ x, y, width: slot * 0.84, height: columnHeight }, true);
    return `<path d="${column}" fill="${color}"/><text class="value" x="${center}" y="${round(y - 6)}" text-anchor="middle">${value === 0 ? '' : escapeHtml(shown)}</text><text x="${center}" y="${height - 8}" text-anchor="middle">${escapeHtml(label)}</text>`;
  });
  const base = TOP + 20 + room;
  return svg(height, `<line x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"/>${columns.join('')}`);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle, with rounded upper corners if it is the top of its stack. */
function barPath({ x, y, width, height }: Box, isTop: boolean): string {
  const radius = isTop ? Math.min(4, height, width / 2) : 0;
  const [left, bottom] = [round(x), round(y + height)];
  const across = round(width - 2 * radius);
  return `M${left} ${bottom}V${round(y + radius)}q0 ${-radius} ${radius} ${-radius}h${across}q${radius} 0 ${radius} ${radius}V${bottom}Z`;
}

function gridLine(value: number, y: number): string {
  const label = value >= 10_000 ? `${value / 1000}k` : String(value);
  return `<line x1="${LEFT}" x2="${WIDTH}" y1="${round(y)}" y2="${round(y)}"/><text x="${LEFT - 8}" y="${round(y + 4)}" text-anchor="end">${label}</text>`;
}

/** Ticks from 0 to at least `most`, in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough)! * power);
  const ticks = [0];
  while (ticks.at(-1)! < most) ticks.push(ticks.at(-1)! + step);
  return ticks;
}

function svg(height: number, content: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img">${content}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
