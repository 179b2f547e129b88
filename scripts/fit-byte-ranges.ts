#!/usr/bin/env bun
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleFiles } from '../src/assets/sample-files.ts';
import { openSession } from '../src/models/inference.ts';
import { modelFiles } from '../src/models/model-files.ts';
import { wordPieceTokenizer } from '../src/models/word-piece.ts';
import type { ByteRange } from './model/byte-product.ts';
import { ELEMENT, type OnnxGraph } from './model/onnx.ts';
import { FACTORS, type Product, sentenceEncoder } from './model/sentence-encoder.ts';
import { shippedWeights } from './model/shipped-model.ts';
import { dequantize } from './model/tfjs-weights.ts';

/*
 * Measures which values the embedding model multiplies, in floats, on the sample catalogue and the judged
 * shops, and writes the ranges that their bytes get to scripts/model/byte-ranges.json:
 *   bun scripts/fit-byte-ranges.ts && bun run fix
 * Then `bun run model` names the digest of the new model.
 */

/**
 * How many columns may be divided: those that reach further than all others. More of them make the other
 * columns finer, but rows of the matrices coarser. Chosen by the mean cosine with vectors in floats.
 */
const DIVIDED_MAX = { input: 16, attended: 0, normalized: 16, activated: 4 } as const;

/** Word pieces of a text, as for a catalogue. */
const PIECES_MAX = 80;

/** Of the vocabulary’s words, every so many one is in a text without a meaning, which has so many of them. */
const RARE_EVERY = 8;
const RARE_WORDS = 30;

const TARGET = new URL('model/byte-ranges.json', import.meta.url);

/** The values of each column of each product's input. */
interface Extremes {
  readonly factor: Product['factor'];
  readonly least: Float32Array;
  readonly most: Float32Array;
}

const extremes = await measure(texts());
const ranges = extremes.map((measured) => [measured.factor, rangeOf(measured)] as const);
const layers = Array.from({ length: ranges.length / FACTORS.length }, (_, layer) =>
  Object.fromEntries(ranges.slice(layer * FACTORS.length, (layer + 1) * FACTORS.length)),
);
writeFileSync(TARGET, JSON.stringify(layers));

function texts(): string[] {
  const judged = new URL('../tests/relevance/', import.meta.url).pathname;
  const shops = readdirSync(judged, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('offerings.jsonl'))
    .sort()
    .map((path) => readFileSync(join(judged, path), 'utf8'));
  const offerings = [sampleFiles().offerings, ...shops].flatMap((file) => file.trim().split('\n'));
  return offerings.flatMap((line) => {
    const { name, description = '' } = JSON.parse(line);
    return [name, `${name}. ${description}`];
  });
}

/** Texts without a meaning: rare words reach further than those of a catalogue. */
function rareTexts(vocabulary: string): string[] {
  const words = vocabulary.split('\n').filter((piece) => /^\p{L}+$/u.test(piece));
  const some = words.filter((_, place) => place % RARE_EVERY === 0);
  return Array.from({ length: Math.ceil(some.length / RARE_WORDS) }, (_, text) =>
    some.slice(text * RARE_WORDS, (text + 1) * RARE_WORDS).join(' '),
  );
}

async function measure(measuredTexts: readonly string[]): Promise<Extremes[]> {
  const files = modelFiles();
  if (files === null) throw new Error('there is no vocabulary: run "bun run model"');
  const { model, factors } = await probingModel();
  const folder = mkdtempSync(join(tmpdir(), 'byte-ranges-'));
  try {
    const path = join(folder, 'model.onnx');
    writeFileSync(path, model);
    const session = await openSession({ path, externalData: [] }, files, 1);
    const vocabulary = readFileSync(files.vocabulary, 'utf8');
    const tokenizer = wordPieceTokenizer(vocabulary);
    const all: Float32Array[] = [];
    for (const text of [...measuredTexts, ...rareTexts(vocabulary)]) {
      const input_ids = [tokenizer.encode(text, { lengthMax: PIECES_MAX, skipsCodes: false })];
      all.push((await session.run({ input_ids }, 'extremes')).data);
    }
    return split(all, factors);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Probed {
  readonly factor: Product['factor'];
  readonly width: number;
}

/** The model in floats, with the least and the greatest value of each column as a further output. */
async function probingModel(): Promise<{ model: Uint8Array; factors: Probed[] }> {
  const factors: Probed[] = [];
  const found: string[] = [];
  const graph = sentenceEncoder(await shippedWeights(), (inside, input, product) => {
    const { matrices, biases, factor } = product;
    factors.push({ factor, width: matrices[0]!.shape[0]! });
    for (const operator of ['ReduceMin', 'ReduceMax'])
      found.push(inside.apply(operator, [input], { axes: [0, 1], keepdims: 0 }));
    const products = matrices.map((matrix) =>
      inside.apply('MatMul', [input, inside.floats(dequantize(matrix), matrix.shape)]),
    );
    const joined = inside.apply('Concat', products, { axis: 2 });
    return inside.apply('Add', [joined, inside.floats(biases)]);
  });
  declareJoined(graph, found);
  return { model: graph.encode('all-MiniLM-L6-v2', 'in floats'), factors };
}

function declareJoined(graph: OnnxGraph, parts: readonly string[]): void {
  const output = { name: 'extremes', element: ELEMENT.float, shape: ['values'] };
  graph.name(graph.apply('Concat', parts, { axis: 0 }), graph.declare('output', output));
}

/** The extremes of all texts for each product. */
function split(all: readonly Float32Array[], factors: readonly Probed[]): Extremes[] {
  let start = 0;
  const next = (width: number, outermost: (...values: number[]) => number) => {
    const from = start;
    start += width;
    return Float32Array.from({ length: width }, (_, column) =>
      outermost(...all.map((values) => values[from + column]!)),
    );
  };
  return factors.map(({ factor, width }) => {
    const least = next(width, Math.min);
    return { factor, least, most: next(width, Math.max) };
  });
}

/** Divides the columns that reach furthest until they reach no further than the next one. */
function rangeOf({ factor, least, most }: Extremes): ByteRange {
  const reach = Array.from(most, (value, column) => Math.max(value, -least[column]!));
  const furthest = [...reach.keys()].sort((a, b) => reach[b]! - reach[a]!);
  const divided = furthest.slice(0, DIVIDED_MAX[factor]);
  const usual = reach[furthest[divided.length]!]!;
  // Whole numbers keep the matrices' rows exact.
  const divisors = divided.map((column) => Math.ceil(reach[column]! / usual));
  const divisorOf = (column: number) => divisors[divided.indexOf(column)] ?? 1;
  return {
    least: rounded(Math.min(0, ...least.map((value, column) => value / divisorOf(column)))),
    most: rounded(Math.max(...most.map((value, column) => value / divisorOf(column)))),
    divided,
    divisors,
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
