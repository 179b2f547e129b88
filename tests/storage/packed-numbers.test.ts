import { expect, test } from 'bun:test';
import { PackedNumbers, packedNumber } from '../../src/storage/engine/packed-numbers.ts';
import { openFresh } from './open.ts';

test('SQL reads numbers as they were packed, from zero to the largest', async () => {
  const db = await openFresh();
  const read = async (rows: readonly (readonly number[])[]) => {
    const packed = new PackedNumbers();
    for (const row of rows) {
      packed.begin(row.length);
      for (const number of row) packed.add(number);
    }
    const columns = [0, 1, 2].map((column) => packedNumber(column, 'value', '?1'));
    const found = await db.all<{ row: string }>({
      sql: `SELECT json_array(${columns.join(', ')}) AS row FROM json_each(?2)`,
      args: [packed.digits, packed.places],
    });
    return found.map(({ row }) => JSON.parse(row) as number[]);
  };
  const rows = [
    [0, 1, 9],
    [10, 99, 100],
    [4_294_967_295, 4_294_967_296, 999_999_999_999],
  ];
  expect(await read(rows)).toEqual(rows);
  const many = Array.from({ length: 2000 }, (_, at) => [at, at * at, at * 1_000_000]);
  expect(await read(many)).toEqual(many);
  expect(await read([])).toEqual([]);
  await db.close();
});
