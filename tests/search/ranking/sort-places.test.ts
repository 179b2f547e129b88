import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { firstPlaces, sortPlaces } from '../../../src/search/ranking/sort-places.ts';

test('the first places are those of the list’s own sort, whatever their number', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.nat({ max: 40 }), (given, count) => {
      const places = [...given.keys()];
      const compare = (left: number, right: number) => given[right]! - given[left]! || left - right;
      const isBefore = (left: number, right: number) => compare(left, right) < 0;
      const sorted = places.toSorted(compare);
      expect([...sortPlaces(places.toReversed(), isBefore)]).toEqual(sorted);
      expect([...firstPlaces(places.toReversed(), count, isBefore)]).toEqual(
        sorted.slice(0, count),
      );
    }),
  );
});
