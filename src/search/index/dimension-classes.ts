import type { Vector8 } from './vector8.ts';

const BYTE_VALUES = 256;

/**
 * For each dimension its class: 0 for the `lengths[0]` of the greatest values, whatever their sign, and
 * so on; the number of classes for the rest. Values are sorted by counting: they have 256 sizes.
 */
export function classesBySize(
  { bytes, alpha, shift }: Vector8,
  lengths: readonly number[],
): Uint8Array {
  const counts = new Uint16Array(BYTE_VALUES);
  for (const byte of bytes) counts[byte]! += 1;
  const seen = new Uint16Array(BYTE_VALUES);
  let ahead = 0;
  // The greatest sizes are those of the first and the last byte.
  for (let first = 0, last = BYTE_VALUES - 1; first <= last; ) {
    const isFirst = Math.abs(alpha * first + shift) > Math.abs(alpha * last + shift);
    const byte = isFirst ? first++ : last--;
    seen[byte] = ahead;
    ahead += counts[byte]!;
  }
  const classes = new Uint8Array(bytes.length);
  // Of equal sizes the later dimension counts as the greater.
  for (let at = bytes.length - 1; at >= 0; at--) {
    const place = seen[bytes[at]!]!++;
    let below = 0;
    let index = 0;
    while (index < lengths.length && place >= below + lengths[index]!) below += lengths[index++]!;
    classes[at] = index;
  }
  return classes;
}
