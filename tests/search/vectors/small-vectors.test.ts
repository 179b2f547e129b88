import { expect, test } from 'bun:test';
import { Packing, Unpacking } from '../../../src/search/index/packing.ts';
import { SLOTS, SMALL_ROWS_MAX } from '../../../src/search/vectors/small-vectors.ts';
import { VectorKernel } from '../../../src/search/vectors/vector-kernel.ts';
import { quantiseVector8, type Vector8 } from '../../../src/search/vectors/vector8.ts';
import { finish, pseudoRandom } from '../../support/indexed-database.ts';

const DIMENSIONS = 24;
const EVERYTHING = { key: '', hides: null, allows: () => true };
const random = pseudoRandom(5);

function randomVector(dimensions = DIMENSIONS): Vector8 {
  return quantiseVector8(Float32Array.from({ length: dimensions }, () => random() - 0.5));
}

function kernelOf(vectors: readonly Vector8[]): VectorKernel {
  const kernel = new VectorKernel(vectors[0]!.bytes.length);
  for (const vector of vectors) kernel.append(vector);
  finish(kernel.seal());
  return kernel;
}

/** The number of the row that a search finds nearest. */
function nearest(kernel: VectorKernel, question: Vector8): number {
  kernel.ask(question);
  kernel.narrow(EVERYTHING);
  const count = kernel.search(1);
  let best = 0;
  for (let place = 1; place < count; place++)
    if (kernel.cosine(place) > kernel.cosine(best)) best = place;
  return kernel.list[best]!;
}

/** The number of WebAssembly memories that are made meanwhile. */
function countMemories(work: () => void): number {
  const { Memory } = WebAssembly;
  let count = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      count += 1;
    }
  };
  try {
    work();
  } finally {
    WebAssembly.Memory = Memory;
  }
  return count;
}

const rowsOf = (count: number, dimensions?: number) =>
  Array.from({ length: count }, () => randomVector(dimensions));

test('small catalogues share one memory, and each finds its own vectors when they are asked in turn', () => {
  const catalogues = Array.from({ length: 3 * SLOTS }, () => rowsOf(5));
  const made = countMemories(() => {
    const kernels = catalogues.map(kernelOf);
    for (let row = 0; row < 5; row++)
      for (const [at, kernel] of kernels.entries())
        expect(nearest(kernel, catalogues[at]![row]!)).toBe(row);
  });
  expect(made).toBeLessThanOrEqual(1);
});

test('a vector that is replaced is found, and no longer the former one', () => {
  const vectors = rowsOf(4);
  const kernel = kernelOf(vectors);
  expect(nearest(kernel, vectors[2]!)).toBe(2);
  const other = randomVector();
  kernel.replace(1, other);
  expect(nearest(kernel, other)).toBe(1);
  kernel.ask(vectors[1]!);
  kernel.measure([1]);
  expect(kernel.cosine(0)).toBeLessThan(0.99);
});

test.each([
  [SMALL_ROWS_MAX, DIMENSIONS, 0],
  [SMALL_ROWS_MAX + 1, DIMENSIONS, 1],
  [132, 3968, 0],
  [133, 3968, 1],
])(
  '%d vectors of %d dimensions have %d memories of their own, and all are found',
  (count, dimensions, own) => {
    // The shared memory is there.
    nearest(kernelOf(rowsOf(2)), randomVector());
    const vectors = rowsOf(count, dimensions);
    let kernel = kernelOf(rowsOf(1));
    expect(
      countMemories(() => {
        kernel = kernelOf(vectors);
      }),
    ).toBe(own);
    for (const row of [0, 1, count - 2, count - 1])
      expect(nearest(kernel, vectors[row]!)).toBe(row);
    kernel.ask(vectors[7]!);
    kernel.measure([7]);
    expect(kernel.cosine(0)).toBeCloseTo(1, 4);
  },
);

test('what a small catalogue takes is the room of its vectors', () => {
  const kernel = kernelOf(rowsOf(500, 384));
  expect(kernel.byteSize).toBeGreaterThanOrEqual(500 * 384);
  expect(kernel.byteSize).toBeLessThan(500 * 384 * 1.2);
});

test.each([SMALL_ROWS_MAX, SMALL_ROWS_MAX + 1])(
  '%d vectors are the same after they were packed',
  (count) => {
    const vectors = rowsOf(count);
    const packing = new Packing();
    kernelOf(vectors).pack(packing);
    const arrays = packing.arrays.map(
      (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    const copies = arrays.map((bytes) => bytes.slice().buffer);
    const kernel = finish(VectorKernel.unpack(new Unpacking(copies)));
    for (const row of [0, 1, count - 1]) expect(nearest(kernel, vectors[row]!)).toBe(row);
  },
);
