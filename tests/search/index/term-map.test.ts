import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TermMap } from '../../../src/search/index/term-map.ts';

// Neighbouring numbers, and numbers that share a slot.
const term = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(64, 128, 4096, 0xffff_fffe));

test('a term has the value it was given, and every other term has none', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(term, fc.integer())), term, (pairs, asked) => {
      const values = new Map(pairs);
      const map = new TermMap(values);
      for (const one of [...values.keys(), asked])
        expect(map.get(one)).toBe((values.get(one) ?? 0) | 0);
    }),
  );
});
