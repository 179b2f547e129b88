import { expect, test } from 'bun:test';
import { RecordGroups } from '../../src/catalog/record/record-groups.ts';

const row = (text: string) => ({ fields: [text] });

test('rows of a product are together, in the order in which products began', () => {
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

test('what is held is bounded: the oldest goes first, and what comes for it later is told', () => {
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
