import { describe, expect, test } from 'bun:test';
import type { OrderName } from '../../../src/search/languages/language-words.ts';
import { readConstraints } from '../../../src/search/query/constraints.ts';
import {
  type Facts,
  filterByConstraints,
  type ItemFacts,
} from '../../../src/search/query/filter.ts';
import { ENGLISH } from '../../support/english.ts';

describe('prices', () => {
  test.each<[string, number | null, number | null, string | null]>([
    ['headphones under $50', null, 50, 'USD'],
    ['below 50 euros', null, 50, 'EUR'],
    ['up to £20', null, 20, 'GBP'],
    ['no more than $1,200.50', null, 1200.5, 'USD'],
    ['over 300', 300, null, null],
    ['rug between 100 and 200', 100, 200, null],
    ['from 20 to 40', 20, 40, null],
    ['around 100', 80, 120, null],
    ['iphone 11 under 500 in red', null, 500, null],
    ['Kopfhörer unter 50 €', null, 50, 'EUR'],
    ['100 euros or less', null, 100, 'EUR'],
  ])('%s', (text, min, max, currency) => {
    const { constraints } = readConstraints(text, ENGLISH);
    expect(constraints).toEqual([expect.objectContaining({ kind: 'price', min, max, currency })]);
  });
});

test.each<[string, number | null, number | null, string]>([
  ['laptop with at least 16 gb', 16, null, 'gb'],
  ['min. 500 ml', 500, null, 'ml'],
  ['16 gb or more', 16, null, 'gb'],
  ['between 24 and 27 inches', 24, 27, 'in'],
])('a size that is demanded: %s', (text, min, max, unit) => {
  expect(readConstraints(text, ENGLISH).constraints).toEqual([
    expect.objectContaining({ kind: 'measure', min, max, unit }),
  ]);
});

test.each<[string, string[], string]>([
  ['chocolate without milk', ['milk'], 'chocolate'],
  ['jacket, not leather', ['leather'], 'jacket,'],
  ['pillow no feathers', ['feather'], 'pillow'],
  ['headphones without noise cancelling', ['noise', 'cancelling'], 'headphones'],
  ['shoes without laces in black', ['lace'], 'shoes in black'],
  ['wallet -leather', ['leather'], 'wallet'],
  ['jumper that isn’t wool', ['wool'], 'jumper that'],
  ['jumper not made of wool', ['wool'], 'jumper'],
  ["snacks that don't contain nuts", ['nut'], 'snacks that'],
  ['lactose-free', ['lactose'], ''],
  ['glutenfreie Nudeln', ['gluten'], 'Nudeln'],
  ['pâtes sans gluten', ['gluten'], 'pâtes'],
])('what is not wanted is not searched: %s', (text, terms, left) => {
  const { constraints, rest } = readConstraints(text, ENGLISH);
  expect(constraints).toEqual([expect.objectContaining({ kind: 'exclude', terms })]);
  expect(rest.replace(/\s+/g, ' ').trim()).toBe(left);
  expect(rest).toHaveLength(text.length);
});

test.each([
  'cheap mug',
  'usb-c cable 2 -3 m',
  't-shirt - red',
  'tent for up to 4 people',
  'under the table',
  'over ear headphones',
  'not too expensive',
  'my battery is not working',
  'coffee to drink without lying awake',
  'when is it back in stock',
  'no idea',
])('nothing is demanded by %j', (text) => {
  expect(readConstraints(text, ENGLISH).constraints).toEqual([]);
});

test.each<[string, OrderName, string]>([
  ['cheapest tent', 'lowestPrice', 'tent'],
  ['headphones at the best price', 'lowestPrice', 'headphones at the'],
  ['the most expensive sofa', 'highestPrice', 'the sofa'],
  ['what is your newest laptop', 'newest', 'what is your laptop'],
])('an order that is demanded: %s', (text, by, left) => {
  const { constraints, rest } = readConstraints(text, ENGLISH);
  expect(constraints).toEqual([expect.objectContaining({ kind: 'order', by })]);
  expect(rest.replace(/\s+/g, ' ').trim()).toBe(left);
});

test('availability', () => {
  expect(readConstraints('tv in stock', ENGLISH).constraints).toEqual([
    { kind: 'availability', text: 'in stock' },
  ]);
});

const ITEM: Facts & { score: number } = {
  isContext: false,
  available: true,
  facts: { prices: [], currency: 'USD', measures: [], isService: false },
  presences: [],
  score: 1,
};

describe('items that meet a question’s constraints', () => {
  const filter = (text: string, items: readonly Partial<typeof ITEM & ItemFacts>[]) => {
    const { constraints } = readConstraints(text, ENGLISH);
    const all = items.map((item, place) => {
      return { ...ITEM, ...item, facts: { ...ITEM.facts, ...item }, place };
    });
    const { kept, relaxed } = filterByConstraints(all, constraints);
    return { kept: kept.map(({ place }) => place), relaxed: [...relaxed].map(({ kind }) => kind) };
  };

  test('any variant in the range counts, an unknown price does not', () => {
    const items = [{ prices: [9900, 4500] }, { prices: [9900] }, { prices: [] }];
    expect(filter('under $50', items)).toEqual({ kept: [0], relaxed: [] });
  });

  test('a currency without minor units is compared in its own', () => {
    const items = [{ prices: [4200], currency: 'JPY' }];
    expect(filter('under 5000 yen', items)).toEqual({ kept: [0], relaxed: [] });
  });

  test('a missing size contradicts nothing', () => {
    const items = [{ measures: ['8gb'] }, { measures: ['32gb'] }, { measures: [] }];
    expect(filter('at least 16 gb', items)).toEqual({ kept: [1, 2], relaxed: [] });
  });

  test('a size is compared with sizes of its magnitude: a disk is no memory', () => {
    const items = [{ measures: ['8gb', '512gb'] }, { measures: ['16gb', '512gb'] }];
    expect(filter('at least 16 gb', items)).toEqual({ kept: [1], relaxed: [] });
    expect(filter('at least 256 gb', items)).toEqual({ kept: [0, 1], relaxed: [] });
    const cables = [{ measures: ['1000mm', '5000mm'] }, { measures: ['1000mm', '2000mm'] }];
    expect(filter('at least 3 m', cables)).toEqual({ kept: [0], relaxed: [] });
  });

  test('only items that clearly have an excluded thing are left out', () => {
    const presences = (['clear', 'mentioned', 'free', 'none'] as const).map((presence) => ({
      presences: [presence],
    }));
    expect(filter('without milk', presences)).toEqual({ kept: [1, 2, 3], relaxed: [] });
  });

  test('constraints that leave nothing are relaxed, the least certain first', () => {
    const items = [
      { prices: [9900], available: false },
      { prices: [2000], available: false },
    ];
    expect(filter('in stock under $50', items)).toEqual({ kept: [1], relaxed: ['availability'] });
    expect(filter('in stock under $5', items)).toEqual({
      kept: [0, 1],
      relaxed: ['price', 'availability'],
    });
  });

  test('an item that meets them but is about something else does not count', () => {
    const items = [
      { prices: [9900], score: 0.8 },
      { prices: [100], score: 0.2 },
    ];
    expect(filter('under $5', items)).toEqual({ kept: [0, 1], relaxed: ['price'] });
  });

  test('a policy meets every constraint', () => {
    const items = [{ isContext: true }, { prices: [9900] }];
    expect(filter('over 50', items)).toEqual({ kept: [0, 1], relaxed: [] });
  });
});
