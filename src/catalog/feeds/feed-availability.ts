import type { Availability } from '../../domain/catalog.ts';
import { wordOf } from '../mapping/dictionary.ts';
import type { TextFields } from '../record/text-fields.ts';
import type { FeedAttribute } from './feed-attributes.ts';

/** What feeds write, in the form that spaces and hyphens become underscores. */
const AVAILABILITIES: ReadonlyMap<string, Availability> = new Map([
  ['in_stock', 'in_stock'],
  ['instock', 'in_stock'],
  ['available', 'in_stock'],
  ['limited_stock', 'limited_stock'],
  ['limited_availability', 'limited_stock'],
  ['backorder', 'backorder'],
  ['back_order', 'backorder'],
  ['available_for_order', 'backorder'],
  ['preorder', 'preorder'],
  ['pre_order', 'preorder'],
  ['presale', 'preorder'],
  ['out_of_stock', 'out_of_stock'],
  ['outofstock', 'out_of_stock'],
  ['oos', 'out_of_stock'],
  ['sold_out', 'out_of_stock'],
  ['soldout', 'out_of_stock'],
  ['discontinued', 'discontinued'],
  ['unknown', 'unknown'],
]);

/** A whole number of pieces: `12`, `-3`, `>20`, `10+`, `4,00`. */
const COUNT = /^[<>~]?\s?(-?\d{1,7})(?:[.,]0+)?\+?$/;

/** From the availability in any notation or language, else from the number of pieces in stock. */
export function readAvailability(fields: TextFields<FeedAttribute>): Availability {
  const text = fields.text('availability');
  if (text === '') return stockOf(fields.text('quantity')) ?? 'unknown';
  const word = text
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^https?:\/\/schema\.org\//, '');
  const availability = AVAILABILITIES.get(word) ?? stockOf(text) ?? spoken(text);
  if (availability === null) {
    const rule = 'must be in_stock, out_of_stock, preorder, backorder or discontinued.';
    fields.warn('availability', 'invalid_value', rule);
  }
  return availability ?? 'unknown';
}

/** Whether a cell says that customers must not see the product: `false`, `0`, `nein`, `draft`. */
export function isHidden(cell: string): boolean {
  return cell === '0' || wordOf(cell) === 'no';
}

function stockOf(text: string): Availability | null {
  const count = COUNT.exec(text)?.[1];
  if (count === undefined) return null;
  return Number(count) > 0 ? 'in_stock' : 'out_of_stock';
}

function spoken(text: string): Availability | null {
  const word = wordOf(text);
  if (word === 'yes') return 'in_stock';
  return word === 'no' ? 'out_of_stock' : word;
}
