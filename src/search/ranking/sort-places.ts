/** Whether the first of two places comes before the second: a total order. */
export type IsBefore = (left: number, right: number) => boolean;

/**
 * The places in order. A merge sort, because JavaScriptCore's `sort` spends most of its time on calling the comparator,
 * which the compiler writes into this one.
 */
export function sortPlaces(places: ArrayLike<number>, isBefore: IsBefore): Uint32Array {
  const count = places.length;
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let at = 0; at < count; at++) from[at] = places[at]!;
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(middle + width, count);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesRight = left === middle || (right < end && isBefore(from[right]!, from[left]!));
        to[at] = takesRight ? from[right++]! : from[left++]!;
      }
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/** Moves the last place to where it belongs among the others, which are in order. */
export function moveLast(places: number[], isBefore: IsBefore): void {
  const last = places.at(-1)!;
  let free = places.length - 1;
  for (; free > 0 && isBefore(last, places[free - 1]!); free--) places[free] = places[free - 1]!;
  places[free] = last;
}
