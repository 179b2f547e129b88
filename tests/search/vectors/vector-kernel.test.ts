import { describe, expect, test } from 'bun:test';
import { createClient } from '@libsql/client';
import { assembleKernel } from '../../../scripts/build-kernel.ts';
import { Packing, Unpacking } from '../../../src/search/index/packing.ts';
import { distanceLimit } from '../../../src/search/vectors/distance-limit.ts';
import { VectorBlocks } from '../../../src/search/vectors/vector-blocks.ts';
import { VectorKernel } from '../../../src/search/vectors/vector-kernel.ts';
import { VECTOR_KERNEL_CODE } from '../../../src/search/vectors/vector-kernel-code.ts';
import type { RowFilter } from '../../../src/search/vectors/vector-masks.ts';
import {
  meanDirection,
  quantiseVector8,
  readVector8,
} from '../../../src/search/vectors/vector8.ts';
import { finish, pseudoRandom } from '../../support/indexed-database.ts';

const random = pseudoRandom(3);

function randomVector(dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
}

function cosine(left: Float32Array, right: Float32Array): number {
  let dot = 0;
  let squares = 0;
  let others = 0;
  for (const [at, value] of left.entries()) {
    dot += value * right[at]!;
    squares += value * value;
    others += right[at]! ** 2;
  }
  return dot / Math.sqrt(squares * others);
}

test('the committed kernel is what its text assembles to', async () => {
  expect(VECTOR_KERNEL_CODE).toBe(await assembleKernel());
});

test('vector8: reads and writes the same bytes as libSQL', async () => {
  const client = createClient({ url: ':memory:' });
  for (const dimensions of [1, 3, 4, 5, 6, 100, 384]) {
    for (const vector of [
      randomVector(dimensions),
      new Float32Array(dimensions),
      new Float32Array(dimensions).fill(-2),
    ]) {
      const bytes = new Uint8Array(vector.buffer);
      const { rows } = await client.execute({
        sql: 'SELECT vector8(vector32(?)) AS blob, vector_extract(vector8(vector32(?))) AS text',
        args: [bytes, bytes],
      });
      const blob = new Uint8Array(rows[0]!.blob as ArrayBuffer);
      expect(readVector8(blob, dimensions)).toEqual(quantiseVector8(vector));
      // vector_extract prints six digits.
      const text = JSON.parse(String(rows[0]!.text)) as number[];
      const { bytes: levels, alpha, shift } = readVector8(blob, dimensions)!;
      for (const [at, level] of levels.entries())
        expect(alpha * level + shift).toBeCloseTo(text[at]!, 4);
      expect(readVector8(blob, dimensions + 4)).toBeNull();
      expect(readVector8(blob.with(blob.length - 1, 1), dimensions)).toBeNull();
    }
  }
  client.close();
});

const EVERYTHING = { key: '', hides: null, allows: () => true };

test.each([1, 7, 16, 100, 130, 384, 1536])(
  '%i dimensions: cosines of the decoded bytes, also of rows that were out of scope',
  (dimensions) => {
    const kernel = new VectorKernel(dimensions);
    const vectors = Array.from({ length: 70 }, (_, index) =>
      index % 9 === 4 ? null : randomVector(dimensions),
    );
    for (const vector of vectors) kernel.append(vector === null ? null : quantiseVector8(vector));
    finish(kernel.seal());
    const question = randomVector(dimensions);
    expect(kernel.ask(quantiseVector8(question))).toBe(true);
    expect(kernel.narrow({ key: 'even', hides: null, allows: (index) => index % 2 === 0 })).toBe(
      vectors.filter((vector, index) => vector !== null && index % 2 === 0).length,
    );
    const count = kernel.search(10);
    expect([...kernel.list.subarray(0, count)]).toEqual(
      vectors.flatMap((vector, index) => (vector !== null && index % 2 === 0 ? [index] : [])),
    );
    kernel.measure(vectors.map((_, index) => index));
    const decoded = ({ bytes, alpha, shift }: ReturnType<typeof quantiseVector8>) =>
      Float32Array.from(bytes, (byte) => alpha * byte + shift);
    for (const [index, vector] of vectors.entries()) {
      if (vector === null) expect(kernel.cosine(index)).toBeNaN();
      else
        expect(kernel.cosine(index)).toBeCloseTo(
          cosine(decoded(quantiseVector8(vector)), decoded(quantiseVector8(question))),
          4,
        );
    }
  },
);

