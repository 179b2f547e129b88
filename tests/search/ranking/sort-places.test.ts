import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { sortPlaces } from '../../../src/search/ranking/sort-places.ts';

test('sorts as the list’s own sort does, whatever the number of places', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });
  fc.assert(
    fc.property(scores, (given) => {
      const places = [...given.keys()];
      const compare = (left: number, right: number) => given[right]! - given[left]! || left - right;
      const sorted = sortPlaces(places.toReversed(), (left, right) => compare(left, right) < 0);
      expect([...sorted]).toEqual(places.sort(compare));
    }),
  );
});
