import { element } from '../page/element.js';
import { undoButton } from './import-progress.js';
import { importPanel } from './import-view.js';
import { contextsPanel, offeringPanel } from './items-panel.js';
import { figures, panel, table, tag } from './parts.js';
import { perform } from './service.js';
import { sourcesPanel } from './sources-panel.js';
import { ago, count, roughly, when } from './wording.js';

/** @typedef {import('./service.js').Result<'catalog.stats'>} Stats */
/** @typedef {import('./service.js').Result<'catalog.imports'>[number]} Import */
/** @typedef {import('./service.js').Result<'catalog.gaps'>['gaps'][number]} Gap */

const IMPORTS_SHOWN = 20;
const OFFERINGS_SHOWN = 8;
const FAULTS_SHOWN = 20;

const GAP_NAMES = {
  image: 'No picture',
  price: 'No price',
  description: 'No description',
  publicUrl: 'No link',
  productType: 'No category',
};

const MOODS = /** @type {const} */ ({
  waiting: 'low',
  running: 'low',
  committed: 'good',
  checked: 'good',
  failed: 'bad',
  interrupted: 'bad',
});

/**
 * The catalogue's contents, its imports and its gaps; in an empty shop, how to fill it.
 *
 * @param {{ redraw: () => Promise<void> }} page
 */
export async function catalogView({ redraw }) {
  const [stats, imports, { gaps }, sources, contexts] = await Promise.all([
    perform('catalog.stats', {}),
    perform('catalog.imports', { limit: IMPORTS_SHOWN }),
    perform('catalog.gaps', {}),
    perform('catalog.source.list', {}),
    perform('context.list', {}),
  ]);
  const items = stats.offerings + stats.contexts;
  const shops = stats.shops.map(({ handle }) => handle);
  const rules = await Promise.all(shops.map((shop) => perform('curation.list', { shop })));
  const leave = () => void redraw();
  if (items === 0)
    return [
      element('h1', {}, 'Import your catalogue'),
      element(
        'p',
        { class: 'lead' },
        'Assistants and programs find what you import here. See how it will look first, and take it back if it is wrong.',
      ),
      importPanel({ shops, isFirst: true, leave }),
      imports.length > 0
        ? element('div', { class: 'panels' }, importsPanel(imports, { redraw: leave }))
        : null,
    ];
  const share = items === 0 ? 0 : Math.floor((100 * stats.embedded) / items);
  return [
    element('h1', {}, 'Catalogue'),
    element(
      'p',
      { class: 'lead' },
      'What searches see now, the imports it came from, and what is missing from offerings.',
    ),
    figures([
      ['Offerings', count(stats.offerings)],
      ['Contexts', count(stats.contexts)],
      ['Searchable by meaning', stats.meaning ? `${share} %` : 'off'],
      ['Last import', ago(imports[0]?.finishedAt ?? null)],
    ]),
    meaningNote(stats),
    importPanel({ shops, isFirst: false, leave }),
    element(
      'div',
      { class: 'panels' },
      gapsPanel(gaps, stats.offerings),
      shopsPanel(stats.shops),
      importsPanel(imports, { redraw: leave }),
      sourcesPanel(sources, leave),
      contextsPanel(contexts, { shops, redraw: leave }),
      offeringPanel(rules, { shops, redraw: leave }),
    ),
  ];
}

/**
 * What search by meaning still waits for; null if for nothing.
 *
 * @param {Stats} stats
 */
function meaningNote({ meaning, offerings, contexts, embedded, replacement, remainingSeconds }) {
  if (!meaning || (embedded === offerings + contexts && replacement === null)) return null;
  const left = remainingSeconds ? ` There are ${roughly(remainingSeconds)} left.` : '';
  const text =
    replacement === null
      ? 'Search by words works now. Search by meaning is being prepared.'
      : `The vectors of ${replacement.former ?? 'the former model'} answer until those of ${replacement.model} are made: ${Math.floor((100 * replacement.done) / replacement.total)} %.`;
  return element('p', { class: 'quiet-text' }, text, left);
}

/**
 * @param {readonly Gap[]} gaps
 * @param {number} offeringCount
 */
function gapsPanel(gaps, offeringCount) {
  const found = gaps.filter((gap) => gap.count > 0);
  if (offeringCount === 0)
    return panel('Gaps', element('p', { class: 'quiet-text' }, 'There are no offerings yet.'));
  if (found.length === 0) return panel('Gaps', element('p', {}, 'Every offering is complete.'));
  const parts = found.map(({ lacks, count: number, offerings }) => {
    const names = offerings
      .slice(0, OFFERINGS_SHOWN)
      .map(({ name, externalId }) => element('li', {}, name, ' ', code(externalId)));
    const more = number - names.length;
    const rest =
      more > 0 ? element('li', { class: 'quiet-text' }, `and ${count(more)} more`) : null;
    return element(
      'details',
      {},
      element('summary', {}, GAP_NAMES[lacks], ' ', tag(count(number), 'low')),
      element('ul', {}, ...names, rest),
    );
  });
  return panel('Gaps', ...parts);
}

/** @param {Stats['shops']} shops */
function shopsPanel(shops) {
  const rows = shops.map(({ handle, offerings, contexts, stale }) => [
    handle,
    count(offerings),
    count(contexts),
    count(stale),
  ]);
  const headings = ['Shop', '#Offerings', '#Contexts', '#Not yet searchable by meaning'];
  return panel('Shops', table(headings, rows, { label: 'Shops' }));
}

/**
 * @param {readonly Import[]} imports
 * @param {{ redraw: () => void }} page
 */
function importsPanel(imports, { redraw }) {
  const rows = imports.map((made) => {
    const { source, format, state, shop, startedAt, counts, faults, message } = made;
    return [
      when(startedAt),
      shop,
      element('span', {}, source, ' ', format === '' ? null : tag(format)),
      element('span', { title: message ?? '' }, tag(state, MOODS[state])),
      ...['new', 'changed', 'same', 'archived'].map((field) => count(counts[field] ?? 0)),
      faultsOf(counts, faults),
    ];
  });
  const headings = [
    ...['Started', 'Shop', 'From', 'State'],
    ...['#New', '#Changed', '#Same', '#Archived', 'Faults'],
  ];
  const content =
    rows.length === 0
      ? element(
          'p',
          { class: 'quiet-text' },
          'None yet. Import a catalogue with ',
          code('vitrine catalog import FILE'),
          '.',
        )
      : table(headings, rows, { label: 'Imports' });
  const last = imports.find(({ state }) => state === 'committed');
  const undo = last && undoButton(last.shop, redraw);
  const made = panel('Imports', content, undo ?? null);
  made.classList.add('wide');
  return made;
}

/**
 * @param {Import['counts']} counts
 * @param {Import['faults']} faults
 */
function faultsOf({ rejected = 0, warnings = 0 }, faults) {
  if (rejected + warnings === 0) return element('span', { class: 'quiet-text' }, 'none');
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ line, externalId, column, message }) => {
    const place = [externalId, column].filter((part) => part !== null).join(', ');
    return element('li', {}, `Line ${count(line)}${place && ` (${place})`}: ${message}`);
  });
  const parts = [
    ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
    ...(warnings > 0 ? [`${count(warnings)} warnings`] : []),
  ];
  return element(
    'details',
    {},
    element('summary', {}, parts.join(', ')),
    element('ul', {}, ...lines),
  );
}

/** @param {string} words */
function code(words) {
  return element('code', { class: 'quiet-text' }, words);
}
