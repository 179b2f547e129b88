import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TextSet } from '../../src/catalog/record/duplicates.ts';

test('a text is new exactly once, whatever else the set contains', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const set = new TextSet();
      const naive = new Set<string>();
      for (const text of texts) {
        expect(set.has(text)).toBe(naive.has(text));
        expect(set.add(text)).toBe(!naive.has(text));
        expect(set.has(text)).toBe(true);
        naive.add(text);
      }
    }),
  );
});

test('distinguishes a million ids that differ in one digit, and finds each again', () => {
  const set = new TextSet();
  let taken = 0;
  for (let id = 0; id < 1_000_000; id++) if (set.add(`sku-${id}`)) taken += 1;
  expect(taken).toBe(1_000_000);
  expect([set.add('sku-0'), set.add('sku-999999'), set.add('sku-1000000')]).toEqual([
    false,
    false,
    true,
  ]);
});
