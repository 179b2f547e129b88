import { element } from '../page/element.js';
import { button } from './parts.js';
import { perform } from './service.js';

/** @typedef {Parameters<typeof import('../../operations/hits/report-hits.ts').reportHits.run>[1]} ReportInput */
/** @typedef {Parameters<typeof import('../../operations/hits/export-report.ts').exportReport.run>[1]['by']} Part */

const PERIODS = /** @type {const} */ ([
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['', 'Other dates'],
]);

/**
 * Kinds of agents, from the bottom of a column to its top. Assistants come first, because the page is
 * about them.
 */
export const KINDS = /** @type {const} */ ([
  ['ai_retrieval', 'Assistants'],
  ['ai_indexer', 'Assistants’ indexes'],
  ['ai_training', 'Model training'],
  ['search_engine', 'Search engines'],
  ['tool', 'Tools'],
  ['unknown', 'Unknown'],
  ['human', 'People'],
]);

const AGENTS = /** @type {readonly (readonly [string, string])[]} */ ([
  ['', 'All agents'],
  ['human ai_retrieval', 'People and assistants'],
  ...KINDS,
]);

const ACCESS = /** @type {const} */ ([
  ['', 'With and without a key'],
  ['public', 'Without a key'],
  ['key', 'With a key'],
]);

/** What the operator has chosen, kept while another section is shown. */
const chosen = { period: '30d', firstDay: '', lastDay: '', kinds: '', access: '' };

/** The report that the operator has chosen. */
export function chosenReport() {
  const { period, firstDay, lastDay, kinds, access } = chosen;
  return /** @type {Omit<ReportInput, 'organization'>} */ ({
    ...(period === '' ? { since: firstDay, until: lastDay } : { since: period }),
    ...(kinds === '' ? {} : { kinds: kinds.split(' ') }),
    ...(access === '' ? {} : { access }),
  });
}

/**
 * The controls that choose a report. `redraw` runs after each change, and the same control then has the
 * focus again.
 *
 * @param {{ firstDay: string, lastDay: string } | null} shown The days of the report; null if it was refused.
 * @param {() => Promise<void>} redraw
 */
export function filterForm(shown, redraw) {
  if (shown !== null) Object.assign(chosen, { firstDay: shown.firstDay, lastDay: shown.lastDay });
  /** @param {string} name */
  async function apply(name) {
    await redraw();
    const same = document.querySelector(`.filter [aria-label="${name}"]`);
    if (same instanceof HTMLElement) same.focus();
  }
  /**
   * @param {'period' | 'kinds' | 'access'} member
   * @param {string} name
   * @param {readonly (readonly [string, string])[]} options
   */
  const choice = (member, name, options) => {
    const made = element('select', { 'aria-label': name });
    made.append(
      ...options.map(([value, label]) => new Option(label, value, false, value === chosen[member])),
    );
    made.addEventListener('change', () => {
      chosen[member] = made.value;
      void apply(name);
    });
    return made;
  };
  /**
   * @param {'firstDay' | 'lastDay'} member
   * @param {string} name
   */
  const date = (member, name) => {
    const made = element('input', { type: 'date', 'aria-label': name, value: chosen[member] });
    made.addEventListener('change', () => {
      if (made.value === '') return;
      chosen[member] = made.value;
      void apply(name);
    });
    return made;
  };
  return element(
    'div',
    { class: 'row filter' },
    choice('period', 'Period', PERIODS),
    ...(chosen.period === '' ? [date('firstDay', 'From'), date('lastDay', 'To')] : []),
    choice('kinds', 'Agents', AGENTS),
    choice('access', 'Access', ACCESS),
  );
}

/**
 * Adds to a panel a button that downloads its part of the report, with up to 1,000 rows.
 *
 * @param {HTMLElement} made
 * @param {Part} by
 */
export function withDownload(made, by) {
  const title = /** @type {HTMLElement} */ (made.querySelector('h2'));
  const download = button(
    'CSV',
    async () => {
      const { name, text } = await perform('hits.export', { ...chosenReport(), by });
      const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
      element('a', { href: address, download: name }).click();
      URL.revokeObjectURL(address);
    },
    { class: 'small', 'aria-label': `Download as CSV: ${title.textContent}` },
  );
  const head = element('div', { class: 'head' });
  title.replaceWith(head);
  head.append(title, download);
  return made;
}