describe('two passes', () => {
  const dimensions = 384;
  const size = 12_000;
  const centres = Array.from({ length: 60 }, () => randomVector(dimensions));
  const near = (index: number, draw = random) =>
    quantiseVector8(
      Float32Array.from(centres[index % 60]!, (value) => value + 1.2 * (draw() + draw() - 1)),
    );
  const all = Array.from({ length: size }, (_, index) => index);
  // The last of them get their vectors later.
  const known = size - 40;
  const kernel = new VectorKernel(dimensions);
  for (const index of all) kernel.append(index < known ? near(index) : null);
  finish(kernel.seal());

  /** Drawn apart, so that no other test decides what is asked. */
  const ofQuestions = pseudoRandom(7);
  const questions = Array.from({ length: 10 }, (_, index) => near(index, ofQuestions));

  /** The share of the best 150 by exact cosine in scope that a search brings. */
  function recall(of: VectorKernel, scope: RowFilter): number {
    const inScope = all.filter((index) => scope.allows(index) && of.vectorOf(index) !== null);
    let found = 0;
    for (const question of questions) {
      of.ask(question);
      of.narrow(scope);
      const brought = new Set(of.list.subarray(0, of.search(150)));
      expect(brought.size).toBeLessThan(size / 2);
      of.measure(inScope);
      const cosines = inScope.map((_, place) => of.cosine(place));
      found += [...inScope.keys()]
        .sort((left, right) => cosines[right]! - cosines[left]!)
        .slice(0, 150)
        .filter((place) => brought.has(inScope[place]!)).length;
    }
    return found / 1500;
  }

  const most = { key: 'most', hides: null, allows: (index: number) => index % 7 !== 0 };
  const few = { key: 'few', hides: null, allows: (index: number) => index % 50 === 7 };
  // Every third block of 128, as where only some of a catalogue has vectors yet.
  const apart = { key: 'apart', hides: null, allows: (index: number) => (index >>> 7) % 3 === 1 };
  // A shop that sells things of few kinds, while questions ask for all.
  const alike = { key: 'alike', hides: null, allows: (index: number) => index % 60 < 12 };
  const isFound = (of: VectorKernel, index: number) => {
    of.ask(of.vectorOf(index)!);
    of.narrow(EVERYTHING);
    return of.list.subarray(0, of.search(150)).includes(index);
  };

  test('find nearly all that exact cosines find', () => {
    for (const scope of [EVERYTHING, most, few])
      expect(recall(kernel, scope)).toBeGreaterThan(0.995);
    for (const scope of [apart, alike]) expect(recall(kernel, scope)).toBeGreaterThan(0.99);
  });

  test('do so too when they pass over blocks of vectors ordered by nearness, whenever a vector was set', () => {
    kernel.narrow(most);
    const steps = kernel.order();
    for (let step = 0; steps.next().done !== true; step++) {
      if (step === 9)
        for (let index = known; index < size - 20; index++) kernel.replace(index, near(index));
      // One that has its place in the order already gets another vector, one loses its own.
      if (step === 9) kernel.replace(5, near(31));
      if (step === 9) kernel.replace(8, quantiseVector8(new Float32Array(dimensions)));
    }
    for (let index = size - 20; index < size; index++) kernel.replace(index, near(index));
    kernel.replace(6, near(32));
    const packing = new Packing();
    kernel.pack(packing);
    const copies = packing.arrays.map(({ buffer, byteOffset, byteLength }) =>
      buffer.slice(byteOffset, byteOffset + byteLength),
    ) as ArrayBuffer[];
    const unpacked = finish(VectorKernel.unpack(new Unpacking(copies)));
    for (const of of [kernel, unpacked]) {
      for (const scope of [EVERYTHING, most, few, apart, alike])
        expect(recall(of, scope)).toBeGreaterThan(0.99);
      for (const index of [5, 6, ...all.slice(known)]) expect(isFound(of, index)).toBe(true);
      expect(of.vectorOf(8)).toBeNull();
      expect(of.narrow(EVERYTHING)).toBe(size - 1);
    }
  }, 60_000);
});

