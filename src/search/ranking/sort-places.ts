/** Longer runs are merged. */
const RUN = 8;

/** Whether the first of two places comes before the second: a total order. */
export type IsBefore = (left: number, right: number) => boolean;

/**
 * The places in order. A merge sort, because JavaScriptCore's `sort` spends most of its time on calling the comparator,
 * which the compiler writes into this one.
 */
export function sortPlaces(places: readonly number[], isBefore: IsBefore): number[] {
  const count = places.length;
  let from = places.slice();
  for (let start = 0; start < count; start += RUN)
    for (let at = start + 1; at < Math.min(start + RUN, count); at++)
      moveToOrder(from, { start, at }, isBefore);
  let to = count > RUN ? places.slice() : from;
  for (let width = RUN; width < count; width *= 2) {
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
    [from, to] = [to, from];
  }
  return from;
}

/** Moves the entry `at` to where it belongs among those before it, from `start` on, which are in order. */
export function moveToOrder(
  places: number[],
  { start, at }: { readonly start: number; readonly at: number },
  isBefore: IsBefore,
): void {
  const place = places[at]!;
  let free = at;
  for (; free > start && isBefore(place, places[free - 1]!); free--)
    places[free] = places[free - 1]!;
  places[free] = place;
}
