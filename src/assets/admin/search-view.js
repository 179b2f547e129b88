import { element } from '../page/element.js';
import { announce, link, notice, tag } from './parts.js';
import { perform } from './service.js';
import { count, price } from './wording.js';

/** Results shown of each order. */
const LIMIT = 12;

const GOOD = 3;
const WRONG = 0;

const THUMB_UP = 'M7 21V10l4-7c1.5 0 2.5 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1.2 8A2 2 0 0 1 17.8 21zM3 10h4v11H3z';
const THUMB_DOWN =
  'M17 3v11l-4 7c-1.5 0-2.5-1-2.5-2.5V15H5a2 2 0 0 1-2-2.3l1.2-8A2 2 0 0 1 6.2 3zM21 14h-4V3h4z';

const AVAILABILITY = new Map([
  [true, null],
  [false, 'cannot be ordered now'],
]);

/** The page on which an operator tries questions and judges the answers. */
export function searchView() {
  const question = element('input', {
    type: 'search',
    class: 'grow',
    maxlength: '1024',
    'aria-label': 'Question',
    placeholder: 'Ask as a customer or an assistant would',
  });
  const products = checkbox('Products only');
  const compare = checkbox('Beside the order without scoring');
  compare.input.checked = true;
  const ask = element('button', { class: 'strong' }, 'Search');
  const form = element('form', { class: 'row', role: 'search' }, question, ask, products.label, compare.label);
  const answer = element('div', { 'aria-live': 'polite' });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show();
  });
  for (const { input } of [products, compare]) input.addEventListener('change', () => void show());

  async function show() {
    const words = question.value.trim();
    if (words === '') return;
    ask.disabled = true;
    const input = { question: words, productsOnly: products.input.checked, limit: LIMIT };
    try {
      const [scored, fused, judged] = await Promise.all([
        perform('search', { ...input, skipScoring: false }),
        compare.input.checked ? perform('search', { ...input, skipScoring: true }) : null,
        perform('judgement.list', { question: words }),
      ]);
      const grades = new Map(judged.map((judgement) => [judgement.externalId, judgement.grade]));
      answer.replaceChildren(remarks(scored), orders({ scored, fused, grades }));
      announce(`${scored.count} results`);
    } catch (error) {
      answer.replaceChildren(notice(error));
    } finally {
      ask.disabled = false;
    }
  }

  queueMicrotask(() => question.focus());
  return [
    element('h1', {}, 'Search'),
    element(
      'p',
      { class: 'lead' },
      'The same answers that programs and assistants get, and why each result is where it is. A thumb is kept as a judgement, to measure with “vitrine eval”.',
    ),
    form,
    answer,
  ];
}

/** What the question was taken to mean, in a line. */
function remarks({ total, tookMs, scoring, suggestion, lowConfidence, constraints, warnings }) {
  const demands = constraints.map(({ text, relaxed }) => tag(relaxed ? `${text}: given up` : text, relaxed ? 'low' : ''));
  return element(
    'p',
    { class: 'row notice' },
    element('span', {}, `${count(total)} matched in ${tookMs} ms, scored by ${scoring.replace('_', ' ')}.`),
    suggestion === null ? null : element('span', {}, `Did you mean “${suggestion}”?`),
    lowConfidence ? tag('nothing really fits', 'low') : null,
    ...demands,
    ...warnings.map((warning) => tag(warning, 'low')),
  );
}

function orders({ scored, fused, grades }) {
  const judging = { question: scored.query, grades };
  if (fused === null) return element('div', { class: 'columns' }, order('Scored', scored, { judging, beside: null }));
  return element(
    'div',
    { class: 'columns' },
    order('Scored', scored, { judging, beside: fused }),
    order('Without scoring', fused, { judging, beside: null }),
  );
}

function order(title, { results }, { judging, beside }) {
  const places = new Map((beside?.results ?? []).map(({ id, rank }) => [id, rank]));
  const items = results.map((result) => {
    const moved = beside === null ? null : move(result.rank, places.get(result.id));
    return resultCard(result, { judging, moved });
  });
  const list = items.length > 0 ? element('ol', { class: 'results' }, ...items) : element('p', {}, 'Nothing.');
  return element('section', {}, element('h2', {}, title), list);
}

/** How far scoring moved a result. */
function move(rank, before) {
  if (before === undefined) return element('span', { class: 'up' }, 'new');
  if (before === rank) return null;
  const isUp = before > rank;
  return element('span', { class: isUp ? 'up' : 'down' }, `${isUp ? '▲' : '▼'} ${Math.abs(before - rank)}`);
}

function resultCard(result, { judging, moved }) {
  const { rank, name, publicUrl, image, score, explanation, matchedOn, available, type } = result;
  const title = element('h3', {}, element('span', { class: 'rank' }, `${rank}`), link(name, publicUrl), moved);
  const amount = element(
    'p',
    { class: 'price' },
    price(result.price, result.currency),
    result.compareAtPrice === null ? null : ' ',
    result.compareAtPrice === null ? null : element('s', {}, price(result.compareAtPrice, result.currency)),
  );
  const bar = element('meter', { min: '0', max: '1', value: String(score), 'aria-label': 'Score' });
  const scoreLine = element(
    'p',
    { class: 'score' },
    bar,
    score.toFixed(2),
    type === 'context' ? tag('context') : null,
    AVAILABILITY.get(available) === 'cannot be ordered now' ? tag('sold out', 'low') : null,
  );
  const why = element('p', { class: 'why' }, explanation, ' ', ...matchedOn.map((field) => tag(field)));
  return element('li', { class: 'result' }, picture(image), title, amount, scoreLine, thumbs(result, judging), why);
}

function picture(address) {
  const none = element('div', { class: 'picture', 'aria-hidden': 'true' }, 'no picture');
  if (address === null || !/^(https?:|data:image\/)/i.test(address)) return none;
  const shown = element('img', { class: 'picture', src: address, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' });
  shown.addEventListener('error', () => shown.replaceWith(none));
  return shown;
}

function thumbs({ name, externalId }, { question, grades }) {
  const given = () => grades.get(externalId) ?? null;
  const thumb = (label, path, grade) => {
    const made = element('button', { type: 'button', 'aria-label': `${label}: ${name}`, title: label }, drawing(path));
    made.addEventListener('click', async () => {
      const next = given() === grade ? null : grade;
      await perform('judgement.save', { question, externalId, grade: next });
      if (next === null) grades.delete(externalId);
      else grades.set(externalId, next);
      for (const show of shows) show();
    });
    return { made, show: () => made.setAttribute('aria-pressed', String(given() === grade)) };
  };
  const both = [thumb('Right answer', THUMB_UP, GOOD), thumb('Wrong answer', THUMB_DOWN, WRONG)];
  const shows = both.map(({ show }) => show);
  for (const show of shows) show();
  return element('div', { class: 'thumbs' }, ...both.map(({ made }) => made));
}

function drawing(path) {
  const namespace = 'http://www.w3.org/2000/svg';
  const made = document.createElementNS(namespace, 'svg');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(namespace, 'path');
  line.setAttribute('d', path);
  made.append(line);
  return made;
}

function checkbox(words) {
  const input = element('input', { type: 'checkbox' });
  return { input, label: element('label', { class: 'check' }, input, words) };
}
