import { element, icon } from '../page/element.js';
import { edited } from './dialogs.js';
import { button, link, tag } from './parts.js';
import { perform } from './service.js';
import { price } from './wording.js';

/** @typedef {import('./service.js').Result<'search'>['results'][number]} SearchResult */
/** @typedef {import('./rules-panel.js').Changed} Changed */

/**
 * The question being judged, and its grades so far by external id.
 *
 * @typedef {{ question: string, grades: Map<string, number>, listeners: Set<() => void> }} Judging
 */

/** Last place on which a result can be pinned. */
const PLACE_MAX = 20;

const RIGHT = 3;
const WRONG = 0;

const THUMB_UP =
  'M7 21V10l4-7c1.5 0 2.5 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1.2 8A2 2 0 0 1 17.8 21zM3 10h4v11H3z';
const THUMB_DOWN =
  'M17 3v11l-4 7c-1.5 0-2.5-1-2.5-2.5V15H5a2 2 0 0 1-2-2.3l1.2-8A2 2 0 0 1 6.2 3zM21 14h-4V3h4z';

/**
 * One result with its score, its explanation, the operator's judgement and, unless `changed` is null, the
 * rules that correct its place.
 *
 * @param {SearchResult} result
 * @param {{ judging: Judging, move: Node | null, changed: Changed | null }} beside
 */
export function resultCard(result, { judging, move, changed }) {
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
    changed && corrections(result, judging.question, changed),
  );
}

/** @param {{ price: string | null, compareAtPrice: string | null, currency: string | null }} prices */
export function amount({ price: now, compareAtPrice: before, currency }) {
  const former = before === null ? null : element('s', {}, price(before, currency));
  return element('p', { class: 'price' }, price(now, currency), former && ' ', former);
}

/**
 * @param {string | null} address
 * @param {SearchResult['type']} type
 */
export function picture(address, type) {
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

/**
 * @param {SearchResult} result
 * @param {string} question
 * @param {Changed} changed
 */
function corrections({ name, externalId: item, shop, rank }, question, changed) {
  /** @param {object} rule */
  const add = (rule) => perform('curation.change', { shop, add: [rule] });
  const pin = async () => {
    const place = element('input', {
      ...{ type: 'number', min: '1', max: String(PLACE_MAX) },
      ...{
        value: String(Math.min(rank, PLACE_MAX)),
        'aria-label': `Place, from 1 to ${PLACE_MAX}`,
      },
    });
    let change = /** @type {Awaited<ReturnType<typeof add>> | null} */ (null);
    await edited(`Pin “${name}” for “${question}”`, [place], async () => {
      change = await add({ kind: 'pin', question, item, place: place.valueAsNumber });
    });
    if (change !== null) await changed(change, `“${name}” is pinned on place ${place.value}.`);
  };
  const hideHere = async () =>
    changed(await add({ kind: 'hide', question, item }), `“${name}” is hidden for “${question}”.`);
  const hide = async () =>
    changed(await add({ kind: 'hide', item }), `“${name}” is hidden from every answer.`);
  const actions = /** @type {const} */ ([
    ['Pin here…', pin],
    ['Hide for this question', hideHere],
    ['Hide from every answer', hide],
  ]);
  const buttons = actions.map(([label, act]) =>
    button(label, act, { class: 'small', 'aria-label': `${label}: ${name}` }),
  );
  return element(
    'details',
    { class: 'corrections' },
    element('summary', { 'aria-label': `Correct: ${name}` }, 'Correct'),
    element('div', { class: 'row' }, ...buttons),
  );
}
