import byteRanges from './byte-ranges.json' with { type: 'json' };
import { ELEMENT, type OnnxGraph } from './onnx.ts';
import type { Product } from './sentence-encoder.ts';
import { signedColumns } from './signed-columns.ts';

/** Which values of a factor the 256 bytes stand for. */
export interface ByteRange {
  /** At most 0. Values beyond `least` and `most` are cut off. */
  readonly least: number;
  readonly most: number;
  /** Columns that are divided before, and by what. */
  readonly divided: readonly number[];
  readonly divisors: readonly number[];
}

/** By layer and factor. */
export type ByteRanges = readonly Readonly<Record<Product['factor'], ByteRange>>[];

/** Made by `scripts/fit-byte-ranges.ts`. */
const RANGES: ByteRanges = byteRanges;

/**
 * A product of bytes: unsigned activations by signed weights, which processors with VNNI multiply in one
 * instruction.
 *
 * The range of activations is fixed, so that a text's vector does not depend on the texts beside it. A
 * few columns have values many times larger than the others, most of all for [CLS]: they are divided
 * and their rows of the matrix multiplied by the same number, which makes a step of the bytes up to
 * seven times smaller (SmoothQuant, Xiao et al. 2023).
 */
export function byteProduct(graph: OnnxGraph, input: string, product: Product): string {
  const { matrices, biases, layer, factor } = product;
  const { least, most, divided, divisors } = RANGES[layer]![factor];
  const factors = Array<number>(matrices[0]!.shape[0]!).fill(1);
  for (const [place, column] of divided.entries()) factors[column] = divisors[place]!;
  const { shape, bytes, scales, zeros } = signedColumns(matrices, factors);
  const step = (most - least) / 255;
  const scale = graph.scalar(step);
  const zero = graph.constant(ELEMENT.uint8, [], Uint8Array.of(Math.round(-least / step)));
  const even =
    divided.length === 0
      ? input
      : graph.apply('Mul', [input, graph.floats(factors.map((by) => 1 / by))]);
  return graph.applyFused('MatMulIntegerToFloat', [
    graph.apply('QuantizeLinear', [even, scale, zero]),
    graph.constant(ELEMENT.int8, shape, new Uint8Array(bytes.buffer)),
    scale,
    graph.floats(scales),
    zero,
    graph.constant(ELEMENT.int8, [zeros.length], new Uint8Array(zeros.buffer)),
    graph.floats(biases),
  ]);
}
