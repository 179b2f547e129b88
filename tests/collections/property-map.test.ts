import { expect, test } from 'bun:test';
import { PropertyMap } from '../../src/collections/property-map.ts';

test('keeps a value with its key, and none with a copy or in its JSON', () => {
  const prices = new PropertyMap<{ name: string }, string>();
  const words = new PropertyMap<{ name: string }, string>();
  const lamp = { name: 'Lamp' };
  prices.set(lamp, 'old');
  prices.set(lamp, '9.90 EUR');
  expect(prices.get(lamp)).toBe('9.90 EUR');
  expect(words.get(lamp)).toBeUndefined();
  expect(prices.get({ ...lamp })).toBeUndefined();
  expect(JSON.stringify(lamp)).toBe('{"name":"Lamp"}');
});
