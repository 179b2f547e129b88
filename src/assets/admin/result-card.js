import { element, icon } from '../page/element.js';
import { link, tag } from './parts.js';
import { perform } from './service.js';
import { price } from './wording.js';

/** @typedef {import('./service.js').Result<'search'>['results'][number]} SearchResult */

/**
 * The question being judged, and its grades so far by external id.
 *
 * @typedef {{ question: string, grades: Map<string, number>, listeners: Set<() => void> }} Judging
 */

const RIGHT = 3;
const WRONG = 0;

const THUMB_UP =
  'M7 21V10l4-7c1.5 0 2.5 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1.2 8A2 2 0 0 1 17.8 21zM3 10h4v11H3z';
const THUMB_DOWN =
  'M17 3v11l-4 7c-1.5 0-2.5-1-2.5-2.5V15H5a2 2 0 0 1-2-2.3l1.2-8A2 2 0 0 1 6.2 3zM21 14h-4V3h4z';

/**
 * One result with its score, its explanation and the operator's judgement.
 *
 * @param {SearchResult} result
 * @param {{ judging: Judging, move: Node | null }} beside
 */
export function resultCard(result, { judging, move }) {
  const { rank, name, publicUrl, image, score, explanation, matchedOn, available, type } = result;
  const bar = element('meter', { min: '0', max: '1', value: String(score), 'aria-label': 'Score' });
  return element(
    'li',
    { class: 'result' },
    picture(image, type),
    element('span', { class: 'rank' }, `${rank}`),
    element('h3', {}, link(name, publicUrl), move),
    amount(result),
    element(
      'p',
      { class: 'score' },
      bar,
      element('span', {}, score.toFixed(2)),
      type === 'context' ? tag('context') : null,
      available === false ? tag('sold out', 'low') : null,
    ),
    thumbs(result, judging),
    element('p', { class: 'why' }, explanation, ' ', ...matchedOn.map((field) => tag(field))),
  );
}

/** @param {SearchResult} result */
function amount({ price: now, compareAtPrice: before, currency }) {
  const former = before === null ? null : element('s', {}, price(before, currency));
  return element('p', { class: 'price' }, price(now, currency), former && ' ', former);
}

/**
 * @param {string | null} address
 * @param {SearchResult['type']} type
 */
function picture(address, type) {
  const words = type === 'context' ? 'text' : 'no picture';
  const none = element('div', { class: 'picture', 'aria-hidden': 'true' }, words);
  if (address === null || !/^(?:https?:|data:image\/)/i.test(address)) return none;
  const shown = element('img', { class: 'picture', alt: '', referrerpolicy: 'no-referrer' });
  shown.addEventListener('error', () => shown.replaceWith(none));
  shown.src = address;
  return shown;
}

/**
 * @param {SearchResult} result
 * @param {Judging} judging
 */
function thumbs({ name, externalId }, { question, grades, listeners }) {
  const buttons = /** @type {const} */ ([
    ['Right answer', THUMB_UP, RIGHT],
    ['Wrong answer', THUMB_DOWN, WRONG],
  ]).map(([label, path, grade]) => {
    const words = { title: label, 'aria-label': `${label}: ${name}` };
    const made = element('button', { type: 'button', ...words }, icon(path));
    const show = () => made.setAttribute('aria-pressed', String(grades.get(externalId) === grade));
    made.addEventListener('click', async () => {
      const next = grades.get(externalId) === grade ? null : grade;
      await perform('judgement.save', { question, externalId, grade: next });
      if (next === null) grades.delete(externalId);
      else grades.set(externalId, next);
      for (const listener of listeners) listener();
    });
    listeners.add(show);
    show();
    return made;
  });
  return element('div', { class: 'thumbs' }, ...buttons);
}
