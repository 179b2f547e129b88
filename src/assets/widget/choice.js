import { element } from '../page/element.js';
import { say } from './say.js';
import { itemsOf, priceInWords, text } from './wording.js';

/**
 * @typedef {{ id?: unknown, title?: unknown, price?: unknown, available?: unknown }} Variant
 * @typedef {ReturnType<typeof variantChoice>} Choice
 */

/**
 * The lists by which one of an offering's variants is chosen: one per option, or one of the variants that
 * the shop offered when it was asked. Empty where there is nothing to choose.
 *
 * @param {import('./wording.js').Offering} offering
 * @param {string} locale
 */
export function variantChoice({ options, variants, matchedVariant, currency }, locale) {
  const known = /** @type {Variant[]} */ (itemsOf(variants));
  const matched = /** @type {any} */ (matchedVariant);
  const settled = text(matched?.title).split(' / ');
  const rows = itemsOf(options)
    .map(({ name, values, soldOut }) => ({
      name: text(name),
      values: textsOf(values),
      soldOut: textsOf(soldOut),
    }))
    .filter(({ values }) => values.length > 0);
  const node = element('div', { class: 'options' });
  let lists = rows.map(({ name, values, soldOut }) =>
    listOf(
      values.map((value) => ({ words: value, isGone: soldOut.includes(value) })),
      textsOf(matched?.open).includes(name)
        ? -1
        : values.findIndex((value) => values.length === 1 || settled.includes(value)),
    ),
  );
  /** @type {(places: number[]) => Variant} */
  let read = (places) => {
    const title = rows.map(({ values }, at) => values[places[at] ?? -1]).join(' / ');
    return known.find((variant) => variant.title === title) ?? { title };
  };
  const show = (/** @type {string[]} */ names) =>
    node.replaceChildren(
      ...lists.map((list, at) =>
        element('label', {}, element('span', { dir: 'auto' }, names[at] ?? ''), list),
      ),
    );
  show(rows.map(({ name }) => name));

  return {
    node,
    /** The first list in which nothing is chosen yet; null when all is, or there is nothing to choose. */
    missing: () => lists.find(({ value }) => value === '') ?? null,
    /** @returns {Variant | null} */
    chosen: () =>
      lists.length === 0 || lists.some(({ value }) => value === '')
        ? null
        : read(lists.map(({ value }) => Number(value))),
    /**
     * Lets one of these be chosen instead.
     *
     * @param {Variant[]} choices
     */
    offer: (choices) => {
      const words = (/** @type {Variant} */ { title, price }) => [
        text(title),
        priceInWords(price, currency, locale),
      ];
      lists = [
        listOf(
          choices.map((choice) => ({
            words: words(choice).filter(Boolean).join(', '),
            isGone: choice.available === false,
          })),
          -1,
        ),
      ];
      read = ([place]) => choices[place ?? -1] ?? {};
      show([say('variant')]);
    },
  };
}

/**
 * @param {{ words: string, isGone: boolean }[]} entries
 * @param {number} chosen Place of an entry, or -1.
 */
function listOf(entries, chosen) {
  const options = entries.map(({ words, isGone }, place) => {
    const option = element(
      'option',
      { value: String(place) },
      isGone ? say('choiceSoldOut', { choice: words }) : words,
    );
    option.disabled = isGone && place !== chosen;
    option.selected = place === chosen;
    return option;
  });
  const list = element('select', {}, element('option', { value: '' }, say('choose')), ...options);
  list.value = chosen < 0 ? '' : String(chosen);
  return list;
}

/** @param {unknown} list */
function textsOf(list) {
  return Array.isArray(list) ? list.map(text).filter(Boolean) : [];
}
