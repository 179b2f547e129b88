import { resized } from '../../collections/resized.ts';
import type { Lexicon } from './lexicon.ts';

/** Shorter runs are sorted by insertion. */
const SHORT_RUN = 16;
/** Code units in a key of 32 bits. */
const KEY_UNITS = 2;
const KEY_BITS = 32;
const DIGIT_BITS = 8;
const DIGITS = 1 << DIGIT_BITS;
/** Texts looked at or moved between two pauses: about 2 ms. */
const SORTED_AT_ONCE = 16_384;
/** Texts copied between two pauses: about 1 ms. */
const COPIED_AT_ONCE = 262_144;

/** Part of the texts: those that begin with the same code units. */
interface Run {
  readonly from: number;
  readonly to: number;
  /** How many units that is. */
  readonly depth: number;
}

/**
 * Sorts numbers of texts in place by the UTF-8 bytes of the texts, which is the order of code points. Radix sort
 * by two code units, the least significant digit first, then by the next two of those that are equal so far.
 * Yields every few milliseconds.
 */
export function* sortByText(lexicon: Lexicon, numbers: Uint32Array): Generator<void, void> {
  const keys = new Uint32Array(numbers.length);
  const moved = { numbers: new Uint32Array(numbers.length), keys: new Uint32Array(numbers.length) };
  const runs: Run[] = [{ from: 0, to: numbers.length, depth: 0 }];
  let done = 0;
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const { from, to, depth } = run;
    if (to - from <= SHORT_RUN) insert(lexicon, numbers, run);
    else {
      for (let at = from; at < to; at++) {
        keys[at] = keyOf(lexicon, numbers[at]!, depth);
        if (at % SORTED_AT_ONCE === 0) yield;
      }
      yield* sortByKey({ numbers, keys }, moved, run);
      for (let start = from, at = from + 1; at <= to; at++) {
        if (at % SORTED_AT_ONCE === 0) yield;
        if (at < to && keys[at] === keys[start]) continue;
        if (at - start > 1) runs.push({ from: start, to: at, depth: depth + KEY_UNITS });
        start = at;
      }
    }
    done += to - from;
    if (done < SORTED_AT_ONCE) continue;
    done = 0;
    yield;
  }
  for (const working of [keys, moved.numbers, moved.keys]) resized(working, 0);
}

/** Orders by UTF-8 bytes. */
function compareTexts(lexicon: Lexicon, [one, other]: [number, number], depth: number): number {
  for (let place = depth; ; place++) {
    const unit = lexicon.unitAt(one, place);
    const difference = byteOrderOf(unit) - byteOrderOf(lexicon.unitAt(other, place));
    if (difference !== 0 || unit === 0) return difference;
  }
}

interface Keyed {
  readonly numbers: Uint32Array;
  readonly keys: Uint32Array;
}

function* sortByKey(run: Keyed, moved: Keyed, { from, to }: Run): Generator<void, void> {
  const counts = new Uint32Array(DIGITS);
  for (let shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
    counts.fill(0);
    for (let at = from; at < to; at++) {
      counts[(run.keys[at]! >>> shift) & (DIGITS - 1)]! += 1;
      if (at % SORTED_AT_ONCE === 0) yield;
    }
    if (counts[(run.keys[from]! >>> shift) & (DIGITS - 1)] === to - from) continue;
    let next = from;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = counts[digit]!;
      counts[digit] = next;
      next += count;
    }
    for (let at = from; at < to; at++) {
      const key = run.keys[at]!;
      const place = counts[(key >>> shift) & (DIGITS - 1)]!++;
      moved.keys[place] = key;
      moved.numbers[place] = run.numbers[at]!;
      if (at % SORTED_AT_ONCE === 0) yield;
    }
    for (let start = from; start < to; start += COPIED_AT_ONCE) {
      const end = Math.min(start + COPIED_AT_ONCE, to);
      run.keys.set(moved.keys.subarray(start, end), start);
      run.numbers.set(moved.numbers.subarray(start, end), start);
      yield;
    }
  }
}

function insert(lexicon: Lexicon, numbers: Uint32Array, { from, to, depth }: Run): void {
  for (let at = from + 1; at < to; at++) {
    const number = numbers[at]!;
    let place = at;
    while (place > from && compareTexts(lexicon, [numbers[place - 1]!, number], depth) > 0)
      numbers[place] = numbers[--place]!;
    numbers[place] = number;
  }
}

function keyOf(lexicon: Lexicon, number: number, depth: number): number {
  const upper = byteOrderOf(lexicon.unitAt(number, depth));
  return ((upper << 16) | byteOrderOf(lexicon.unitAt(number, depth + 1))) >>> 0;
}

/**
 * The place of a code unit, of 16 bits, in the order of UTF-8 bytes, which is that of code points. UTF-16
 * order differs: it puts surrogates before U+E000 to U+FFFF.
 */
export function byteOrderOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
