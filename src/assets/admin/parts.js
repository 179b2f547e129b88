import { element } from '../page/element.js';

/** @typedef {Node | string | null} Part */

/**
 * A button that is disabled while its action runs. An error message appears after it.
 *
 * @param {string} label
 * @param {() => Promise<void> | void} act
 * @param {Readonly<Record<string, string>>} [attributes]
 */
export function button(label, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, label);
  let complaint = /** @type {Element | null} */ (null);
  made.addEventListener('click', async () => {
    complaint?.remove();
    complaint = null;
    made.disabled = true;
    try {
      await act();
    } catch (error) {
      complaint = notice(error);
      made.after(complaint);
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/** @param {unknown} error */
export function notice(error) {
  const words = error instanceof Error ? error.message : String(error);
  return element('p', { class: 'notice bad', role: 'alert' }, words);
}

/**
 * @param {string} title
 * @param {...Part} children
 */
export function panel(title, ...children) {
  return element('section', { class: 'panel' }, element('h2', {}, title), ...children);
}

/**
 * A table that scrolls sideways by itself. A leading `#` in a heading marks a column of numbers.
 *
 * @param {readonly string[]} headings
 * @param {readonly (readonly Part[])[]} rows
 * @param {{ label: string }} name For a screen reader.
 */
export function table(headings, rows, { label }) {
  const kinds = headings.map((heading) => (heading.startsWith('#') ? 'number' : 'words'));
  const head = headings.map((heading, index) =>
    element('th', { scope: 'col', class: kinds[index] ?? '' }, heading.replace(/^#/, '')),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      ...row.map((cell, index) => element('td', { class: kinds[index] ?? '' }, cell)),
    ),
  );
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...body),
    ),
  );
}

/**
 * Labelled values, side by side.
 *
 * @param {readonly (readonly [string, Node | string])[]} values
 */
export function figures(values) {
  const parts = values.map(([label, value]) =>
    element('div', {}, element('dt', {}, label), element('dd', {}, value)),
  );
  return element('dl', { class: 'figures' }, ...parts);
}

/**
 * @param {string} words
 * @param {'good' | 'low' | 'bad' | 'accent' | ''} [mood]
 */
export function tag(words, mood = '') {
  return element('span', { class: `tag ${mood}`.trim() }, words);
}

/**
 * A link from the catalogue, which is untrusted: only http and https are allowed.
 *
 * @param {string} label
 * @param {string | null | undefined} address
 */
export function link(label, address) {
  if (address == null || !/^https?:\/\//i.test(address)) return element('span', {}, label);
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/**
 * Text to paste elsewhere, with a button that copies it.
 *
 * @param {string} words
 * @param {string} name What is copied, for a screen reader.
 */
export function pasteable(words, name) {
  const copy = button(
    'Copy',
    async () => {
      await navigator.clipboard.writeText(words);
      copy.textContent = 'Copied';
      announce('Copied.');
    },
    { class: 'small', 'aria-label': `Copy ${name}` },
  );
  return element('div', { class: 'pasteable' }, element('pre', { tabindex: '0' }, words), copy);
}

/**
 * Announces text to a screen reader.
 *
 * @param {string} words
 */
export function announce(words) {
  /** @type {HTMLElement} */ (document.getElementById('announcement')).textContent = words;
}