test('of blocks in order those are compared that may hold one of the nearest, of others those that hold a vector in scope', () => {
  const blocks = new VectorBlocks(
    Uint32Array.from({ length: 6 * 128 }, (_, slot) => slot),
    5,
  );
  // The vectors of the fourth differ much, those of the others little. Mean cosines: .1, .2, .45, .5, .9.
  for (let block = 0; block < 5; block++)
    blocks.setCentre(block, quantiseVector8(Float32Array.of(block === 3 ? 0.4 : 0.95, 0.01)));
  blocks.setSpreads(0.01);
  expect([blocks.loosen(1), blocks.loosen(1), blocks.loosen(5)]).toEqual([true, false, false]);
  const choose = (inScope: readonly number[], wanted: number) => {
    const chosen = new Uint8Array(6);
    const question = { slope: 2.7, shift: 0, constant: 0 };
    const dots = Int32Array.of(10, 20, 45, 121, 90);
    blocks.choose(question, dots, { inScope: Uint32Array.from(inScope), wanted, chosen });
    return [...chosen];
  };
  expect(choose([128, 128, 128, 128, 128, 1], 100)).toEqual([0, 1, 0, 1, 1, 1]);
  expect(choose([128, 0, 128, 128, 10, 0], 100)).toEqual([0, 0, 1, 1, 1, 0]);
  expect(choose([128, 0, 0, 0, 0, 0], 150)).toEqual([1, 0, 0, 0, 0, 0]);
});

test('the limit of distances holds where a sample misses the scope, or finds more of it than there is', () => {
  // Of 20,000 distances, those of every fourth document are in scope, all but ten of them far away.
  const inScope = Uint16Array.from({ length: 5000 }, (_, index) => (index % 500 === 0 ? 10 : 60));
  const limitIf = (isSampled: boolean | null) => {
    const histogram = new Uint32Array(100);
    const count = (step: number) => {
      histogram.fill(0);
      if (step === 1) for (const distance of inScope) histogram[distance]! += 1;
      else if (isSampled !== false)
        for (const [at, distance] of inScope.entries())
          if (isSampled || at % step === 0) histogram[distance]! += 1;
      const upTo = (limit: number) => histogram.slice(0, limit + 1).reduce((a, b) => a + b, 0);
      const found = histogram.findIndex((_, limit) => upTo(limit) * step >= 10);
      return found < 0 ? histogram.length : found;
    };
    const distances = { slots: 20_000, inScope: inScope.length, wanted: 10, deviation: 5 };
    return distanceLimit({ ...distances, count, histogram });
  };
  expect([true, false, null].map(limitIf)).toEqual([20, 20, 20]);
});

test('the mean vector of rows is the mean of their directions', () => {
  const vectors = [randomVector(20), randomVector(20), randomVector(20)];
  const kernel = new VectorKernel(20);
  for (const vector of [...vectors, null]) kernel.append(vector && quantiseVector8(vector));
  finish(kernel.seal());
  const unit = (vector: Float32Array) => vector.map((value) => value / Math.hypot(...vector));
  const mean = unit(vectors[0]!).map((value, at) => value + unit(vectors[2]!)[at]!);
  const common = meanDirection([kernel.vectorOf(0)!, kernel.vectorOf(2)!])!;
  expect(cosine(common, mean)).toBeGreaterThan(0.9999);
  // A long vector counts no more than a short one.
  const blobs = [quantiseVector8(vectors[0]!), quantiseVector8(vectors[2]!.map((v) => v * 50))];
  expect(cosine(meanDirection(blobs)!, mean)).toBeGreaterThan(0.9999);
  expect(kernel.vectorOf(3)).toBeNull();
});

test('only the direction counts: a zero vector is missing, and a question without a direction is refused', () => {
  const kernel = new VectorKernel(4);
  for (const values of [
    [0, 0, 0, 0],
    [Number.NaN, 1, 1, 1],
    [2, 2, 2, 2],
  ])
    kernel.append(quantiseVector8(Float32Array.from(values)));
  finish(kernel.seal());
  expect(kernel.narrow(EVERYTHING)).toBe(1);
  expect(kernel.ask(quantiseVector8(new Float32Array(4)))).toBe(false);
  expect(kernel.ask(quantiseVector8(Float32Array.of(1, 1, 1, 1)))).toBe(true);
  expect(kernel.search(5)).toBe(1);
  expect(kernel.cosine(0)).toBeCloseTo(1, 5);
});
