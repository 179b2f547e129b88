import { element } from '../page/element.js';
import { count } from './wording.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const WIDTH = 960;
const HEIGHT = 220;
const BOTTOM = 22;
const LEFT = 44;

/** Series that have a colour of their own. */
const SERIES_MAX = 7;

/** Labels below the columns, as many as have room. */
const LABELS_MAX = 10;

/**
 * Columns stacked by series, with their legend. The table that a screen reader gets is beside it.
 *
 * @param {{ label: string, values: readonly number[] }[]} columns
 * @param {readonly string[]} series Names, at most seven.
 */
export function stackedColumns(columns, series) {
  const most = Math.max(1, ...columns.map(({ values }) => total(values)));
  const top = niceAbove(most);
  const plot = drawn('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
  const height = HEIGHT - BOTTOM;
  for (const share of [0, 0.5, 1]) {
    const y = 8 + (1 - share) * (height - 8);
    plot.append(
      drawn('line', { class: 'axis', x1: LEFT, x2: WIDTH, y1: y, y2: y }),
      drawn('text', { x: LEFT - 8, y: y + 4, 'text-anchor': 'end' }, count(top * share)),
    );
  }
  const step = (WIDTH - LEFT) / Math.max(1, columns.length);
  const every = Math.ceil(columns.length / LABELS_MAX);
  for (const [index, { label, values }] of columns.entries()) {
    let y = height;
    for (const [place, value] of values.entries()) {
      const size = (value / top) * (height - 8);
      y -= size;
      const bar = drawn('rect', {
        class: seriesClass(place),
        x: LEFT + index * step + step * 0.12,
        y,
        width: step * 0.76,
        height: size,
      });
      bar.append(drawn('title', {}, `${label}, ${series[place]}: ${count(value)}`));
      plot.append(bar);
    }
    if (index % every === 0)
      plot.append(drawn('text', { x: LEFT + (index + 0.5) * step, y: HEIGHT - 6, 'text-anchor': 'middle' }, label));
  }
  const legend = series.map((name, place) => element('li', { class: seriesClass(place) }, name));
  return element('div', {}, plot, element('ul', { class: 'legend' }, ...legend));
}

/**
 * Bars one below the other, the longest as wide as there is room.
 *
 * @param {readonly { label: string, value: number, note?: string }[]} rows
 */
export function bars(rows) {
  const most = String(Math.max(1, ...rows.map(({ value }) => value)));
  const items = rows.map(({ label, value, note }) =>
    element(
      'li',
      {},
      element('span', {}, label),
      element('span', { class: 'quiet-text' }, note ?? count(value)),
      element('meter', { min: '0', max: most, value: String(value), 'aria-hidden': 'true' }),
    ),
  );
  return element('ul', { class: 'bars' }, ...items);
}

/** @param {number} place */
function seriesClass(place) {
  return `series-${Math.min(place + 1, SERIES_MAX)}`;
}

/** @param {readonly number[]} values */
function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * A round number above: 1, 2 or 5 times a power of ten, and even, so that its half is whole.
 *
 * @param {number} value
 */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const round = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(2, round * power);
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function drawn(name, attributes, text) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
