import { element, icon } from '../page/element.js';
import { offeringCard } from './card.js';
import { arrowsFor } from './carousel.js';
import { link } from './link.js';
import { say } from './say.js';
import { webAddress } from './web-address.js';
import { text } from './wording.js';

/**
 * Cards shown at first: two rows of three. The rest appear on request, to keep the conversation
 * readable.
 */
const SHOWN_FIRST = 6;
const SHOWN_MORE = 12;

const MAGNIFIER = 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M16 16l5 5';
const WARNING = 'M12 3.5 2.5 20h19zM12 10v4M12 17v.1';

/**
 * @typedef {{ host: import('./host.js').Host, locale: string }} Shown
 * @typedef {import('./phase.js').Phase} Phase
 */

/**
 * The whole page for a phase, and the announcement for screen readers.
 *
 * @param {Phase} phase
 * @param {Shown} shown
 * @returns {{ parts: (Node | null)[], announcement: string }}
 */
export function viewOf(phase, shown) {
  if (phase.kind === 'loading') return loading(phase.question);
  if (phase.kind === 'plain')
    return {
      parts: [element('p', { class: 'plain', dir: 'auto' }, phase.words)],
      announcement: '',
    };
  if (phase.kind === 'message') {
    const drawing = phase.isFailure ? WARNING : MAGNIFIER;
    return { parts: [message(drawing, phase.title, phase.detail)], announcement: phase.title };
  }
  return found(phase, shown);
}

/** @param {string} question */
function loading(question) {
  const bones = () => ['', '', '', ''].map(() => element('div', { class: 'bone' }));
  const card = () =>
    element(
      'li',
      {},
      element(
        'div',
        { class: 'card' },
        element('div', { class: 'picture' }),
        element('div', { class: 'body' }, ...bones()),
      ),
    );
  const title = question === '' ? say('looking') : say('searching', { question });
  const shapes = element(
    'ul',
    { class: 'cards waiting', 'aria-hidden': 'true' },
    card(),
    card(),
    card(),
  );
  return { parts: [heading(title, '', null), shapes], announcement: title };
}

/**
 * @param {import('./phase.js').Found} found
 * @param {Shown} shown
 */
function found({ question, offerings, contexts, total, isLowConfidence }, shown) {
  const further = contexts.length === 0 ? null : contextList(contexts, shown.host);
  if (offerings.length === 0) {
    const title = question === '' ? say('empty') : say('none', { question });
    const hint = question === '' ? '' : say('otherWords');
    const said = contexts.length === 0 ? message(MAGNIFIER, title, hint) : heading(title, '', null);
    return { parts: [said, further], announcement: title };
  }
  const count = counted(offerings.length, total);
  const title = question === '' ? say('all') : say('question', { question });
  const list = element('ul', { class: 'cards', role: 'list', 'aria-label': title });
  const note = isLowConfidence ? element('p', { class: 'note' }, say('nearest')) : null;
  const more = fill(list, offerings, shown);
  return {
    parts: [heading(title, count, arrowsFor(list)), note, list, more, further],
    announcement: `${count}.`,
  };
}

/**
 * @param {number} shownCount
 * @param {number} total
 */
function counted(shownCount, total) {
  return total > shownCount
    ? say('part', { shown: shownCount, total })
    : say('count', { count: shownCount });
}

/**
 * @param {string} title
 * @param {string} count
 * @param {HTMLElement | null} arrows
 */
function heading(title, count, arrows) {
  return element(
    'header',
    {},
    element(
      'div',
      {},
      element('h1', { dir: 'auto' }, title),
      count === '' ? null : element('p', { class: 'count' }, count),
    ),
    arrows,
  );
}

/**
 * Adds the first cards to the list. Returns the button for the rest, or null if there are no more.
 *
 * @param {HTMLElement} list
 * @param {import('./phase.js').Offering[]} offerings
 * @param {Shown} shown
 */
function fill(list, offerings, shown) {
  const rest = offerings.map((offering) => () => offeringCard(offering, shown));
  const add = (/** @type {number} */ count) => {
    const cards = rest.splice(0, count).map((make) => make());
    list.append(...cards);
    return cards[0];
  };
  add(SHOWN_FIRST);
  if (rest.length === 0) return null;
  const label = () => say('more', { count: Math.min(rest.length, SHOWN_MORE) });
  const button = element('button', { type: 'button' }, label());
  const row = element('p', { class: 'more' }, button);
  button.addEventListener('click', () => {
    const first = add(SHOWN_MORE);
    // The button may disappear, so the focus moves to the first new card.
    /** @type {HTMLElement | null | undefined} */ (first?.querySelector('a, button'))?.focus();
    if (rest.length === 0) row.remove();
    else button.textContent = label();
  });
  return row;
}

/**
 * @param {import('./phase.js').Offering[]} contexts
 * @param {import('./host.js').Host} host
 */
function contextList(contexts, host) {
  const items = contexts.map(({ name, description, publicUrl }) => {
    const url = webAddress(publicUrl);
    const title = text(name) || say('context');
    return element(
      'li',
      {},
      element(
        'h3',
        { dir: 'auto' },
        url === null ? title : link(url, { host, outcome: null, className: '' }, title),
      ),
      element('p', { dir: 'auto' }, text(description)),
    );
  });
  return element(
    'section',
    { class: 'contexts', 'aria-label': say('contexts') },
    element('h2', {}, say('contexts')),
    element('ul', { role: 'list' }, ...items),
  );
}

/**
 * @param {string} drawing
 * @param {string} title
 * @param {string} detail
 */
function message(drawing, title, detail) {
  return element(
    'div',
    { class: 'message' },
    icon(drawing),
    element('h1', { dir: 'auto' }, title),
    element('p', { dir: 'auto', class: 'plain' }, detail),
  );
}
