import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { currentPrice, type Decimal, isPrice, readPrice } from '../../src/catalog/record/prices.ts';
import { formatPrice } from '../../src/domain/money.ts';
import { anyCharacter } from '../support/any-character.ts';

const read = (text: string, currency = 'EUR', decimal: Decimal = 'point') => {
  const price = readPrice(text, { currency, decimal });
  return isPrice(price)
    ? `${formatPrice(price.minor, price.currency)} ${price.currency}`
    : price.code;
};

describe('parses prices in common notations', () => {
  test.each([
    ['19.99', '19.99 EUR'],
    ['19,99', '19.99 EUR'],
    ['19,9', '19.90 EUR'],
    ['1.234,56', '1234.56 EUR'],
    ['1,234.56', '1234.56 EUR'],
    ['1 234,56', '1234.56 EUR'],
    ['1\u202f234,56\u00a0€', '1234.56 EUR'],
    ["1'234.50", '1234.50 EUR'],
    ['CHF 1’234.50', '1234.50 CHF'],
    ['1.234.567', '1234567.00 EUR'],
    ['1,23,456.78', '123456.78 EUR'],
    ['1,234', '1234.00 EUR'],
    ['€19.99', '19.99 EUR'],
    ['19.99 USD', '19.99 USD'],
    ['USD19.99', '19.99 USD'],
    ['US$ 19.99', '19.99 USD'],
    ['£5', '5.00 GBP'],
    ['19,99 zł', '19.99 PLN'],
    ['199,- Kč', '199.00 CZK'],
    ['19,- €', '19.00 EUR'],
    ['0', '0.00 EUR'],
    [',99', '0.99 EUR'],
    ['4200 JPY', '4200 JPY'],
    ['¥4,200', 'unknown_currency'],
    ['1.25 KWD', '1.250 KWD'],
    ['1.250 KWD', '1.250 KWD'],
    ['19.990', 'ambiguous_price'],
    ['1.234', 'ambiguous_price'],
    ['$5', 'unknown_currency'],
    ['5 XYZ', 'unknown_currency'],
    ['€5 USD', 'unknown_currency'],
    ['-5', 'invalid_price'],
    ['5-10', 'invalid_price'],
    ['free', 'invalid_price'],
    ['1,2,3', 'invalid_price'],
    ['1.2.3', 'invalid_price'],
    ['12 34', 'invalid_price'],
    ['1e3', 'invalid_price'],
    ['19.999', 'ambiguous_price'],
    ['0.999', 'invalid_price'],
    ['', 'invalid_price'],
  ])('%p', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('a $ means the shop’s own dollar, and three digits after the decimal separator are ambiguous', () => {
    expect(read('$5', 'CAD')).toBe('5.00 CAD');
    expect(read('¥4,200', 'JPY')).toBe('4200 JPY');
    expect(read('¥4,200', 'CNY')).toBe('4200.00 CNY');
    expect(read('4.200', 'JPY')).toBe('ambiguous_price');
    expect(read('1.234', 'EUR', 'comma')).toBe('1234.00 EUR');
    expect(read('1,234', 'EUR', 'comma')).toBe('ambiguous_price');
    expect(read('1,250', 'KWD', 'comma')).toBe('1.250 KWD');
  });
});

test('reads back what any locale formats', () => {
  const locales = ['de-DE', 'en-US', 'fr-FR', 'de-CH', 'it-IT', 'pl-PL', 'en-IN', 'pt-BR', 'nl-NL'];
  const currencies = ['EUR', 'USD', 'JPY', 'KWD', 'PLN', 'CHF'];
  fc.assert(
    fc.property(
      fc.constantFrom(...locales),
      fc.constantFrom(...currencies),
      fc.integer({ min: 0, max: 99_999_999 }),
      (locale, currency, minor) => {
        const major = formatPrice(minor, currency);
        const text = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay: 'code',
        }).format(major as Intl.StringNumericLiteral);
        const decimal = Intl.NumberFormat(locale).format(1.5).includes(',') ? 'comma' : 'point';
        expect(read(text, 'EUR', decimal)).toBe(`${major} ${currency}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), (text) => {
      expect(typeof read(text)).toBe('string');
    }),
  );
  expect(read('1'.repeat(100_000))).toBe('invalid_price');
  expect(read(`${'1,'.repeat(100_000)}x`)).toBe('invalid_price');
});

test.each([
  [100, 80, { from: null, until: null }, [80, 100]],
  [100, 80, { from: 5, until: 15 }, [80, 100]],
  [100, 80, { from: 10, until: null }, [80, 100]],
  [100, 80, { from: 11, until: null }, [100, null]],
  [100, 80, { from: null, until: 10 }, [100, null]],
  [100, 100, { from: null, until: null }, [100, null]],
  [100, 120, { from: null, until: null }, [100, null]],
  [null, 80, { from: null, until: null }, [80, null]],
  [100, null, { from: null, until: null }, [100, null]],
  [100, 0, { from: null, until: null }, [100, null]],
  [null, 0, { from: 5, until: 15 }, [null, null]],
  [0, 0, { from: null, until: null }, [0, null]],
])('regular %p, sale %p, %j at 10: %p', (regular, sale, period, [price, compareAt]) => {
  expect(currentPrice({ regular, sale, period }, 10)).toEqual({
    priceMinor: price,
    compareAtPriceMinor: compareAt,
  } as never);
});
