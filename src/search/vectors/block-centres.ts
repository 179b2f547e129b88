import type { VectorBlocks } from './vector-blocks.ts';
import { BLOCK } from './vector-masks.ts';
import type { OrderableRows } from './vector-order.ts';
import { meanDirection, quantiseVector8, type Vector8, valuesOf } from './vector8.ts';

/** The sample of blocks and of questions from which the spread of cosines in a block is measured. */
const SAMPLED_BLOCKS = 128;
const SAMPLED_QUESTIONS = 8;

/**
 * Gives each block its centre, the mean direction of its vectors, and `write`s it. Returns the mean of
 * all centres. Yields every few milliseconds.
 */
export function* setCentres(
  blocks: VectorBlocks,
  of: OrderableRows,
  write: (block: number, centre: Vector8) => void,
): Generator<void, Float64Array> {
  const { dimensions } = of;
  const mean = new Float64Array(dimensions);
  for (let block = 0; block < blocks.count; block++) {
    const directions = Array.from(rowsOf(blocks, block), (row) => of.vectorOf(row));
    const centre = meanDirection(directions) ?? new Float32Array(dimensions);
    for (let at = 0; at < mean.length; at++) mean[at]! += centre[at]! / blocks.count;
    const quantised = quantiseVector8(centre);
    write(block, quantised);
    blocks.setCentre(block, quantised);
    if (block % 8 === 7) yield;
  }
  blocks.setSpreads(yield* measureSpread(blocks, of));
  return mean;
}

/**
 * The variance of the cosines of a block's vectors to a question, as a share of their variance in all
 * dimensions. Vectors of the catalogue stand for questions, along which it is a fifth less (188 judged
 * questions of two catalogues, MiniLM).
 */
function* measureSpread(blocks: VectorBlocks, of: OrderableRows): Generator<void, number> {
  const { rows, count } = blocks;
  const cosines = new Float64Array(BLOCK);
  let along = 0;
  let inAll = 0;
  for (let at = 0; at < SAMPLED_BLOCKS && count > 0; at++) {
    const block = Math.floor((at * count) / SAMPLED_BLOCKS);
    for (let asked = 0; asked < SAMPLED_QUESTIONS; asked++) {
      const place = (at + (asked + 0.5) * SAMPLED_BLOCKS) / (SAMPLED_BLOCKS * SAMPLED_QUESTIONS);
      const row = rows[Math.floor(place * count * BLOCK) % (count * BLOCK)]!;
      of.project(valuesOf(of.vectorOf(row)), rowsOf(blocks, block), cosines);
      along += varianceOf(cosines);
      inAll += blocks.scatter(block);
    }
    yield;
  }
  return inAll > 0 ? along / inAll : 0;
}

function rowsOf({ rows }: VectorBlocks, block: number): Uint32Array {
  return rows.subarray(block * BLOCK, (block + 1) * BLOCK);
}

function varianceOf(values: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return squares / values.length - (sum / values.length) ** 2;
}
