import { element } from '../page/element.js';
import { notice, table } from './parts.js';

/** @typedef {NonNullable<import('./service.js').Result<'draft.preview'>['columns']>[number]} Column */

/** What a column can be taken for, in the order in which people look for it. */
const NAMES = /** @type {const} */ ([
  ['-', 'Leave out'],
  ['id', 'Article number (id)'],
  ['title', 'Name'],
  ['price', 'Price'],
  ['compare_at_price', 'Former or list price'],
  ['sale_price', 'Sale price'],
  ['currency', 'Currency'],
  ['description', 'Description'],
  ['image', 'Picture'],
  ['images', 'Several pictures'],
  ['link', 'Link'],
  ['availability', 'Availability'],
  ['quantity', 'Stock count'],
  ['visible', 'Visible or hidden'],
  ['brand', 'Brand'],
  ['product_type', 'Category'],
  ['tags', 'Tags'],
  ['gtin', 'EAN or GTIN'],
  ['sku', 'Second article number'],
  ['mpn', 'Manufacturer’s number'],
  ['item_group_id', 'Groups variants'],
  ['color', 'Colour'],
  ['size', 'Size'],
  ['material', 'Material'],
]);

/**
 * The columns of a table with a menu for each. A name that is given to a second column leaves the first.
 *
 * @param {readonly Column[]} columns
 * @param {(mapping: [string, string][]) => Promise<void>} change
 */
export function columnsTable(columns, change) {
  const complaint = element('div', {});
  const menus = columns.map(({ heading, name }) => {
    const options = NAMES.map(([value, words]) => new Option(words, value));
    const menu = element('select', { 'aria-label': `${heading} is` }, ...options);
    menu.value = name ?? '-';
    menu.addEventListener('change', () => {
      for (const other of menus)
        if (other !== menu && other.value === menu.value && menu.value !== '-') other.value = '-';
      const mapping = columns.map(({ heading: each }, index) => {
        const value = menus[index]?.value ?? '-';
        return /** @type {[string, string]} */ ([each.toLowerCase(), value]);
      });
      change(mapping).catch((error) => complaint.replaceChildren(notice(error)));
    });
    return menu;
  });
  const rows = columns.map(({ heading, samples }, index) => [
    heading,
    menus[index] ?? null,
    element('span', { class: 'quiet-text' }, samples.map(shortened).join(' · ')),
  ]);
  const shown = table(['Column', 'Taken as', 'First values'], rows, { label: 'Columns' });
  shown.classList.add('columns-table');
  return element('div', {}, shown, complaint);
}

/** @param {string} cell */
function shortened(cell) {
  return cell.length > 60 ? `${cell.slice(0, 59)}…` : cell;
}
