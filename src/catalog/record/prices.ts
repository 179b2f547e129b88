import { comparable } from '../../domain/catalog.ts';
import { isCurrency, minorDigits, parsePrice } from '../../domain/money.ts';

/** The decimal separator of a file's prices. */
export type Decimal = 'point' | 'comma';

export interface PriceContext {
  /** ISO 4217 code for prices without a currency. */
  readonly currency: string;
  readonly decimal: Decimal;
}

export interface Price {
  readonly minor: number;
  readonly currency: string;
}

export interface PriceProblem {
  readonly code: 'invalid_price' | 'ambiguous_price' | 'unknown_currency';
  readonly message: string;
}

/** Currencies by symbol. The shop's own currency wins if it is among them. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP', 'EGP', 'GIP', 'FKP', 'SHP'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'ARS', 'CLP', 'COP', 'UYU'],
  us$: ['USD'],
  a$: ['AUD'],
  au$: ['AUD'],
  c$: ['CAD'],
  ca$: ['CAD'],
  hk$: ['HKD'],
  nz$: ['NZD'],
  s$: ['SGD'],
  nt$: ['TWD'],
  mx$: ['MXN'],
  r$: ['BRL'],
  '¥': ['JPY', 'CNY'],
  '￥': ['JPY', 'CNY'],
  円: ['JPY'],
  元: ['CNY'],
  '₩': ['KRW'],
  '₹': ['INR'],
  rs: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  'rs.': ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  '₺': ['TRY'],
  tl: ['TRY'],
  '₽': ['RUB'],
  'руб.': ['RUB'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '₱': ['PHP'],
  '฿': ['THB'],
  '₦': ['NGN'],
  zł: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  lei: ['RON'],
  'лв.': ['BGN'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'kr.': ['DKK', 'SEK', 'NOK', 'ISK'],
  fr: ['CHF'],
  'fr.': ['CHF'],
  sfr: ['CHF'],
};

const PLAIN = /^\d{1,11}(?:\.\d{1,2})?$/;
/** A number with separators, with a currency symbol or code before or after it. */
const WITH_CURRENCY =
  /^([^\d.,'+\-−]*)((?:\d|[.,](?=\d))(?:[\d.,' ]*\d)?)(?:[.,:][-–—]{1,2}|)([^\d.,'+\-−]*)$/;

const INVALID: PriceProblem = {
  code: 'invalid_price',
  message: 'is not a price: it must be zero or more, with no more decimals than the currency has.',
};
const AMBIGUOUS: PriceProblem = {
  code: 'ambiguous_price',
  message:
    'has an ambiguous separator (thousands or decimals): write two decimals, or omit the separator.',
};
const UNKNOWN_CURRENCY: PriceProblem = {
  code: 'unknown_currency',
  message: 'names an ambiguous currency: use its ISO 4217 code.',
};

/**
 * Parses a price in common notations: `19,99`, `1.234,56 €`, `CHF 1'234.50`, `1 234,56`, `19.99 USD`.
 * If the only separator is the file's decimal separator and three digits follow it, the price is
 * ambiguous; that is reported instead of guessed.
 */
export function readPrice(text: string, { currency, decimal }: PriceContext): Price | PriceProblem {
  if (PLAIN.test(text) && minorDigits(currency) === 2) {
    return { minor: parsePrice(text, currency)!, currency };
  }
  const plain = text
    .replace(/[\s\u00a0\u2007\u2009\u202f]+/g, ' ')
    .replaceAll('’', "'")
    .trim();
  const match = WITH_CURRENCY.exec(plain);
  if (match === null) return INVALID;
  const [, before = '', amount = '', after = ''] = match;
  const named = currencyOf(before, after, currency);
  if (named === null) return UNKNOWN_CURRENCY;
  const number = plainNumber(amount, { decimal, digits: minorDigits(named) });
  if (typeof number !== 'string') return number;
  const minor = parsePrice(number, named);
  return minor === null ? INVALID : { minor, currency: named };
}

export function isPrice(price: Price | PriceProblem): price is Price {
  return 'minor' in price;
}

/** The currency named before or after an amount, or the shop's if none is named. Null if ambiguous. */
function currencyOf(before: string, after: string, fallback: string): string | null {
  let found: string | null = null;
  for (const part of [before.trim(), after.trim()]) {
    if (part === '') continue;
    const currency = currencyNamed(part, fallback);
    if (currency === null || (found !== null && found !== currency)) return null;
    found = currency;
  }
  return found ?? fallback;
}

/** The ISO 4217 code for a currency's code or sign in a shop that sells in `fallback`; null if it is ambiguous. */
export function currencyNamed(part: string, fallback: string): string | null {
  const code = part.toUpperCase();
  if (isCurrency(code)) return code;
  const candidates = SIGNS[part.toLowerCase()];
  if (candidates === undefined) return null;
  if (candidates.includes(fallback)) return fallback;
  // A £ in a shop that sells in euros means GBP; a $ could be several currencies.
  return candidates.length === 1 || part === '£' ? candidates[0]! : null;
}

/** The decimal separator that most of the prices have; null if none has decimals, or as many have either. */
export function usualDecimal(prices: Iterable<string>): Decimal | null {
  let commas = 0;
  let points = 0;
  for (const price of prices) {
    if (WITH_COMMA.test(price)) commas += 1;
    else if (WITH_POINT.test(price)) points += 1;
  }
  if (commas === points) return null;
  return commas > points ? 'comma' : 'point';
}

const WITH_COMMA = /\d,\d{1,2}(?!\d)[^\d.,]*$/;
const WITH_POINT = /\d\.\d{1,2}(?!\d)[^\d.,]*$/;

/** The amount with digits and a decimal point, or why it is not a number. */
function plainNumber(
  amount: string,
  { decimal, digits }: { decimal: Decimal; digits: number },
): string | PriceProblem {
  const apart = /[ ']/.exec(amount)?.[0];
  if (apart !== undefined) {
    const grouped = new RegExp(`^\\d{1,3}(?:${apart}\\d{3})+(?:[.,]\\d+)?$`);
    if (!grouped.test(amount)) return INVALID;
    return amount.replaceAll(apart, '').replace(',', '.');
  }
  const point = amount.lastIndexOf('.');
  const comma = amount.lastIndexOf(',');
  if (point === -1 && comma === -1) return amount;
  if (point !== -1 && comma !== -1) {
    const [group, sign] = point > comma ? [',', '.'] : ['.', ','];
    const grouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{2,3})*\\${group}\\d{3}\\${sign}\\d+$`);
    return grouped.test(amount) ? amount.replaceAll(group, '').replace(sign, '.') : INVALID;
  }
  const sign = point === -1 ? ',' : '.';
  if (amount.indexOf(sign) !== amount.lastIndexOf(sign)) {
    const grouped = new RegExp(`^\\d{1,3}(?:\\${sign}\\d{2,3})*\\${sign}\\d{3}$`);
    return grouped.test(amount) ? amount.replaceAll(sign, '') : INVALID;
  }
  const isDecimal = sign === (decimal === 'point' ? '.' : ',');
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(amount) && !(isDecimal && digits >= 3)) {
    return isDecimal ? AMBIGUOUS : amount.replace(sign, '');
  }
  return amount.replace(sign, '.').replace(/^\./, '0.');
}

/** When a sale price applies, in milliseconds since the epoch; null if that end is open. */
export interface Period {
  readonly from: number | null;
  readonly until: number | null;
}

/**
 * The price and compare-at price at `now`, from a price and a sale price in minor units of one currency.
 * A sale price of 0 means no sale, because exports fill that column for every offering.
 */
export function currentPrice(
  { regular, sale, period }: { regular: number | null; sale: number | null; period: Period },
  now: number,
): { priceMinor: number | null; compareAtPriceMinor: number | null } {
  const isOn =
    sale !== null &&
    sale > 0 &&
    (period.from === null || now >= period.from) &&
    (period.until === null || now < period.until);
  // A sale price that is not lower does not count.
  if (!isOn || (regular !== null && sale >= regular)) {
    return { priceMinor: regular, compareAtPriceMinor: null };
  }
  return { priceMinor: sale, compareAtPriceMinor: comparable(sale, regular) };
}
