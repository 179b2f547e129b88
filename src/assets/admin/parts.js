import { element } from '../page/element.js';

/** @typedef {Node | string | null} Part */

/**
 * A button that does something, unavailable while it does.
 *
 * @param {string} label
 * @param {() => Promise<void> | void} act
 * @param {Readonly<Record<string, string>>} [attributes]
 */
export function button(label, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', async () => {
    made.disabled = true;
    try {
      await act();
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
      made.after(notice(error));
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/**
 * @param {unknown} error
 */
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
 * A table that scrolls sideways on its own. Columns that hold numbers are named with a leading `#`.
 *
 * @param {readonly string[]} headings
 * @param {readonly (readonly Part[])[]} rows
 */
export function table(headings, rows) {
  const kinds = headings.map((heading) => (heading.startsWith('#') ? 'number' : 'words'));
  const head = headings.map((heading, index) =>
    element('th', { scope: 'col', class: kinds[index] ?? '' }, heading.replace(/^#/, '')),
  );
  const body = rows.map((row) =>
    element('tr', {}, ...row.map((cell, index) => element('td', { class: kinds[index] ?? '' }, cell))),
  );
  return element(
    'div',
    { class: 'scroll', tabindex: '0' },
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)),
  );
}

/**
 * Figures that say how it stands, side by side.
 *
 * @param {readonly (readonly [string, string])[]} figures
 */
export function figures(figures) {
  const parts = figures.map(([label, value]) =>
    element('div', {}, element('dt', {}, label), element('dd', {}, value)),
  );
  return element('dl', { class: 'figures' }, ...parts);
}

/**
 * @param {string} words
 * @param {'good' | 'low' | 'bad' | ''} [mood]
 */
export function tag(words, mood = '') {
  return element('span', { class: `tag ${mood}` }, words);
}

/**
 * A link of the catalogue's, which may say anything: only to the web.
 *
 * @param {string} label
 * @param {string | null} address
 */
export function link(label, address) {
  if (address === null || !/^https?:\/\//i.test(address)) return element('span', {}, label);
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/**
 * Text to paste elsewhere, with a button that copies it.
 *
 * @param {string} words
 */
export function pasteable(words) {
  const copy = button('Copy', async () => {
    await navigator.clipboard.writeText(words);
    announce('Copied.');
    copy.textContent = 'Copied';
  });
  return element('div', {}, element('pre', {}, words), element('p', { class: 'row' }, copy));
}

/**
 * Tells a screen reader.
 *
 * @param {string} words
 */
export function announce(words) {
  /** @type {HTMLElement} */ (document.getElementById('announcement')).textContent = words;
}
