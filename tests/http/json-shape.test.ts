import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DEPTH_MAX, measureJson } from '../../src/http/exchange/json-shape.ts';

test.each([
  ['[]', 0],
  [' [ \n] ', 0],
  ['[1]', 1],
  ['[1,[2,3],{"a":[4,5]}]', 3],
  ['["a,b","\\",",3]', 3],
  ['{"a":[1,2]}', null],
  ['"[1,2]"', null],
  ['', null],
])('%s holds %p items', (text, items) => {
  expect(measureJson(text).items).toBe(items);
});

test('any JSON has the shape of the value that it is parsed to', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\n\t'), (value, blank) => {
      const shape = measureJson(`${blank}${JSON.stringify(value, null, blank)}${blank}`);
      const items = Array.isArray(value) ? value.length : null;
      expect(shape).toEqual({ depth: depthOf(value), items });
    }),
  );
});

test('measuring stops at one item, and at one level, too many', () => {
  const rest = '['.repeat(DEPTH_MAX + 1);
  expect(measureJson(`[${'1,'.repeat(1_000_000)}${rest}`, 100)).toEqual({ depth: 1, items: 101 });
  expect(measureJson(`[1,${rest},${'1,'.repeat(1_000_000)}`, 100).depth).toBe(DEPTH_MAX + 1);
});
