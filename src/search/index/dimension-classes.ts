import type { Vector8 } from './vector8.ts';

const BYTE_VALUES = 256;

/**
 * The class of each dimension: 0 for the `lengths[0]` values of greatest magnitude, 1 for the next
 * `lengths[1]`, and so on; the number of classes for the rest. A counting sort orders the values: a
 * byte has 256 of them.
 */
export function classesBySize(
  { bytes, alpha, shift }: Vector8,
  lengths: readonly number[],
): Uint8Array {
  const counts = new Uint16Array(BYTE_VALUES);
  for (const byte of bytes) counts[byte]! += 1;
  const seen = new Uint16Array(BYTE_VALUES);
  let ahead = 0;
  // The first and the last byte stand for the greatest magnitudes.
  for (let first = 0, last = BYTE_VALUES - 1; first <= last; ) {
    const isFirst = Math.abs(alpha * first + shift) > Math.abs(alpha * last + shift);
    const byte = isFirst ? first++ : last--;
    seen[byte] = ahead;
    ahead += counts[byte]!;
  }
  const classes = new Uint8Array(bytes.length);
  // Among equal magnitudes, the later dimension counts as the greater.
  for (let at = bytes.length - 1; at >= 0; at--) {
    const place = seen[bytes[at]!]!++;
    let below = 0;
    let index = 0;
    while (index < lengths.length && place >= below + lengths[index]!) below += lengths[index++]!;
    classes[at] = index;
  }
  return classes;
}
