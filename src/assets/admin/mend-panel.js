import { element } from '../page/element.js';
import { edited } from './dialogs.js';
import { editContext } from './items-panel.js';
import { button, panel } from './parts.js';
import { nameIn } from './rules-panel.js';
import { askNext } from './search-view.js';
import { perform } from './service.js';
import { count } from './wording.js';

/** @typedef {import('./service.js').Result<'hits.report'>} Report */
/** @typedef {Report['unanswered'][number]} Question */

const SUGGESTED = 8;

const TYPING_MS = 200;

/**
 * Questions without a good answer, each with four ways to mend it.
 *
 * @param {Report} report
 * @param {{ shops: readonly string[], redraw: () => Promise<void> }} page
 */
export function mendPanel({ unanswered, ignored }, { shops, redraw }) {
  const title = 'Questions without a good answer';
  const shop = element(
    'select',
    { 'aria-label': 'Shop to mend' },
    ...shops.map((handle) => new Option(handle, handle)),
  );
  shop.hidden = shops.length < 2;
  const rows = unanswered.map((question) => mendable(question, { shop, redraw }));
  const list =
    rows.length === 0
      ? element('p', { class: 'quiet-text' }, 'None.')
      : element('ul', { class: 'mendable' }, ...rows);
  const about = element(
    'p',
    { class: 'quiet-text' },
    'Nothing was found, or only doubtful results. The counts stay as they are when you mend a question.',
  );
  const made = panel(title, about, shop, list, ignoredList(ignored, redraw));
  made.classList.add('wide');
  return made;
}

/**
 * @param {Question} asked
 * @param {{ shop: HTMLSelectElement, redraw: () => Promise<void> }} page
 */
function mendable({ question, unanswered, hits }, { shop, redraw }) {
  const times = element(
    'span',
    { class: 'quiet-text' },
    unanswered === hits ? count(hits) : `${count(unanswered)} of ${count(hits)}`,
  );
  const row = element('li', {}, element('span', { class: 'grow' }, question), times);

  /** @param {string} words */
  function tell(words) {
    row.querySelector('.notice')?.remove();
    const again = element('a', { href: '#search' }, 'Ask it again');
    again.addEventListener('click', () => askNext(question));
    const message = element('p', { class: 'notice', tabindex: '-1' }, `${words} `, again);
    row.append(message);
    message.focus();
  }
  /** @param {object} rule */
  const add = (rule) => perform('curation.change', { shop: shop.value, add: [rule] });

  async function nameTheSame() {
    const asked = field('Words in the question', nameIn(question));
    const other = field('Words in the catalogue');
    const isSaved = await edited('These words mean the same', [asked, other], async (words) => {
      await add({ kind: 'synonym', words });
    });
    if (isSaved) tell(`“${asked.value.trim()}” and “${other.value.trim()}” now mean the same.`);
  }
  async function pin() {
    const item = itemField(shop.value);
    const isSaved = await edited(`Pin an answer to “${question}”`, [item.input], async ([id]) => {
      await add({ kind: 'pin', question, item: id, place: 1 });
    });
    item.stop();
    if (isSaved) tell(`“${item.input.value.trim()}” is now the first answer.`);
  }
  async function write() {
    const blank = { externalId: null, name: question, description: '', publicUrl: null };
    await editContext({ shop: shop.value, ...blank }, () =>
      tell('The context is saved. Searches find it within seconds.'),
    );
  }
  async function ignore() {
    await perform('hits.ignore', { question });
    await redraw();
  }
  const ways = /** @type {const} */ ([
    ['Add a synonym…', nameTheSame],
    ['Pin an answer…', pin],
    ['Write a context…', write],
    ['Ignore', ignore],
  ]);
  const buttons = ways.map(([label, act]) =>
    button(label, act, { class: 'small', 'aria-label': `${label}: ${question}` }),
  );
  row.append(element('div', { class: 'row' }, ...buttons));
  return row;
}

/**
 * @param {string} name
 * @param {string} [value]
 */
function field(name, value = '') {
  return element('input', { type: 'text', 'aria-label': name, maxlength: '500', value });
}

/**
 * A field for an external id that suggests what a search for the typed words finds.
 *
 * @param {string} shop
 */
function itemField(shop) {
  const input = field('External id of the answer, or words to find it');
  const options = element('datalist', { id: 'answers' });
  input.setAttribute('list', options.id);
  let waiting = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    const question = input.value.trim();
    if (question === '') return;
    waiting = setTimeout(async () => {
      const query = { shop, question, productsOnly: false, skipScoring: true, limit: SUGGESTED };
      const { results } = await perform('search', query).catch(() => ({ results: [] }));
      options.replaceChildren(
        ...results.map(({ externalId, name }) => new Option(name, externalId)),
      );
    }, TYPING_MS);
  });
  document.body.append(options);
  const stop = () => {
    clearTimeout(waiting);
    options.remove();
  };
  return { input, stop };
}

/**
 * @param {readonly string[]} ignored
 * @param {() => Promise<void>} redraw
 */
function ignoredList(ignored, redraw) {
  if (ignored.length === 0) return null;
  const rows = ignored.map((question) => {
    const back = button(
      'Show again',
      async () => {
        await perform('hits.ignore', { question, isIgnored: false });
        await redraw();
      },
      { class: 'small', 'aria-label': `Show again: ${question}` },
    );
    return element('li', {}, element('span', { class: 'grow' }, question), back);
  });
  return element(
    'details',
    {},
    element('summary', {}, `${count(ignored.length)} ignored`),
    element('ul', { class: 'mendable' }, ...rows),
  );
}
