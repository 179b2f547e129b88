/** How a cell shows its number. */
export interface NumberFormat {
  readonly kind: 'number' | 'percent' | 'date';
  /** Decimals shown; null if the format does not say. */
  readonly decimals: number | null;
  /** Digits to which the number is padded with zeros, as in codes with leading zeros. */
  readonly digits: number;
  /** The currency sign or code it is shown with; `''` if none. */
  readonly currency: string;
}

export const GENERAL: NumberFormat = { kind: 'number', decimals: null, digits: 0, currency: '' };

/**
 * Excel's formats without a code of their own (ECMA-376 Part 1, 18.8.30). Those with a currency leave it
 * to the reader's locale, so they name none.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  39: '#,##0.00',
  40: '#,##0.00',
  44: '#,##0.00',
};

/** Built-in dates and times, East Asian ones included. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58);

const CURRENCY = /[$€£¥₹₺₽₴₪₫₱฿₦₩]|zł|Kč|\bkr\b|\bFt\b|\blei\b|\b[A-Z]{3}\b/;

export function builtInFormat(id: number): NumberFormat {
  if (isBuiltInDate(id)) return { ...GENERAL, kind: 'date' };
  const code = BUILT_IN[id];
  return code === undefined ? GENERAL : parseFormat(code);
}

/** Reads a format code: `#,##0.00 "€"`, `[$CHF-807] #,##0.00`, `yyyy\-mm\-dd`, `0.0%`, `00000`. */
export function parseFormat(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  if (/^general$/i.test(positive.trim())) return GENERAL;
  const named = /\[\$([^\]-]*)/.exec(positive)?.[1] ?? '';
  const literal = positive.replace(/\[[^\]]*\]/g, '').replace(/[\\"]/g, '');
  const pattern = positive
    .replace(/\[(?:\$|[A-Za-z]{3,})[^\]]*\]/g, '')
    .replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (/E[+-]/.test(pattern)) return GENERAL;
  if (/[ymdhs]/i.test(pattern)) return { ...GENERAL, kind: 'date' };
  if (pattern.includes('%')) return { ...GENERAL, kind: 'percent' };
  const decimals = /\.([0#?]+)/.exec(pattern)?.[1];
  const digits = /^0{2,}$/.test(pattern.trim()) ? pattern.trim().length : 0;
  return {
    kind: 'number',
    decimals: decimals?.length ?? (/[0#]/.test(pattern) ? 0 : null),
    digits,
    currency: named.trim() || (CURRENCY.exec(literal)?.[0] ?? ''),
  };
}

/** A number that needs no rounding. */
const PLAIN = /^-?\d{1,15}(?:\.\d{1,4})?$/;

/**
 * The text of a number as a price list has it: the decimals that the sheet shows, so that a computed
 * price is the one people see, else the 15 digits that Excel keeps; never with an exponent or thousands
 * separators. Numbers shown as whole keep their decimals: a price must not be rounded away.
 */
export function numberText(raw: string, { decimals, digits, currency }: NumberFormat): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const sign = currency === '' ? '' : ` ${currency}`;
  if (digits > 0 && Number.isSafeInteger(value) && value >= 0)
    return String(value).padStart(digits, '0');
  if (decimals !== null && decimals > 0 && decimals <= 15)
    return `${value.toFixed(decimals)}${sign}`;
  return `${PLAIN.test(raw) ? raw : plainNumber(value)}${sign}`;
}

/** 15 significant digits without an exponent. */
function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  if (Math.abs(value) >= 1) return BigInt(Math.round(value)).toString();
  return value.toFixed(15).replace(/\.?0+$/, '');
}

/** `0.19` → `19%`. */
export function percentText(raw: string): string {
  const value = Number(raw);
  return Number.isFinite(value) ? `${plainNumber(value * 100)}%` : raw;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 0 of Excel's count, 1899-12-30, in days before 1970; on old Macs it begins four years later. */
const EPOCH_DAYS = 25_569;
const EPOCH_1904_DAYS = 24_107;

/** The date, the date and time, or the time of day of a serial number, as ISO 8601. */
export function dateText(raw: string, is1904: boolean): string {
  const serial = Number(raw);
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return raw;
  const seconds = Math.round((serial - (is1904 ? EPOCH_1904_DAYS : EPOCH_DAYS)) * (DAY_MS / 1000));
  const text = new Date(seconds * 1000).toISOString();
  if (serial < 1) return text.slice(11, 19);
  return Number.isInteger(serial) ? text.slice(0, 10) : text.slice(0, 19);
}
