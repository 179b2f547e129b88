import { describe, expect, test } from 'bun:test';
import { quantityOf } from '../../../src/search/text/units.ts';
import { ENGLISH, indexTermsOf, termsOf } from '../../support/english.ts';

describe('one size is one term, however it is written', () => {
  test.each([
    ['8x10', ['8x10', '8 x 10', '8 × 10', "8' x 10'", '8X10', '8 by 10', '8x10 ft']],
    ['3000mm', ['3m', '3 m', '3 meters', '3 metres', '300 cm', '3-meter']],
    ['16gb', ['16gb', '16 GB', '16 gigabytes']],
    ['0p5in', ['1/2 in', '1/2"', '0.5 inch', '½ in', '0,5 Zoll']],
    ['17in', ['17"', '17 inch', '17-inch', '17”']],
    ['1500mm', ['1,5 m', '1.5m', '1 1/2 m', '150 cm']],
    ['12oz', ['12 oz', '12 ounces']],
    ['500ml', ['500 ml', '0.5 l', '50 cl']],
    ['20w', ['20 W', '20 watts']],
    ['5000mah', ['5000 mAh', '5 Ah', '5,000 mah']],
    ['10x20x30', ['10 x 20 x 30 cm']],
  ])('%s', (term, spellings) => {
    expect(spellings.map((spelling) => termsOf(spelling)[0])).toEqual(spellings.map(() => term));
  });
});

test.each([
  'iphone 7 in red',
  '2 in 1',
  '2-in-1 laptop',
  '"iphone 11"',
  '24/7',
  '1000/3000',
  'HS-A2-5050-200',
  '4 a day',
  '',
])('no size in %j', (text) => {
  expect(ENGLISH.measures.find(text)).toEqual([]);
});

test('a size also matches its number and the measure at the end of its dimensions', () => {
  expect(indexTermsOf('16 GB')).toEqual(['16gb', '16']);
  expect(indexTermsOf('12 x 85 g')).toEqual(['12x85', '12', '85', '85g']);
});

test('"free of" is one term in each of its spellings', () => {
  for (const text of ['lactose-free', 'without lactose', 'free of lactose', 'no added lactose']) {
    expect(indexTermsOf(text)).toContain('lactosefree');
  }
});

test('a measure covers its own words and no others', () => {
  const [measure] = ENGLISH.measures.find('rug 8 x 10 ft wool');
  expect('rug 8 x 10 ft wool'.slice(measure!.start, measure!.end)).toBe('8 x 10 ft');
  expect(termsOf('rug 8 x 10 ft wool')).toEqual(['rug', '8x10', 'wool']);
});

test('a term encodes its unit and value', () => {
  expect(quantityOf('0p5in')).toEqual({ unit: 'in', value: 0.5 });
  expect(quantityOf('8x10')).toEqual({ unit: 'x2', value: null });
  expect(quantityOf('ps4')).toBeNull();
});

test('a meaningless amount is not an amount', () => {
  expect([
    ENGLISH.measures.readAmount('1/0'),
    ENGLISH.measures.readAmount(''),
    ENGLISH.measures.readAmount('x'),
  ]).toEqual([null, null, null]);
});
