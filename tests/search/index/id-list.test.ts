import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { IdList } from '../../../src/search/index/id-list.ts';
import { Packing, Unpacking } from '../../../src/search/index/packing.ts';
import { finish } from '../../support/indexed-database.ts';

test('ids come back as they were, packed and unpacked, even damaged ones', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.string(),
    fc.uuid().map((text) => text.toUpperCase()),
  );
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      const list = new IdList();
      for (const each of ids) list.push(each);
      const packing = new Packing();
      list.pack(packing);
      const unpacked = new IdList();
      finish(unpacked.unpack(new Unpacking(packing.arrays.map((array) => array.slice().buffer))));
      for (const each of [list, unpacked])
        expect(ids.map((_, place) => each.at(place))).toEqual(ids);
    }),
  );
});

test('ids that share a slot of the cache are told apart', () => {
  const list = new IdList();
  const ids = Array.from({ length: 16_384 + 2 }, () => crypto.randomUUID());
  for (const id of ids) list.push(id);
  for (const place of [0, 16_384, 1, 16_385, 0, 16_384]) expect(list.at(place)).toBe(ids[place]!);
});
