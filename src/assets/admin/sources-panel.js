import { element } from '../page/element.js';
import { confirmed } from './dialogs.js';
import { button, notice, panel, table, tag } from './parts.js';
import { perform } from './service.js';
import { ago, when } from './wording.js';

/** @typedef {import('./service.js').Result<'catalog.source.list'>[number]} Source */

const HOUR_MS = 3_600_000;

const INTERVALS = /** @type {readonly (readonly [string, number])[]} */ ([
  ['by hand', 0],
  ['every hour', HOUR_MS],
  ['every 6 hours', 6 * HOUR_MS],
  ['every day', 24 * HOUR_MS],
]);

/**
 * The addresses that are imported, and how often.
 *
 * @param {readonly Source[]} sources
 * @param {() => void} redraw
 */
export function sourcesPanel(sources, redraw) {
  const rows = sources.map((source) => [
    source.url,
    source.shop,
    intervalMenu(source, redraw),
    source.nextAt === null ? '–' : when(source.nextAt),
    lastResult(source),
    button(
      'Remove',
      async () => {
        const consequence = 'Its items stay; it is not fetched again.';
        if (!(await confirmed('Remove this address?', consequence, 'Remove'))) return;
        await perform('catalog.source.remove', { shop: source.shop, url: source.url });
        redraw();
      },
      { class: 'small', 'aria-label': `Remove ${source.url}` },
    ),
  ]);
  const headings = ['Address', 'Shop', 'Imported', 'Next', 'Last', ''];
  const content =
    rows.length === 0
      ? element('p', { class: 'quiet-text' }, 'None. Import from an address to repeat it.')
      : table(headings, rows, { label: 'Addresses' });
  const made = panel('Addresses', content);
  made.classList.add('wide');
  return made;
}

/**
 * @param {Source} source
 * @param {() => void} redraw
 */
function intervalMenu({ url, shop, everyMs }, redraw) {
  const now = everyMs ?? 0;
  const isListed = INTERVALS.some(([, ms]) => ms === now);
  const all = isListed ? INTERVALS : [...INTERVALS, /** @type {const} */ ([spelled(now), now])];
  const options = all.map(([words, ms]) => new Option(words, String(ms), false, ms === now));
  const menu = element('select', { 'aria-label': `How often: ${url}` }, ...options);
  menu.addEventListener('change', async () => {
    const ms = Number(menu.value);
    try {
      await perform('catalog.source.schedule', { shop, url, everyMs: ms === 0 ? null : ms });
      redraw();
    } catch (error) {
      menu.after(notice(error));
    }
  });
  return menu;
}

/** @param {number} ms */
function spelled(ms) {
  return `every ${Math.round(ms / 60_000)} minutes`;
}

/** @param {Source} source */
function lastResult({ lastAt, lastResult: result }) {
  if (result === null) return 'never';
  const words = result.state === 'failed' ? result.message : ago(lastAt);
  return element(
    'span',
    {},
    tag(result.state, result.state === 'failed' ? 'bad' : 'good'),
    ' ',
    words,
  );
}
