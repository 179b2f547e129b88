/** ISO 4217 currencies whose minor unit is not a hundredth (list one of the standard). */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

/** Largest amount stored, in minor units: up to here all arithmetic is exact. */
const AMOUNT_MAX = 1e13;

const CODES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...Object.keys(MINOR_DIGITS),
]);

/** Whether `code` is an ISO 4217 code in capitals. */
export function isCurrency(code: string): boolean {
  return CODES.has(code);
}

/** Decimal places of a price in `currency`: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS[currency] ?? 2;
}

/**
 * Parses a plain decimal in major units to minor units (`"19.9"` EUR → 1990). Null for anything else: a
 * sign, a symbol, grouping, an exponent, non-zero digits beyond the currency's, or more than 10^13
 * minor units. Catalogue formats parse localised spellings themselves.
 */
export function parsePrice(text: string, currency: string): number | null {
  const match = /^(\d{1,14})(?:\.(\d{1,12}))?$/.exec(text.trim());
  if (match === null) return null;
  const digits = minorDigits(currency);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > digits) return null;
  const minor = Number(match[1]) * 10 ** digits + Number(fraction.padEnd(digits, '0') || '0');
  return minor <= AMOUNT_MAX ? minor : null;
}

/** The price on the wire: major units with exactly the currency's decimal places (`1990` EUR → `"19.90"`). */
export function formatPrice(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** As `formatPrice`, but null for an unknown price. */
export function priceText(minor: number | null, currency: string): string | null {
  return minor === null ? null : formatPrice(minor, currency);
}
