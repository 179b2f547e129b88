import { element } from '../page/element.js';
import { announce, notice, tag } from './parts.js';
import { resultCard } from './result-card.js';
import { perform } from './service.js';
import { count } from './wording.js';

/** @typedef {import('./service.js').Result<'search'>} Answer */
/** @typedef {import('./result-card.js').Judging} Judging */

/** Results shown per order. */
const LIMIT = 12;

/** Results without scoring that the scored order is compared with. */
const COMPARED = 50;

const SCORED_BY = {
  language_model: 'scored by the language model',
  local: 'scored by the embedded ranker',
  skipped: 'not scored',
  unavailable: 'not scored: the language model did not answer',
  timeout: 'not scored: the language model took too long',
};

/** The last question, kept while the operator visits another section. */
let asked = '';

/** The section where an operator tries questions and judges the results. */
export function searchView() {
  const question = element('input', {
    type: 'search',
    class: 'grow',
    maxlength: '1024',
    'aria-label': 'Question',
    placeholder: 'Ask as a customer or an assistant would',
    value: asked,
  });
  const products = checkbox('Products only');
  const compare = checkbox('Compare with unscored order');
  compare.input.checked = true;
  const ask = element('button', { class: 'strong' }, 'Search');
  const form = element(
    'form',
    { class: 'row', role: 'search' },
    question,
    ask,
    products.label,
    compare.label,
  );
  const answer = element('div', {}, hint());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show();
  });
  for (const { input } of [products, compare]) input.addEventListener('change', show);

  async function show() {
    const words = question.value.trim();
    if (words === '') return;
    asked = words;
    ask.disabled = true;
    const input = { question: words, productsOnly: products.input.checked };
    try {
      const [scored, fused, judged] = await Promise.all([
        perform('search', { ...input, limit: LIMIT, skipScoring: false }),
        compare.input.checked
          ? perform('search', { ...input, limit: COMPARED, skipScoring: true })
          : null,
        perform('judgement.list', { question: words }),
      ]);
      const grades = new Map(judged.map(({ externalId, grade }) => [externalId, grade]));
      const judging = { question: words, grades, listeners: new Set() };
      answer.replaceChildren(summary(scored, judging), orders(scored, fused, judging));
      announce(`${scored.count} results`);
    } catch (error) {
      answer.replaceChildren(notice(error));
    } finally {
      ask.disabled = false;
    }
  }

  if (asked !== '') void show();
  return [
    element('h1', {}, 'Search'),
    element(
      'p',
      { class: 'lead' },
      'The results that programs and assistants get, with an explanation of each rank. A thumb saves a judgement. “vitrine judgements export” writes the judgements for “vitrine eval”.',
    ),
    form,
    answer,
  ];
}

function hint() {
  return element(
    'p',
    { class: 'empty' },
    'You can ask in whole sentences: “something warm for a friend, under 40”.',
  );
}

/**
 * @param {Answer} answer
 * @param {Judging} judging
 */
function summary(answer, { grades, listeners }) {
  const { total, tookMs, scoring, suggestion, lowConfidence, constraints, warnings } = answer;
  const judged = element('span', {});
  const show = () => {
    judged.textContent = grades.size === 0 ? '' : `${count(grades.size)} judged`;
  };
  listeners.add(show);
  show();
  return element(
    'p',
    { class: 'row summary' },
    element('span', {}, `${count(total)} found in ${tookMs} ms, ${SCORED_BY[scoring]}`),
    suggestion === null ? null : element('span', {}, `Did you mean “${suggestion}”?`),
    ...constraints.map(({ text, relaxed }) =>
      relaxed ? tag(`${text}: ignored`, 'low') : tag(text, 'accent'),
    ),
    lowConfidence ? tag('nothing matches well', 'low') : null,
    ...warnings.map((warning) => tag(warning, 'low')),
    judged,
  );
}

/**
 * @param {Answer} scored
 * @param {Answer | null} fused
 * @param {Judging} judging
 */
function orders(scored, fused, judging) {
  const places = fused && new Map(fused.results.map(({ id, rank }) => [id, rank]));
  const before = fused?.results.slice(0, LIMIT) ?? null;
  return element(
    'div',
    { class: 'columns' },
    order('With scoring', scored.results, (result) =>
      resultCard(result, { judging, move: places && moved(result.rank, places.get(result.id)) }),
    ),
    before &&
      order('Without scoring', before, (result) => resultCard(result, { judging, move: null })),
  );
}

/**
 * @param {string} title
 * @param {Answer['results']} results
 * @param {(result: Answer['results'][number]) => Node} card
 */
function order(title, results, card) {
  const list =
    results.length > 0
      ? element('ol', { class: 'results' }, ...results.map(card))
      : element('p', { class: 'empty' }, 'No results.');
  return element('section', {}, element('h2', {}, title), list);
}

/**
 * How far scoring moved a result. `before` is undefined if the result was further behind than the
 * compared ranks.
 *
 * @param {number} rank
 * @param {number | undefined} before
 */
function moved(rank, before) {
  if (before === rank) return null;
  const isUp = before === undefined || before > rank;
  const places = before === undefined ? 'from afar' : String(Math.abs(before - rank));
  const words =
    before === undefined
      ? `Up from below rank ${COMPARED} by scoring`
      : `${isUp ? 'Up' : 'Down'} ${places} by scoring`;
  return element(
    'span',
    { class: `move ${isUp ? 'up' : 'down'}`, title: words },
    element('span', { 'aria-hidden': 'true' }, `${isUp ? '▲' : '▼'} ${places}`),
    element('span', { class: 'unseen' }, words),
  );
}

/** @param {string} words */
function checkbox(words) {
  const input = element('input', { type: 'checkbox' });
  return { input, label: element('label', { class: 'check' }, input, words) };
}
