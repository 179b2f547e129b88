import { element } from '../page/element.js';
import { figures, panel, table, tag } from './parts.js';
import { perform } from './service.js';
import { ago, count, when } from './wording.js';

const IMPORTS_SHOWN = 20;
const OFFERINGS_SHOWN = 8;

const GAP_NAMES = {
  image: 'No picture',
  price: 'No price',
  description: 'No description',
  publicUrl: 'No link',
  productType: 'No category',
};

const STATE_MOODS = { committed: 'good', running: 'low', failed: 'bad' };

/** What is in the catalogue, how it came in, and what it lacks. */
export async function catalogView() {
  const [stats, imports, { gaps }] = await Promise.all([
    perform('catalog.stats'),
    perform('catalog.imports', { limit: IMPORTS_SHOWN }),
    perform('catalog.gaps'),
  ]);
  const items = stats.offerings + stats.contexts;
  const share = items === 0 ? 0 : Math.floor((100 * stats.embedded) / items);
  return [
    element('h1', {}, 'Catalogue'),
    element('p', { class: 'lead' }, 'What searchers see now, the imports that brought it, and what offerings lack.'),
    figures([
      ['Offerings', count(stats.offerings)],
      ['Contexts', count(stats.contexts)],
      ['Found by meaning', stats.meaning ? `${share} %` : 'off'],
      ['Last import', ago(imports[0]?.finishedAt ?? null)],
    ]),
    element('div', { class: 'panels' }, gapsPanel(gaps), shopsPanel(stats.shops), importsPanel(imports)),
  ];
}

function gapsPanel(gaps) {
  const found = gaps.filter((gap) => gap.count > 0);
  if (found.length === 0) return panel('Gaps', element('p', {}, 'Every offering is complete.'));
  const parts = found.map(({ lacks, count: number, offerings }) => {
    const names = offerings.slice(0, OFFERINGS_SHOWN).map(({ name, externalId }) =>
      element('li', {}, name, ' ', element('code', { class: 'quiet-text' }, externalId)),
    );
    const more = number - names.length;
    return element(
      'details',
      {},
      element('summary', {}, `${GAP_NAMES[lacks]}: ${count(number)}`),
      element('ul', {}, ...names, more > 0 ? element('li', { class: 'quiet-text' }, `and ${count(more)} more`) : null),
    );
  });
  return panel('Gaps', ...parts);
}

function shopsPanel(shops) {
  const rows = shops.map(({ handle, offerings, contexts, embedded }) => [
    handle,
    count(offerings),
    count(contexts),
    count(embedded),
  ]);
  return panel('Shops', table(['Shop', '#Offerings', '#Contexts', '#By meaning'], rows));
}

function importsPanel(imports) {
  const rows = imports.map(({ source, format, state, shop, startedAt, counts, faults }) => [
    when(startedAt),
    shop,
    element('span', {}, source, ' ', tag(format)),
    tag(state, STATE_MOODS[state]),
    count(counts.new ?? 0),
    count(counts.changed ?? 0),
    count(counts.same ?? 0),
    (counts.rejected ?? 0) + (counts.warnings ?? 0) === 0 ? '0' : faultsOf(counts, faults),
  ]);
  const headings = ['Started', 'Shop', 'From', 'State', '#New', '#Changed', '#Same', 'Faults'];
  const made = panel('Imports', rows.length === 0 ? element('p', {}, 'None yet.') : table(headings, rows));
  made.classList.add('wide');
  return made;
}

function faultsOf({ rejected = 0, warnings = 0 }, faults) {
  const lines = faults.map(({ line, column, message }) =>
    element('li', {}, `Line ${count(line)}${column === null ? '' : `, ${column}`}: ${message}`),
  );
  return element(
    'details',
    {},
    element('summary', {}, `${count(rejected)} rejected, ${count(warnings)} warnings`),
    element('ul', {}, ...lines),
  );
}
