import type { Vector8 } from './vector8.ts';

const BYTE_VALUES = 256;
/** A row of bits has one dimension of 128 vectors. */
const BITS_ROW_BYTES = 16;

/**
 * Of a question's dimensions, those with the greatest values count four times, the next twice, the
 * next once, the rest not at all. On icecat these classes need a third of the vectors that equal
 * weights need for the same recall, and skipping the smallest values loses nothing.
 */
export const CLASSES = [
  { weight: 4, share: 1 / 6 },
  { weight: 2, share: 1 / 3 },
  { weight: 1, share: 1 / 4 },
] as const;
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
  for (let at = 0; at < bytes.length; at++) counts[bytes[at]!]! += 1;
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

/**
 * Writes for the kernel which rows of bits to compare with which sign, the classes of lowest weight
 * first, `lengths` rows of each class in the order of `CLASSES`. Within a class, rows are in memory
 * order.
 */
export function nameComparedRows(
  query: Vector8,
  lengths: readonly number[],
  to: { readonly offsets: Uint32Array; readonly signs: Int32Array },
): void {
  const { bytes, alpha, shift } = query;
  // The row after the last dimension is empty.
  to.offsets.fill(bytes.length * BITS_ROW_BYTES);
  to.signs.fill(0);
  const classes = classesBySize(query, lengths);
  // Where each class begins, the last class first.
  const places = lengths.map((_, index) =>
    lengths.slice(index + 1).reduce((sum, length) => sum + length, 0),
  );
  for (let at = 0; at < bytes.length; at++) {
    const index = classes[at]!;
    if (index === lengths.length) continue;
    const place = places[index]!++;
    to.offsets[place] = at * BITS_ROW_BYTES;
    to.signs[place] = alpha * bytes[at]! + shift > 0 ? -1 : 0;
  }
}
