import { expect, test } from 'bun:test';
import { RecordGroups } from '../../src/catalog/record/record-groups.ts';

const row = (text: string) => ({ fields: [text] });

test('groups the rows of a product, in order of first rows', () => {
  const groups = new RecordGroups<{ fields: string[] }>();
  for (const [key, text] of [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ] as const) {
    expect(groups.add(key, row(text))).toBe(true);
    expect([...groups.overflowing()]).toEqual([]);
  }
  expect([...groups.rest()]).toEqual([[row('1'), row('3')], [row('2')]]);
});

test('bounds its memory: emits the oldest group first and reports later rows of it', () => {
  const groups = new RecordGroups<{ fields: string[] }>(10_000);
  const given: string[] = [];
  for (let index = 0; index < 100; index += 1) {
    groups.add(`g${index}`, row('x'));
    given.push(...[...groups.overflowing()].map((rows) => String(rows.length)));
  }
  expect(given.length).toBeGreaterThan(90);
  expect([...groups.rest()].length).toBe(100 - given.length);
  expect(groups.add('g0', row('late'))).toBe(false);
  expect(groups.add('g100', row('new'))).toBe(true);
});
