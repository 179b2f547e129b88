import { type QuantizedTensor, zeroPoint } from './tfjs-weights.ts';

/** Matrices side by side: each value is `scales[column] × (byte - zeros[column])`. */
export interface SignedColumns {
  readonly shape: readonly [number, number];
  /** Row by row. */
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
  readonly zeros: Int8Array;
}

/**
 * The columns of all matrices as signed bytes, with each row multiplied by the factor of its number.
 *
 * The shipped bytes stay as they are, moved from 0…255 to -128…127, unless a multiplied row gives a
 * column values that no byte holds: such a column gets a larger scale. The matrices have as many rows
 * as there are factors.
 */
export function signedColumns(
  matrices: readonly QuantizedTensor[],
  factors: readonly number[],
): SignedColumns {
  const width = matrices.reduce((sum, { shape }) => sum + shape[1]!, 0);
  const bytes = new Int8Array(factors.length * width);
  const scales = new Float32Array(width);
  const zeros = new Int8Array(width);
  let place = 0;
  for (const matrix of matrices) {
    for (let column = 0; column < matrix.shape[1]!; column++, place++) {
      const values = columnOf(matrix, column).map((value, row) => value * factors[row]!);
      const { scale, zero } = bytesFor(values, zeroPoint(matrix) - 128);
      scales[place] = matrix.scale * scale;
      zeros[place] = zero;
      for (const [row, value] of values.entries())
        bytes[row * width + place] = clamp(Math.round(value / scale) + zero);
    }
  }
  return { shape: [factors.length, width], bytes, scales, zeros };
}

/** A column's bytes with 0 for the value 0. */
function columnOf(matrix: QuantizedTensor, column: number): number[] {
  const [rows, columns] = matrix.shape as [number, number];
  const zero = zeroPoint(matrix);
  return Array.from({ length: rows }, (_, row) => matrix.data[row * columns + column]! - zero);
}

/** The least scale from 1 on with which signed bytes hold the values, and the byte that then stands for 0. */
function bytesFor(values: readonly number[], usualZero: number): { scale: number; zero: number } {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const scale = Math.max(1, (most - least) / 255);
  const fits = least / scale + usualZero >= -128 && most / scale + usualZero <= 127;
  return { scale, zero: fits ? usualZero : clamp(Math.round(-128 - least / scale)) };
}

function clamp(byte: number): number {
  return Math.max(-128, Math.min(127, byte));
}
