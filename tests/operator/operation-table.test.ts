import { expect, test } from 'bun:test';
import { OPERATIONS } from '../../src/operator/operation-table.ts';
import { createReader } from '../../src/schema/reader.ts';

test('faults in the input of every operation are told in our own words', () => {
  expect(OPERATIONS.size).toBeGreaterThan(40);
  for (const { input } of OPERATIONS.values()) expect(() => createReader(input)).not.toThrow();
});
