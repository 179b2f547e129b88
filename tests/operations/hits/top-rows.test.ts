import { expect, test } from 'bun:test';
import { TopRows } from '../../../src/operations/hits/top-rows.ts';

test('keeps what a sort of all rows would put first, whatever the order in which they come', () => {
  for (let round = 0; round < 200; round++) {
    const limit = 1 + (round % 7);
    const rows = Array.from({ length: round % 40 }, (_, at) => ({
      hits: (at * 7919 + round * 31) % 11,
      at: (at * 17 + round) % 40,
    }));
    const byHits = (one: (typeof rows)[0], other: (typeof rows)[0]) =>
      other.hits - one.hits || one.at - other.at;
    const top = new TopRows(limit, byHits);
    for (const row of rows) top.add(row);
    expect(top.rows).toEqual(rows.toSorted(byHits).slice(0, limit));
  }
});
