/** How the vectors of a text's tokens become one: their mean, that of the first, or of the last. */
export type Pooling = 'mean' | 'cls' | 'last';

/** The unit vector of one text. `tokens`: its token vectors one after the other, each of `width`. */
export function pool(
  tokens: Float32Array,
  width: number,
  pooling: Pooling,
): Float32Array<ArrayBuffer> {
  const last = tokens.length - width;
  if (pooling === 'cls') return unitVector(tokens.subarray(0, width));
  if (pooling === 'last') return unitVector(tokens.subarray(last));
  const sum = new Float32Array(width);
  for (let at = 0; at < tokens.length; at++) sum[at % width]! += tokens[at]!;
  return unitVector(sum);
}

/** Throws if the values have no direction. */
export function unitVector(values: Float32Array): Float32Array<ArrayBuffer> {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0 && Number.isFinite(length)))
    throw new Error('an embedding whose norm is zero or infinite');
  return Float32Array.from(values, (value) => value / length);
}
