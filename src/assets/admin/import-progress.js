import { element } from '../page/element.js';
import { confirmed } from './dialogs.js';
import { announce, button, figures, notice } from './parts.js';
import { errorsAddress, perform } from './service.js';
import { count } from './wording.js';

/** @typedef {import('./service.js').Result<'catalog.import.show'>} Import */

const POLL_MS = 300;

const COUNTS = /** @type {const} */ ([
  ['New', 'new'],
  ['Changed', 'changed'],
  ['Unchanged', 'same'],
  ['Archived', 'archived'],
  ['Rejected', 'rejected'],
  ['Warnings', 'warnings'],
]);

/**
 * Shows an import until it has ended, and then how it ended.
 *
 * @param {Import} started
 * @param {Element} step
 * @param {{ again: () => Promise<void>, commit: () => Promise<void>, leave: () => void }} next
 */
export async function followImport(started, step, next) {
  const { id, shop, dryRun, source } = started;
  const title = element(
    'h2',
    { tabindex: '-1' },
    dryRun ? `Checking ${source}` : `Importing ${source}`,
  );
  const bar = element('progress', { 'aria-label': title.textContent });
  const words = element('p', { class: 'quiet-text' }, 'Reading…');
  step.replaceChildren(title, bar, words);
  title.focus({ preventScroll: true });
  let found = started;
  while (found.state === 'waiting' || found.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (!step.isConnected) return;
    found = await perform('catalog.import.show', { shop, id });
    const done = COUNTS.slice(0, 5).reduce((sum, [, field]) => sum + (found.counts[field] ?? 0), 0);
    if (done > 0) words.textContent = `${count(done)} rows`;
  }
  step.replaceChildren(...ending(found, next));
  step.querySelector('h2')?.focus({ preventScroll: true });
  announce(step.querySelector('h2')?.textContent ?? '');
}

/**
 * @param {Import} ended
 * @param {{ again: () => Promise<void>, commit: () => Promise<void>, leave: () => void }} next
 */
function ending(ended, { again, commit, leave }) {
  const { state, message, counts, faults, dryRun, source } = ended;
  const title = (/** @type {string} */ words) => element('h2', { tabindex: '-1' }, words);
  const back = button('Back to the columns', again);
  if (state === 'failed' || state === 'interrupted')
    return [
      title(`${source} was not imported`),
      notice(message ?? 'The service’s log says why. Nothing was changed.'),
      element('div', { class: 'row actions' }, back),
    ];
  const shown = COUNTS.filter(([, field]) => (counts[field] ?? 0) > 0);
  const numbers = shown.map(
    ([label, field]) => /** @type {const} */ ([label, count(counts[field] ?? 0)]),
  );
  const rejected = counts['rejected'] ?? 0;
  const buttons = dryRun
    ? [button('Import now', commit, { class: 'strong' }), back]
    : [
        button('Done', leave, { class: 'strong' }),
        element('a', { href: '#search' }, 'Search it'),
        undoButton(ended.shop, leave),
      ];
  return [
    title(dryRun ? 'Checked; nothing was changed' : 'Imported'),
    numbers.length > 0 ? figures(numbers) : element('p', {}, 'There was nothing to import.'),
    faults.length > 0 ? faultList(faultTitle(counts, faults.length), faults) : '',
    rejected > 0
      ? element(
          'p',
          {},
          element(
            'a',
            { href: errorsAddress(ended), download: '' },
            'Download the rejected records',
          ),
          ', correct them and import that file.',
        )
      : '',
    element('div', { class: 'row actions' }, ...buttons),
  ];
}

/**
 * @param {Import['counts']} counts
 * @param {number} listed
 */
function faultTitle({ rejected = 0, warnings = 0 }, listed) {
  const all = rejected + warnings;
  if (all > listed) return `The first ${listed} of ${count(all)} faults`;
  return listed === 1 ? 'One fault' : `${listed} faults`;
}

/**
 * @param {string} shop
 * @param {() => void} redraw
 */
export function undoButton(shop, redraw) {
  return button('Undo this import', async () => {
    const consequence = 'Searches immediately see the catalogue as it was before the import.';
    if (!(await confirmed('Undo the last import?', consequence, 'Undo'))) return;
    await perform('catalog.rollback', { shop });
    redraw();
  });
}

/**
 * @param {string} title
 * @param {readonly { line: number, externalId: string | null, column: string | null, message: string }[]} faults
 */
export function faultList(title, faults) {
  const lines = faults.map(({ line, externalId, message }) => {
    const place = externalId === null ? '' : ` (${externalId})`;
    return element('li', {}, `Line ${line}${place}: ${message}`);
  });
  return element(
    'div',
    { class: 'faults' },
    element('h3', {}, title),
    element('ul', { class: 'plain' }, ...lines),
  );
}
