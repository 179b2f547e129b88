import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatPrice, isCurrency, minorDigits, parsePrice } from '../../src/domain/money.ts';

const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'CLF', 'ISK', 'TND'];

test.each([
  ['EUR', 2],
  ['USD', 2],
  ['MRU', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['KWD', 3],
  ['CLF', 4],
])('%s has %d decimal places', (currency, digits) => {
  expect(minorDigits(currency)).toBe(digits);
});

test.each([
  ['EUR', true],
  ['CLF', true],
  ['eur', false],
  ['EURO', false],
  ['E', false],
  ['', false],
  ['QQQ', false],
  ['__proto__', false],
])('isCurrency(%j) is %p', (code, expected) => {
  expect(isCurrency(code)).toBe(expected);
});

describe('a price is read exactly', () => {
  test.each([
    ['19.9', 'EUR', 1990],
    ['19.90', 'EUR', 1990],
    ['19.900', 'EUR', 1990],
    ['0', 'EUR', 0],
    ['0.00', 'EUR', 0],
    ['007', 'EUR', 700],
    [' 5 ', 'EUR', 500],
    ['1.15', 'EUR', 115],
    ['4.35', 'EUR', 435],
    ['8.2', 'EUR', 820],
    ['4200', 'JPY', 4200],
    ['4200.00', 'JPY', 4200],
    ['1.250', 'KWD', 1250],
    ['1.2505', 'CLF', 12505],
    ['100000000000', 'EUR', 1e13],
    ['10000000000000', 'JPY', 1e13],
  ])('%j %s is %d', (text, currency, minor) => {
    expect(parsePrice(text, currency)).toBe(minor);
  });
});

describe('anything but a plain decimal is refused', () => {
  test.each([
    ['a sign', '-1', 'EUR'],
    ['a plus', '+1', 'EUR'],
    ['a symbol', '€1', 'EUR'],
    ['a code', '1 EUR', 'EUR'],
    ['an exponent', '1e3', 'EUR'],
    ['hexadecimal', '0x10', 'EUR'],
    ['grouping', '1,000.00', 'EUR'],
    ['a comma', '19,90', 'EUR'],
    ['grouping by blanks', '1 000', 'EUR'],
    ['more digits than the currency has', '1.999', 'EUR'],
    ['digits of a currency without', '1.5', 'JPY'],
    ['no digit before the point', '.5', 'EUR'],
    ['no digit behind the point', '5.', 'EUR'],
    ['two points', '1.2.3', 'EUR'],
    ['nothing', '', 'EUR'],
    ['blanks', '  ', 'EUR'],
    ['not a number', 'NaN', 'EUR'],
    ['infinity', 'Infinity', 'EUR'],
    ['Arabic digits', '١٢', 'EUR'],
    ['more than 10^13 minor units by one', '100000000000.01', 'EUR'],
    ['more than 10^13 yen by one', '10000000000001', 'JPY'],
    ['fifteen digits', '100000000000000', 'EUR'],
  ])('%s: %j %s', (_, text, currency) => {
    expect(parsePrice(text, currency)).toBeNull();
  });
});

test('every amount survives formatting and parsing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e13 }),
      fc.constantFrom(...CURRENCIES),
      (minor, currency) => {
        const text = formatPrice(minor, currency);
        expect(parsePrice(text, currency)).toBe(minor);
        expect((text.split('.')[1] ?? '').length).toBe(minorDigits(currency));
      },
    ),
  );
});

test.each([
  [9999, 'EUR', '99.99'],
  [5, 'EUR', '0.05'],
  [0, 'EUR', '0.00'],
  [0, 'JPY', '0'],
  [4200, 'JPY', '4200'],
  [1250, 'KWD', '1.250'],
])('%d %s is written %s', (minor, currency, text) => {
  expect(formatPrice(minor, currency)).toBe(text);
});
