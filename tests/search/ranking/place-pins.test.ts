import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { placePins } from '../../../src/search/ranking/place-pins.ts';

const ranked = (ids: string) => [...ids].map((id) => ({ id }));
const order = (items: readonly { id: string }[]) => items.map(({ id }) => id).join('');

test.each([
  ['abcd', [{ id: 'd', place: 1 }], 'dabc'],
  ['abcd', [{ id: 'a', place: 3 }], 'bcad'],
  [
    'abcd',
    [
      { id: 'd', place: 2 },
      { id: 'c', place: 2 },
    ],
    'adcb',
  ],
  [
    'abcd',
    [
      { id: 'c', place: 2 },
      { id: 'd', place: 1 },
    ],
    'dcab',
  ],
  ['abc', [{ id: 'a', place: 20 }], 'bca'],
  ['abc', [{ id: 'x', place: 1 }], 'abc'],
])('%s with pins %p becomes %s', (from, pins, to) => {
  expect(order(placePins(ranked(from), pins))).toBe(to);
});

test('whatever is pinned, nothing is lost and the others keep their order', () => {
  const pin = fc.record({
    id: fc.constantFrom(...'abcdefghxyz'),
    place: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(pin, { maxLength: 12 }), (pins) => {
      const placed = order(placePins(ranked('abcdefgh'), pins));
      expect([...placed].sort().join('')).toBe('abcdefgh');
      const free = [...'abcdefgh'].filter((id) => !pins.some((one) => one.id === id)).join('');
      expect([...placed].filter((id) => free.includes(id)).join('')).toBe(free);
    }),
  );
});
