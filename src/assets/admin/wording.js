const wholeNumber = new Intl.NumberFormat('en');
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const shortDate = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

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

/**
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}

/** @param {number} value */
export function bytes(value) {
  return value < 1024 ? `${value} B` : `${(value / 1024).toFixed(1)} KB`;
}

/** @param {number} value */
export function milliseconds(value) {
  return value < 1000 ? `${value} ms` : `${value / 1000} s`;
}

/**
 * "about 12 minutes"
 *
 * @param {number} seconds
 */
export function roughly(seconds) {
  const [unit, size] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  const number = Math.ceil(seconds / size);
  return `about ${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}

/** @param {string} instant RFC 3339 */
export function when(instant) {
  return moment.format(new Date(instant));
}

/** @param {string} instant RFC 3339 */
export function day(instant) {
  return date.format(new Date(instant));
}

/** @param {string} instant A day in UTC, 2026-01-31. */
export function dayOfMonth(instant) {
  return shortDate.format(new Date(instant));
}

/** @param {string | null} instant RFC 3339 */
export function ago(instant) {
  if (instant === null) return 'never';
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  if (Math.abs(seconds) < 60) return 'just now';
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[2];
  return relative.format(Math.round(seconds / length), unit);
}

/**
 * @param {string | null} amount In major units, as on the wire.
 * @param {string | null} currency
 */
export function price(amount, currency) {
  if (amount === null) return '';
  if (Number(amount) === 0) return 'free';
  if (currency === null) return amount;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(Number(amount));
}
