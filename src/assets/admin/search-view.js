import { element } from '../page/element.js';
import { announce, notice, tag } from './parts.js';
import { resultCard } from './result-card.js';
import { rulesPanel } from './rules-panel.js';
import { perform } from './service.js';
import { count } from './wording.js';

/** @typedef {import('./service.js').Result<'search'>} Answer */
/** @typedef {import('./result-card.js').Judging} Judging */
/** @typedef {import('./rules-panel.js').Changed} Changed */

/**
 * Another order of the same question, and what led from it to the present one.
 *
 * @typedef {{ title: string, presentTitle: string, answer: Answer, depth: number, cause: string }} Other
 * `depth` is how many results it asked for.
 */

/** @typedef {{ before: Answer, said: string }} Change A change of rules, and the answer before it. */

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

/**
 * The question that the section asks when it opens next.
 *
 * @param {string} question
 */
export function askNext(question) {
  asked = question;
}

/** The section where an operator tries questions, judges the results and corrects them by rules. */
export async function searchView() {
  const { form, question, ask, products, compare } = questionForm();
  const answer = element('div', {}, hint());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show();
  });
  for (const input of [products, compare]) input.addEventListener('change', () => show());

  /** The answer on the page. */
  let shown = /** @type {Answer | null} */ (null);
  const { shops } = await perform('catalog.stats', {});
  const rules = await rulesPanel({ shops: shops.map(({ handle }) => handle), changed });

  /** @type {Changed} */
  async function changed(change, said) {
    rules.draw(change);
    const { added, removed } = change;
    const words = added + removed === 0 ? 'The shop has this rule already.' : said;
    if (shown === null) announce(words);
    else await show({ before: shown, said: words });
  }

  /** @param {Change | null} [change] To be compared with the answer before it, to the same question. */
  async function show(change = null) {
    const words = change?.before.query ?? question.value.trim();
    if (words === '') return;
    asked = words;
    ask.disabled = true;
    try {
      const input = { question: words, productsOnly: products.checked };
      const isCompared = compare.checked && change === null;
      const { scored, fused, judging } = await answered(input, isCompared);
      const other = change === null ? fused && unscored(fused) : formerly(change.before);
      answer.replaceChildren(summary(scored, judging), orders(scored, other, { judging, changed }));
      shown = scored;
      if (change === null) rules.suggest(words);
      else tell(change.said);
      announce(`${scored.count} results`);
    } catch (error) {
      shown = null;
      answer.replaceChildren(notice(error));
    } finally {
      ask.disabled = false;
    }
  }

  /**
   * Focuses the message, as the button that made the change may be gone.
   *
   * @param {string} said
   */
  function tell(said) {
    const message = element('p', { class: 'notice', tabindex: '-1' }, said);
    answer.prepend(message);
    message.focus();
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
    rules.made,
    answer,
  ];
}

function questionForm() {
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
  return { form, question, ask, products: products.input, compare: compare.input };
}

/**
 * The answer to a question, the same without scoring if they are compared, and its judgements.
 *
 * @param {{ question: string, productsOnly: boolean }} input
 * @param {boolean} isCompared
 */
async function answered(input, isCompared) {
  const { question } = input;
  const [scored, fused, judged] = await Promise.all([
    perform('search', { ...input, limit: LIMIT, skipScoring: false }),
    isCompared ? perform('search', { ...input, limit: COMPARED, skipScoring: true }) : null,
    perform('judgement.list', { question }),
  ]);
  const grades = new Map(judged.map(({ externalId, grade }) => [externalId, grade]));
  return { scored, fused, judging: { question, grades, listeners: new Set() } };
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
 * @param {Answer} answer
 * @returns {Other}
 */
function unscored(answer) {
  return {
    ...{ title: 'Without scoring', presentTitle: 'With scoring', answer },
    ...{ depth: COMPARED, cause: 'by scoring' },
  };
}

/**
 * @param {Answer} answer
 * @returns {Other}
 */
function formerly(answer) {
  return {
    ...{ title: 'Before the change', presentTitle: 'Now', answer },
    ...{ depth: LIMIT, cause: 'by the change' },
  };
}

/**
 * @param {Answer} present
 * @param {Other | null} other
 * @param {{ judging: Judging, changed: Changed }} page
 */
function orders(present, other, { judging, changed }) {
  const places = other && new Map(other.answer.results.map(({ id, rank }) => [id, rank]));
  return element(
    'div',
    { class: 'columns' },
    order(other?.presentTitle ?? 'With scoring', present.results, (result) =>
      resultCard(result, {
        judging,
        move: places && moved(result.rank, places.get(result.id), other),
        changed,
      }),
    ),
    other &&
      order(other.title, other.answer.results.slice(0, LIMIT), (result) =>
        resultCard(result, { judging, move: null, changed: null }),
      ),
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
 * How far a result moved. `before` is undefined if the other order does not show it.
 *
 * @param {number} rank
 * @param {number | undefined} before
 * @param {Other} other
 */
function moved(rank, before, { answer, depth, cause }) {
  if (before === rank) return null;
  if (before === undefined && answer.count < depth)
    return movement('up', 'new', `Newly found ${cause}`);
  const isUp = before === undefined || before > rank;
  const places = before === undefined ? 'from afar' : String(Math.abs(before - rank));
  const words =
    before === undefined
      ? `Up from below rank ${depth} ${cause}`
      : `${isUp ? 'Up' : 'Down'} ${places} ${cause}`;
  return movement(isUp ? 'up' : 'down', places, words);
}

/**
 * @param {'up' | 'down'} direction
 * @param {string} places
 * @param {string} words The same in words.
 */
function movement(direction, places, words) {
  return element(
    'span',
    { class: `move ${direction}`, title: words },
    element('span', { 'aria-hidden': 'true' }, `${direction === 'up' ? '▲' : '▼'} ${places}`),
    element('span', { class: 'unseen' }, words),
  );
}

/** @param {string} words */
function checkbox(words) {
  const input = element('input', { type: 'checkbox' });
  return { input, label: element('label', { class: 'check' }, input, words) };
}
