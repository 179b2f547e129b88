import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { IdList } from '../../../src/search/index/id-list.ts';
import { Packing, Unpacking } from '../../../src/search/index/packing.ts';
import { finish } from '../../support/indexed-database.ts';

function order(list: IdList, length: number): number[] {
  return Array.from({ length }, (_, place) => place).sort((one, other) => list.compare(one, other));
}

test('ids come back as they were and in the order of their texts, packed and unpacked, even damaged ones', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.string(),
    fc.uuid().map((text) => text.toUpperCase()),
  );
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.uuid()), fc.array(id)), (ids) => {
      const list = new IdList();
      for (const each of ids) list.push(each);
      const packing = new Packing();
      list.pack(packing);
      const unpacked = new IdList();
      finish(unpacked.unpack(new Unpacking(packing.arrays.map((array) => array.slice().buffer))));
      for (const each of [list, unpacked]) {
        expect(ids.map((_, place) => each.at(place))).toEqual(ids);
        expect(order(each, ids.length).map((place) => ids[place])).toEqual(ids.toSorted());
      }
    }),
  );
});

test('ids that share a slot of the cache are told apart', () => {
  const list = new IdList();
  const ids = Array.from({ length: 16_384 + 2 }, () => crypto.randomUUID());
  for (const id of ids) list.push(id);
  for (const place of [0, 16_384, 1, 16_385, 0, 16_384]) expect(list.at(place)).toBe(ids[place]!);
});
