/**
 * A quantised vector (8 bits a dimension), as libSQL's `vector8` stores it: value i is `alpha *
 * bytes[i] + shift`. Equal bytes here and in libSQL give equal cosines.
 */
export interface Vector8 {
  readonly bytes: Uint8Array;
  readonly alpha: number;
  readonly shift: number;
}

/** libSQL's mark of an 8-bit vector, the last byte of the BLOB (`VECTOR_TYPE_FLOAT8`). */
const TYPE_FLOAT8 = 4;
/** After the values: alpha and shift, 32-bit little-endian floats, and three descriptive bytes. */
const PARAMETERS_LENGTH = 8;
const DESCRIPTION_LENGTH = 3;
const LEVELS = 255;

/**
 * Reads a `vector8` BLOB without copying its values. Its layout (libSQL 0.5.29): one byte a
 * dimension, zeros up to a multiple of four, alpha, shift, a zero, the number of those filling
 * zeros, the type. Null for any other BLOB or number of dimensions.
 */
export function readVector8(blob: Uint8Array, dimensions: number): Vector8 | null {
  const padded = Math.ceil(dimensions / 4) * 4;
  if (blob.length !== padded + PARAMETERS_LENGTH + DESCRIPTION_LENGTH) return null;
  if (blob.at(-1) !== TYPE_FLOAT8 || blob.at(-2) !== padded - dimensions) return null;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const alpha = view.getFloat32(padded, true);
  const shift = view.getFloat32(padded + 4, true);
  return { bytes: blob.subarray(0, dimensions), alpha, shift };
}

/**
 * Quantises a vector as `vector8(vector32(?))` does, bit for bit: the range of its values in 255
 * equal steps.
 */
export function quantiseVector8(vector: Float32Array): Vector8 {
  let least = vector[0] ?? 0;
  let greatest = least;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const alpha = Math.fround(Math.fround(greatest - least) / LEVELS);
  const bytes = new Uint8Array(vector.length);
  if (alpha > 0) {
    for (let index = 0; index < vector.length; index++) {
      const step = Math.fround(Math.fround(Math.fround(vector[index]! - least) / alpha) + 0.5);
      bytes[index] = Math.min(LEVELS, Math.trunc(step));
    }
  }
  return { bytes, alpha, shift: least };
}

/** The values that a quantised vector stands for. */
export function valuesOf({ bytes, alpha, shift }: Vector8): Float32Array {
  const values = new Float32Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) values[at] = alpha * bytes[at]! + shift;
  return values;
}

/**
 * Slope and shift of the normalized vector over its bytes, the sum of bytes times slope, and the
 * length that the vector had. All zero for a vector without a direction.
 */
export function directionOf({ bytes, alpha, shift }: Vector8): {
  slope: number;
  shift: number;
  sum: number;
  length: number;
} {
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    sum += byte;
    squares += byte * byte;
  }
  const length = Math.sqrt(
    alpha * alpha * squares + 2 * alpha * shift * sum + bytes.length * shift * shift,
  );
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    return { slope: 0, shift: 0, sum: 0, length: 0 };
  // A vector of equal values has no slope but has a direction.
  const slope = Math.max(Math.max(alpha, Number.MIN_VALUE) / length, SLOPE_MIN);
  return { slope, shift: shift / length, sum: (alpha / length) * sum, length };
}

/**
 * The cosines of vectors to one, as libSQL computes them; null if a vector is missing or has no
 * direction.
 */
export function cosineMeter(vector: Float32Array): (other: Vector8 | null) => number | null {
  const asked = quantiseVector8(vector);
  const { slope, shift, sum } = directionOf(asked);
  const { length } = asked.bytes;
  return (other) => {
    if (other === null || slope === 0 || other.bytes.length !== length) return null;
    const direction = directionOf(other);
    if (direction.slope === 0) return null;
    let dot = 0;
    for (let at = 0; at < length; at++) dot += asked.bytes[at]! * other.bytes[at]!;
    const ofBytes = slope * direction.slope * dot;
    return ofBytes + (sum + length * shift) * direction.shift + shift * direction.sum;
  };
}

/** Kept above zero in 32 bits, because a slope of zero marks a row without a vector. */
const SLOPE_MIN = 1e-30;

/** The mean direction of vectors of equal length; null if none has a direction. */
export function meanDirection(vectors: readonly Vector8[]): Float32Array | null {
  const sums = new Float64Array(vectors[0]?.bytes.length ?? 0);
  let count = 0;
  for (const vector of vectors) {
    const { slope, shift } = directionOf(vector);
    if (slope === 0) continue;
    count += 1;
    for (let at = 0; at < sums.length; at++) sums[at]! += slope * vector.bytes[at]! + shift;
  }
  if (count === 0) return null;
  const mean = new Float32Array(sums.length);
  for (let at = 0; at < sums.length; at++) mean[at] = sums[at]! / count;
  return mean;
}
