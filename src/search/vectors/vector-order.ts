import { type Vector8, valuesOf } from './vector8.ts';

/** Rows with a vector each, as an order needs them. */
export interface OrderableRows {
  readonly dimensions: number;
  vectorOf(row: number): Vector8;
  /** Writes to `out` numbers that grow with the dot products of the rows and a direction. */
  project(direction: Float32Array, rows: Uint32Array, out: Float64Array): void;
}

/** Rows sorted, projected and moved between two pauses: about 1 ms. */
const SORTED_AT_ONCE = 8192;
const PROJECTED_AT_ONCE = 4096;
const PARTED_AT_ONCE = 65_536;
/** Projections are sorted with this accuracy. */
const PROJECTION_STEPS = 2 ** 32;

/** The sample from which the direction of a split is found, by the rows to split. */
const SAMPLED_SHARE = 1 / 4;
const SAMPLED_MIN = 32;
const SAMPLED_MAX = 256;
const ROUNDS = 4;

/** Projections from which the middle of many rows is estimated. */
const MIDDLE_SAMPLE = 1024;

/**
 * Orders rows so that rows near each other in the order have near vectors: halves them along the
 * line between the means of two clusters in a sample, then each half again, down to runs of
 * `runLength`. Orders `rows` in place. Yields every few milliseconds.
 */
export function* orderByNearness(
  of: OrderableRows,
  rows: Uint32Array,
  runLength: number,
): Generator<void, void> {
  const projections = new Float64Array(rows.length);
  const parts: [from: number, to: number][] = [[0, rows.length]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [from, to] = part;
    if (to - from <= runLength) continue;
    const own = rows.subarray(from, to);
    const direction = splitDirection(of, own);
    yield;
    const projected = projections.subarray(from, to);
    for (let at = 0; at < own.length; at += PROJECTED_AT_ONCE) {
      const end = Math.min(at + PROJECTED_AT_ONCE, own.length);
      of.project(direction, own.subarray(at, end), projected.subarray(at, end));
      yield;
    }
    const half =
      own.length > SORTED_AT_ONCE
        ? yield* partHalves(own, projected)
        : sortHalves(own, projected, { offset: from, runLength });
    if (half === 0 || half === own.length) continue;
    parts.push([from, from + half], [from + half, to]);
    yield;
  }
}

/**
 * Sorts rows by projection. Returns how many are in the first half, which ends where a run does if
 * the rows begin at `offset` in all.
 */
function sortHalves(
  rows: Uint32Array,
  projections: Float64Array,
  { offset, runLength }: { offset: number; runLength: number },
): number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of projections) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const scale = greatest > least ? PROJECTION_STEPS / (greatest - least) : 0;
  // Projection and place in one sort key, an exact integer.
  const keys = projections.map(
    (value, place) => Math.floor((value - least) * scale) * SORTED_AT_ONCE + place,
  );
  const sorted = Uint32Array.from(keys.sort(), (key) => rows[key % SORTED_AT_ONCE]!);
  rows.set(sorted);
  const half = Math.round((offset + rows.length / 2) / runLength) * runLength - offset;
  return half > 0 && half < rows.length ? half : rows.length >> 1;
}

/** As `sortHalves` for more rows than one sort takes: halves them about, and sorts neither half. */
function* partHalves(rows: Uint32Array, projections: Float64Array): Generator<void, number> {
  const sample = Float64Array.from(
    { length: MIDDLE_SAMPLE },
    (_, at) => projections[Math.floor((at * rows.length) / MIDDLE_SAMPLE)]!,
  ).sort();
  const middle = sample[MIDDLE_SAMPLE / 2]!;
  const above = new Uint32Array(rows.length);
  let below = 0;
  let aboveCount = 0;
  for (let at = 0; at < rows.length; at++) {
    if (projections[at]! < middle) rows[below++] = rows[at]!;
    else above[aboveCount++] = rows[at]!;
    if (at % PARTED_AT_ONCE === PARTED_AT_ONCE - 1) yield;
  }
  rows.set(above.subarray(0, aboveCount), below);
  return below;
}

/** The difference of the means of two clusters in a sample of the rows. */
function splitDirection(of: OrderableRows, rows: Uint32Array): Float32Array {
  const count = Math.ceil(
    Math.min(SAMPLED_MAX, Math.max(SAMPLED_MIN, rows.length * SAMPLED_SHARE), rows.length),
  );
  const sample = Array.from({ length: count }, (_, at) =>
    valuesOf(of.vectorOf(rows[Math.floor((at * rows.length) / count)]!)),
  );
  const [first] = sample as [Float32Array];
  let direction = differenceOf(first, farthestFrom(first, sample));
  for (let round = 0; round < ROUNDS; round++) {
    const sums = [new Float32Array(first.length), new Float32Array(first.length)] as const;
    const projections = sample.map((values) => dot(direction, values));
    const middle = projections.toSorted((left, right) => left - right)[count >> 1]!;
    for (const [at, values] of sample.entries()) {
      const sum = sums[projections[at]! >= middle ? 0 : 1];
      for (let index = 0; index < sum.length; index++) sum[index]! += values[index]!;
    }
    direction = differenceOf(...sums);
  }
  return direction;
}

function farthestFrom(values: Float32Array, sample: readonly Float32Array[]): Float32Array {
  let farthest = values;
  let least = Number.POSITIVE_INFINITY;
  for (const other of sample) {
    const product = dot(values, other);
    if (product < least) [farthest, least] = [other, product];
  }
  return farthest;
}

function differenceOf(left: Float32Array, right: Float32Array): Float32Array {
  return left.map((value, at) => value - right[at]!);
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
  return sum;
}
