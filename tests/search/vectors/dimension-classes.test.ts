import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { classesBySize } from '../../../src/search/vectors/dimension-classes.ts';

test('the classes follow the values sorted by magnitude, later dimensions first among equals', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 12, maxLength: 60 }),
      // No two bytes of different sign have the same magnitude.
      fc.integer({ min: 1, max: 250 }),
      (bytes, zero) => {
        const shift = -(zero + 0.3);
        const lengths = [3, 5, 2];
        const order = [...bytes.keys()].sort(
          (left, right) =>
            Math.abs(bytes[right]! + shift) - Math.abs(bytes[left]! + shift) || right - left,
        );
        const expected = new Uint8Array(bytes.length).fill(3);
        for (const [place, at] of order.slice(0, 10).entries())
          expected[at] = place < 3 ? 0 : place < 8 ? 1 : 2;
        expect(classesBySize({ bytes, alpha: 1, shift }, lengths)).toEqual(expected);
      },
    ),
  );
});
