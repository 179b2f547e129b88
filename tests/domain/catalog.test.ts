import { expect, test } from 'bun:test';
import {
  AVAILABILITIES,
  comparable,
  isAvailable,
  leadingAvailability,
  leadingPrice,
  type Variant,
} from '../../src/domain/catalog.ts';

function variant(
  priceMinor: number | null,
  compareAtPriceMinor: number | null = null,
  availability: Variant['availability'] = 'in_stock',
): Variant {
  const rest = { id: 'v', title: '', sku: null, gtin: null, options: {}, image: null };
  return { ...rest, priceMinor, compareAtPriceMinor, availability };
}

test.each<[string, Variant[], number | null, number | null]>([
  ['no variant', [], null, null],
  ['no price', [variant(null, 500)], null, null],
  ['the lowest', [variant(300), variant(200), variant(400)], 200, null],
  [
    'available before cheaper',
    [variant(100, null, 'out_of_stock'), variant(200), variant(150, null, 'discontinued')],
    200,
    null,
  ],
  [
    'the lowest of all when none is available',
    [variant(200, null, 'out_of_stock'), variant(100, 150, 'discontinued')],
    100,
    150,
  ],
  [
    'an available one without a price does not count',
    [variant(null), variant(200, null, 'out_of_stock')],
    200,
    null,
  ],
  ['compare-at of that same variant', [variant(200, 250), variant(300, 900)], 200, 250],
  ['not of another one', [variant(200), variant(300, 900)], 200, null],
  ['an equal compare-at says nothing', [variant(200, 200)], 200, null],
  ['a smaller compare-at says nothing', [variant(200, 100)], 200, null],
  ['free is a price', [variant(0, 100), variant(200)], 0, 100],
  ['of two equal ones the first', [variant(200, 300), variant(200, 900)], 200, 300],
])('leading price: %s', (_, variants, priceMinor, compareAtPriceMinor) => {
  expect(leadingPrice(variants)).toEqual({ priceMinor, compareAtPriceMinor });
});

test('a compare-at price without a price is dropped', () => {
  expect([comparable(null, 5), comparable(5, null), comparable(5, 6)]).toEqual([null, null, 6]);
});

test('everything but out of stock and discontinued can be ordered', () => {
  expect(AVAILABILITIES.filter((availability) => !isAvailable(availability))).toEqual([
    'out_of_stock',
    'discontinued',
  ]);
});

test('an offering is as available as its best variant', () => {
  const variants = [variant(1, null, 'out_of_stock'), variant(1, null, 'preorder')];
  expect([leadingAvailability(variants), leadingAvailability([])]).toEqual(['preorder', 'unknown']);
});
