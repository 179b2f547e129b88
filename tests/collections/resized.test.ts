import { expect, test } from 'bun:test';
import { resized } from '../../src/collections/resized.ts';

test('a resized array has the numbers of the former one, whose memory is released', () => {
  const former = Uint16Array.of(1, 2, 3);
  const longer = resized(former, 5);
  expect(longer).toEqual(Uint16Array.of(1, 2, 3, 0, 0));
  expect(resized(longer, 2)).toEqual(Uint16Array.of(1, 2));
  expect([former.byteLength, former.buffer.byteLength, longer.byteLength]).toEqual([0, 0, 0]);
});
