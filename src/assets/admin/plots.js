import { element } from '../page/element.js';
import { count } from './wording.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Minimum and maximum width of a plot in pixels. A plot is drawn for its available width. */
const WIDTH_MIN = 280;
const WIDTH_MAX = 1160;

const HEIGHT = 240;
const TOP = 12;
const BOTTOM = 24;
const LEFT = 40;

/** Width of a label below a column, in pixels. */
const LABEL_WIDTH = 56;

/**
 * Columns stacked by series, with a legend, and the same data as a table for screen readers.
 *
 * @param {readonly { label: string, values: readonly number[] }[]} columns
 * @param {readonly { kind: string, name: string, total: number }[]} series
 */
export function stackedColumns(columns, series) {
  const legend = series.map(({ kind, name, total: sum }) =>
    element('li', { class: `swatch kind-${kind}` }, `${name} `, element('b', {}, count(sum))),
  );
  const rows = columns.map(({ label, values }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, label),
      ...values.map((value) => element('td', {}, String(value))),
    ),
  );
  const names = series.map(({ name }) => element('th', { scope: 'col' }, name));
  const asTable = element(
    'div',
    { class: 'unseen' },
    element('table', {}, element('tr', {}, element('td', {}), ...names), ...rows),
  );
  const plot = drawnToFit((width) => stack(columns, series, width));
  return element('div', {}, element('ul', { class: 'legend' }, ...legend), plot, asTable);
}

/**
 * Columns without gaps, one per class, each with its count above it.
 *
 * @param {readonly { label: string, value: number }[]} classes
 */
export function histogram(classes) {
  const items = classes.map(({ label, value }) => element('li', {}, `${label}: ${count(value)}`));
  const plot = drawnToFit((width) => steps(classes, width));
  return element('div', {}, plot, element('ul', { class: 'unseen' }, ...items));
}

/**
 * Horizontal bars, the longest as wide as the available space. The `part` of each bar is darker.
 *
 * @param {readonly { label: string, value: number, part: number, note: string }[]} rows
 */
export function meters(rows) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const items = rows.map(({ label, value, part, note }) => {
    const bar = drawn('svg', {
      class: 'bar-line',
      viewBox: '0 0 100 1',
      preserveAspectRatio: 'none',
    });
    bar.setAttribute('aria-hidden', 'true');
    bar.append(
      drawn('rect', { class: 'whole', width: (100 * value) / most, height: 1 }),
      drawn('rect', { class: 'part', width: (100 * part) / most, height: 1 }),
    );
    return element(
      'li',
      {},
      element('span', {}, label),
      element('span', { class: 'amount' }, note),
      bar,
    );
  });
  return element('ul', { class: 'meters' }, ...items);
}

/**
 * An element that calls `draw` again whenever its width changes, so that text keeps its size.
 *
 * @param {(width: number) => SVGElement} draw
 */
function drawnToFit(draw) {
  const place = element('div', { class: 'plot', 'aria-hidden': 'true' });
  new ResizeObserver(() => {
    const width = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, place.clientWidth));
    place.replaceChildren(draw(width));
  }).observe(place);
  return place;
}

/**
 * @param {readonly { label: string, values: readonly number[] }[]} columns
 * @param {readonly { kind: string, name: string }[]} series
 * @param {number} width
 */
function stack(columns, series, width) {
  const ticks = niceTicks(Math.max(1, ...columns.map(({ values }) => total(values))));
  const most = ticks.at(-1) ?? 1;
  const plot = canvas(width);
  const base = HEIGHT - BOTTOM;
  /** @param {number} value */
  const toY = (value) => base - ((base - TOP) * value) / most;
  for (const tick of ticks) {
    const y = toY(tick);
    plot.append(
      drawn('line', { x1: LEFT, x2: width, y1: y, y2: y }),
      drawn('text', { x: LEFT - 8, y: y + 4, 'text-anchor': 'end' }, compact(tick)),
    );
  }
  const slot = (width - LEFT) / Math.max(1, columns.length);
  const barWidth = Math.min(56, slot * 0.72);
  const labelEvery = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  for (const [index, { label, values }] of columns.entries()) {
    const x = LEFT + slot * index + (slot - barWidth) / 2;
    let below = 0;
    for (const [place, value] of values.entries()) {
      if (value === 0) continue;
      const { kind, name } = /** @type {{ kind: string, name: string }} */ (series[place]);
      const box = {
        x,
        width: barWidth,
        y: toY(below + value),
        height: toY(below) - toY(below + value),
      };
      const bar = drawn('rect', { class: `kind-${kind}`, ...box });
      bar.append(drawn('title', {}, `${label} · ${name}: ${count(value)}`));
      plot.append(bar);
      below += value;
    }
    if (index % labelEvery === 0)
      plot.append(labelBelow(label, LEFT + slot * (index + 0.5), width));
  }
  return plot;
}

/**
 * @param {readonly { label: string, value: number }[]} classes
 * @param {number} width
 */
function steps(classes, width) {
  const plot = canvas(width);
  const base = HEIGHT - BOTTOM;
  const most = Math.max(1, ...classes.map(({ value }) => value));
  const slot = width / Math.max(1, classes.length);
  const labelEvery = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  plot.append(drawn('line', { x1: 0, x2: width, y1: base, y2: base }));
  for (const [index, { label, value }] of classes.entries()) {
    const height = value === 0 ? 0 : Math.max(2, ((base - TOP - 18) * value) / most);
    const middle = slot * (index + 0.5);
    plot.append(
      drawn('rect', {
        class: 'step',
        x: slot * index + slot * 0.06,
        width: slot * 0.88,
        y: base - height,
        height,
      }),
      drawn(
        'text',
        { class: 'value', x: middle, y: base - height - 6, 'text-anchor': 'middle' },
        value === 0 ? '' : compact(value),
      ),
    );
    if (index % labelEvery === 0) plot.append(labelBelow(label, middle, width));
  }
  return plot;
}

/** @param {number} width */
function canvas(width) {
  return drawn('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
}

/**
 * @param {string} label
 * @param {number} middle
 * @param {number} width
 */
function labelBelow(label, middle, width) {
  const x = Math.min(middle, width - LABEL_WIDTH / 2);
  return drawn('text', { x, y: HEIGHT - 7, 'text-anchor': 'middle' }, label);
}

/** @param {readonly number[]} values */
function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @param {number} value */
function compact(value) {
  return value >= 10_000 ? `${Math.round(value / 100) / 10}k` : String(value);
}

/**
 * Ticks from 0 to at least `most`, in steps of 1, 2 or 5 times a power of ten.
 *
 * @param {number} most
 */
function niceTicks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  const step = Math.max(1, factor * power);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 * @returns {SVGElement}
 */
function drawn(name, attributes, text) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NAMESPACE, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
