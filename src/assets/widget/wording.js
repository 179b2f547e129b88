import { say } from './say.js';

/**
 * @typedef {object} Offering An item of a tool result, read leniently: anything may be missing or wrong.
 * @property {unknown} [id]
 * @property {unknown} [type]
 * @property {unknown} [name]
 * @property {unknown} [description]
 * @property {unknown} [vendor]
 * @property {unknown} [image]
 * @property {unknown} [images]
 * @property {unknown} [variantImages] Addresses by the variant's id.
 * @property {unknown} [url]
 * @property {unknown} [publicUrl]
 * @property {unknown} [price]
 * @property {unknown} [compareAtPrice]
 * @property {unknown} [currency]
 * @property {unknown} [availability]
 * @property {unknown} [available]
 * @property {unknown} [bookable]
 * @property {unknown} [options]
 * @property {unknown} [variants]
 * @property {unknown} [matchedVariant]
 */

/** More than a tool result of 60 KB can hold. */
const ITEMS_MAX = 500;

const AMOUNT = /^\d+(?:\.\d+)?$/;

/** Availability as text, with its level: good, low or gone. */
const AVAILABILITY = new Map([
  ['in_stock', { words: say('inStock'), level: 'good' }],
  ['limited_stock', { words: say('fewLeft'), level: 'low' }],
  ['backorder', { words: say('backorder'), level: 'low' }],
  ['preorder', { words: say('preorder'), level: 'low' }],
  ['out_of_stock', { words: say('outOfStock'), level: 'gone' }],
  ['discontinued', { words: say('discontinued'), level: 'gone' }],
]);

/**
 * The value if it is a string; otherwise an empty string.
 *
 * @param {unknown} value
 */
export function text(value) {
  return typeof value === 'string' ? value : '';
}

/**
 * The objects of a list; what is no list is empty.
 *
 * @param {unknown} list
 * @returns {any[]}
 */
export function itemsOf(list) {
  const isItem = (/** @type {unknown} */ item) => typeof item === 'object' && item !== null;
  return Array.isArray(list) ? list.filter(isItem).slice(0, ITEMS_MAX) : [];
}

/**
 * A price for people: `Free` for zero, an empty string without a price, and the bare amount if the
 * currency is unknown.
 *
 * @param {unknown} amount Decimal string in major units, as in the catalogue.
 * @param {unknown} currency ISO 4217.
 * @param {string} locale BCP 47, valid.
 */
export function priceInWords(amount, currency, locale) {
  if (typeof amount !== 'string' || !AMOUNT.test(amount)) return '';
  if (Number(amount) === 0) return say('free');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return amount;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  // Formats the string itself, which keeps every digit of large amounts.
  return format.format(/** @type {`${number}`} */ (amount));
}

/**
 * The former price; an empty string unless it is higher than the price.
 *
 * @param {Offering} offering
 * @param {string} locale
 */
export function formerPriceInWords({ price, compareAtPrice, currency }, locale) {
  const isHigher = Number(text(compareAtPrice)) > Number(text(price) || Number.NaN);
  return isHigher ? priceInWords(compareAtPrice, currency, locale) : '';
}

/**
 * Null if nothing is known. Abridged items say only whether they are available.
 *
 * @param {Offering} offering
 */
export function availabilityInWords({ availability, available, bookable }) {
  const known = AVAILABILITY.get(text(availability));
  if (known !== undefined && !(bookable === true && known.level === 'good')) return known;
  if (available === true) return { words: say('available'), level: 'good' };
  if (available === false) return { words: say('notAvailable'), level: 'gone' };
  return null;
}

/**
 * A locale that Intl accepts: the host's if it is valid, otherwise the browser's.
 *
 * @param {unknown} candidate
 */
export function validLocale(candidate) {
  try {
    return Intl.getCanonicalLocales(text(candidate).replace('_', '-'))[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

/**
 * @param {string} locale
 * @returns {'ltr' | 'rtl'}
 */
export function writingDirection(locale) {
  const script = new Intl.Locale(locale).maximize().script ?? 'Latn';
  return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg)$/.test(script) ? 'rtl' : 'ltr';
}
