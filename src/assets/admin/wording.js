const wholeNumber = new Intl.NumberFormat();
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Longest first, in seconds. */
const UNITS = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]);

/** @param {number} value */
export function count(value) {
  return wholeNumber.format(value);
}

/** @param {string | null} instant RFC 3339 */
export function when(instant) {
  return instant === null ? 'never' : moment.format(new Date(instant));
}

/** @param {string | null} instant RFC 3339 */
export function ago(instant) {
  if (instant === null) return 'never';
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

/**
 * @param {string | null} amount In major units, as on the wire.
 * @param {string | null} currency
 */
export function price(amount, currency) {
  if (amount === null) return '';
  if (Number(amount) === 0) return 'free';
  const format = { style: /** @type {const} */ ('currency'), currency: currency ?? 'USD' };
  return currency === null ? amount : new Intl.NumberFormat(undefined, format).format(Number(amount));
}
