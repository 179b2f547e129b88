import { element } from '../page/element.js';
import { button, notice, table, tag } from './parts.js';
import { perform } from './service.js';
import { count } from './wording.js';

/** @typedef {import('./service.js').Result<'curation.list'>} RuleList */
/** @typedef {import('./service.js').Result<'curation.change'>} RuleChange */
/** @typedef {(change: RuleChange, said: string) => Promise<void>} Changed */

const KINDS = { synonym: 'Same', pin: 'Pin', hide: 'Hide', boost: 'Boost' };

/** Longest name that can have a synonym, in words. */
const NAME_WORDS = 2;

/**
 * The rules with which the owner corrects search, one shop at a time: to add synonyms, to remove rules and
 * to undo. `changed` runs after each change.
 *
 * @param {{ shops: readonly string[], changed: Changed }} page
 */
export async function rulesPanel({ shops, changed }) {
  const shop = element(
    'select',
    { 'aria-label': 'Shop of the rules' },
    ...shops.map((handle) => new Option(handle, handle)),
  );
  shop.hidden = shops.length < 2;
  const synonyms = synonymForm(async (words) => {
    const add = [{ kind: 'synonym', words }];
    const change = await perform('curation.change', { shop: shop.value, add });
    await changed(change, `“${words.join('” and “')}” now mean the same.`);
  });
  const undo = button('Undo last change', async () => {
    const change = await perform('curation.undo', { shop: shop.value });
    await changed(change, 'The last change is undone.');
  });
  const summary = element('summary', {});
  const list = element('div', {});

  /** @param {RuleList} rules */
  function draw(rules) {
    shop.value = rules.shop;
    const { length } = rules.rules;
    summary.textContent = `Correct search (${length === 1 ? '1 rule' : `${count(length)} rules`})`;
    list.replaceChildren(ruleTable(rules, changed));
  }
  const load = async () => draw(await perform('curation.list', { shop: shop.value }));
  shop.addEventListener('change', () => {
    load().catch((error) => list.replaceChildren(notice(error)));
  });
  await load();
  const made = element(
    'details',
    { class: 'panel' },
    summary,
    element('div', { class: 'rules' }, shop, synonyms.form, list, undo),
  );
  return { made, draw, suggest: synonyms.suggest };
}

/** @param {(words: readonly string[]) => Promise<void>} save */
function synonymForm(save) {
  const asked = nameField('Words in the question');
  const other = nameField('Other words');
  const add = button('These words mean the same', async () => {
    await save([asked.value.trim(), other.value.trim()]);
    other.value = '';
  });
  other.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') add.click();
  });
  return {
    form: element('div', { class: 'row' }, asked, '=', other, add),
    /** @param {string} question */
    suggest(question) {
      asked.value = nameIn(question);
    },
  };
}

/** @param {string} label */
function nameField(label) {
  return element('input', {
    type: 'text',
    class: 'name',
    maxlength: '100',
    'aria-label': label,
    placeholder: label,
  });
}

/**
 * @param {RuleList} rules
 * @param {Changed} changed
 */
function ruleTable({ shop, rules, missing }, changed) {
  if (rules.length === 0)
    return element(
      'p',
      { class: 'quiet-text' },
      'No rules yet. Pin or hide a result below, or say which words mean the same.',
    );
  const rows = rules.map((rule) => [
    KINDS[rule.kind],
    element(
      'span',
      {},
      `${rule.text} `,
      'item' in rule && missing.includes(rule.item) ? tag('no such item now', 'low') : null,
    ),
    button(
      'Remove',
      async () => {
        const change = await perform('curation.change', { shop, remove: [rule.id] });
        await changed(change, `Removed: ${rule.text}.`);
      },
      { class: 'small', 'aria-label': `Remove the rule ${rule.text}` },
    ),
  ]);
  return table(['Rule', 'What it does', 'Actions'], rows, { label: 'Rules' });
}

/**
 * The question if it can have a synonym, else nothing.
 *
 * @param {string} question
 */
export function nameIn(question) {
  return question.split(/[\s-]+/).length > NAME_WORDS ? '' : question;
}
