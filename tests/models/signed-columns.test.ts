import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { signedColumns } from '../../scripts/model/signed-columns.ts';
import type { QuantizedTensor } from '../../scripts/model/tfjs-weights.ts';

const ROWS = 4;
const COLUMNS = 3;
const SCALE = 0.01;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const matrix = fc
  .record({ data: bytes(ROWS * COLUMNS), zero: fc.nat(255) })
  .map(({ data, zero }) => ({ shape: [ROWS, COLUMNS], data, scale: SCALE, min: -zero * SCALE }));
const matrices = fc.array(matrix, { minLength: 1, maxLength: 3 });

/** The value of each place, by matrix, row and column, as the shipped bytes say. */
function valuesOf(shipped: readonly QuantizedTensor[], factors: readonly number[]): number[] {
  return factors.flatMap((factor, row) =>
    shipped.flatMap(({ data, scale, min }) =>
      Array.from(
        data.subarray(row * COLUMNS, (row + 1) * COLUMNS),
        (byte) => (byte * scale + min) * factor,
      ),
    ),
  );
}

test('matrices without factors keep the shipped values', () => {
  fc.assert(
    fc.property(matrices, (shipped) => {
      const factors = Array<number>(ROWS).fill(1);
      const { bytes: found, scales, zeros } = signedColumns(shipped, factors);
      const width = scales.length;
      for (const [place, value] of valuesOf(shipped, factors).entries()) {
        const column = place % width;
        expect((found[place]! - zeros[column]!) * scales[column]!).toBeCloseTo(value, 5);
      }
    }),
  );
});

test('rows with factors have the multiplied values, to a step of their column', () => {
  const factor = fc.integer({ min: 1, max: 9 });
  const factorsOf = fc.array(factor, { minLength: ROWS, maxLength: ROWS });
  fc.assert(
    fc.property(matrices, factorsOf, (shipped, factors) => {
      const { shape, bytes: found, scales, zeros } = signedColumns(shipped, factors);
      expect(shape).toEqual([ROWS, shipped.length * COLUMNS]);
      for (const [place, value] of valuesOf(shipped, factors).entries()) {
        const column = place % scales.length;
        const step = scales[column]!;
        expect(Math.abs((found[place]! - zeros[column]!) * step - value)).toBeLessThanOrEqual(step);
      }
    }),
  );
});
