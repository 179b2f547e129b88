import { element } from '../page/element.js';
import { confirmed, edited } from './dialogs.js';
import { button, link, panel, table, tag } from './parts.js';
import { perform } from './service.js';

/** @typedef {import('./service.js').Result<'context.list'>[number]} Context */
/** @typedef {import('./service.js').Result<'curation.list'>} Rules */
/** @typedef {{ shops: readonly string[], redraw: () => void }} Page */

const TEXT_SHOWN = 160;

/**
 * What the shop says besides its offerings, to be added, edited and removed.
 *
 * @param {readonly Context[]} contexts
 * @param {Page} page
 */
export function contextsPanel(contexts, { shops, redraw }) {
  const rows = contexts.map((context) => [
    link(context.name, context.publicUrl),
    context.shop,
    element('span', { class: 'quiet-text' }, shortened(context.description)),
    element(
      'span',
      { class: 'row tight' },
      button('Edit', () => editContext(context, redraw), {
        class: 'small',
        'aria-label': `Edit ${context.name}`,
      }),
      removal(context, redraw),
    ),
  ]);
  const none = element(
    'p',
    { class: 'quiet-text' },
    'None yet. Returns, shipping, opening hours: what customers ask besides products.',
  );
  const add = button('Add a context', () => {
    const blank = {
      shop: shops[0] ?? '',
      externalId: null,
      name: '',
      description: '',
      publicUrl: null,
    };
    return editContext(blank, redraw);
  });
  const headings = ['Title', 'Shop', 'Text', 'Actions'];
  const list = rows.length === 0 ? none : table(headings, rows, { label: 'Contexts' });
  const made = panel('Contexts', list, add);
  made.classList.add('wide');
  return made;
}

/**
 * Asks for a context, new if it has no id yet. `saved` runs if it is saved.
 *
 * @param {Omit<Context, 'externalId'> & { externalId: string | null }} context
 * @param {() => void} saved
 */
export async function editContext({ shop, externalId, name, description, publicUrl }, saved) {
  const title = element('input', { type: 'text', 'aria-label': 'Title', maxlength: '500' });
  const text = element('textarea', { 'aria-label': 'Text', rows: '10' });
  const address = element('input', {
    type: 'text',
    'aria-label': 'Address of its page, if it has one',
  });
  title.value = name;
  text.value = description;
  address.value = publicUrl ?? '';
  const heading = externalId === null ? 'A new context' : 'Edit the context';
  const isSaved = await edited(heading, [title, text, address], async ([named, said, url]) => {
    const values = { name: named ?? '', description: said ?? '', publicUrl: url || null };
    await perform('context.save', { shop, externalId, ...values });
  });
  if (isSaved) saved();
}

/**
 * @param {{ shop: string, externalId: string, name: string }} item
 * @param {() => void} redraw
 */
function removal({ shop, externalId, name }, redraw) {
  return button(
    'Remove',
    async () => {
      const consequence =
        'The next search does not find it. An import that contains it restores it.';
      if (!(await confirmed(`Remove “${name}”?`, consequence, 'Remove'))) return;
      await perform('item.remove', { shop, externalId });
      redraw();
    },
    { class: 'small bad', 'aria-label': `Remove ${name}` },
  );
}

/**
 * The offerings that the owner hid, and one offering by its id, to be hidden or removed.
 *
 * @param {readonly Rules[]} rules Of each shop.
 * @param {Page} page
 */
export function offeringPanel(rules, { shops, redraw }) {
  const found = element('div', { role: 'status' });
  const id = element('input', {
    type: 'text',
    class: 'grow',
    'aria-label': 'External id of an offering',
    placeholder: 'SKU or id, as the shop calls it',
  });
  const options = shops.map((handle) => new Option(handle, handle));
  const shop = element('select', { 'aria-label': 'Shop of the offering' }, ...options);
  shop.hidden = shops.length < 2;
  const hidden = rules.flatMap((each) =>
    each.rules.flatMap((rule) =>
      rule.kind === 'hide' && rule.question === undefined ? [{ ...rule, shop: each.shop }] : [],
    ),
  );
  const show = button('Find', async () => {
    const externalId = id.value.trim();
    found.replaceChildren();
    const item = await perform('item.show', { shop: shop.value, externalId });
    const name = String(item['name']);
    const facts = ['price', 'currency', 'availability'].flatMap((member) => item[member] ?? []);
    const isHidden = hidden.some((rule) => rule.item === externalId && rule.shop === shop.value);
    found.replaceChildren(
      element(
        'p',
        { class: 'row' },
        element('strong', {}, name),
        ...facts.map((fact) => tag(String(fact))),
        isHidden ? tag('hidden', 'low') : hiding({ shop: shop.value, externalId, name }, redraw),
        removal({ shop: shop.value, externalId, name }, redraw),
      ),
    );
  });
  id.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') show.click();
  });
  const lines = hidden.map((rule) =>
    element(
      'li',
      { class: 'row' },
      tag('hidden', 'low'),
      element('code', {}, rule.item),
      showing(rule, redraw),
    ),
  );
  const made = panel(
    'Single offerings',
    element(
      'p',
      { class: 'quiet-text' },
      'Hide an offering from every search, even if it is imported again.',
    ),
    element('div', { class: 'row' }, shop, id, show),
    found,
    ...lines,
  );
  made.classList.add('wide');
  return made;
}

/**
 * @param {{ shop: string, externalId: string, name: string }} item
 * @param {() => void} redraw
 */
function hiding({ shop, externalId, name }, redraw) {
  return button(
    'Hide',
    async () => {
      await perform('curation.change', { shop, add: [{ kind: 'hide', item: externalId }] });
      redraw();
    },
    { class: 'small', 'aria-label': `Hide ${name}` },
  );
}

/**
 * @param {{ shop: string, id: string, item: string }} rule
 * @param {() => void} redraw
 */
function showing({ shop, id, item }, redraw) {
  return button(
    'Show again',
    async () => {
      await perform('curation.change', { shop, remove: [id] });
      redraw();
    },
    { class: 'small', 'aria-label': `Show ${item} again` },
  );
}

/** @param {string} text */
function shortened(text) {
  return text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN - 1)}…` : text;
}
