import { ELEMENT, OnnxGraph } from './onnx.ts';
import { dequantize, type QuantizedTensor, zeroPoint } from './tfjs-weights.ts';

const WIDTH = 384;
const LAYER_COUNT = 6;
const HEAD_COUNT = 12;
const HEAD_WIDTH = 32;
/**
 * Maximum tokens that sentence-transformers passes to this model; BERT itself has 512 positions.
 */
const POSITION_COUNT = 256;
const LAYER_NORM_EPSILON = 1e-12;
/** Added to the scores of padding, as in BERT, so that softmax reduces them to 0. */
const PADDING_SCORE = -10_000;

const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert';

type Weights = ReadonlyMap<string, QuantizedTensor>;

/**
 * all-MiniLM-L6-v2 as an ONNX file: token ids and their mask in, one unit vector per text out.
 * The large matrices keep the shipped bytes. Activations are quantized dynamically
 * (DynamicQuantizeLinear, MatMulInteger), which is three times faster than float on a CPU.
 */
export function sentenceEncoder(weights: Weights): Uint8Array {
  const graph = new OnnxGraph();
  const ids = graph.declare('input', {
    name: 'input_ids',
    element: ELEMENT.int64,
    shape: ['batch', 'length'],
  });
  const mask = graph.declare('input', {
    name: 'attention_mask',
    element: ELEMENT.int64,
    shape: ['batch', 'length'],
  });
  const output = graph.declare('output', {
    name: 'embedding',
    element: ELEMENT.float,
    shape: ['batch', WIDTH],
  });
  const encoder = new BertLayers(graph, weights);
  const floatMask = graph.apply('Cast', [mask], { to: ELEMENT.float });
  const maskScores = encoder.maskScores(floatMask);
  let hidden = encoder.embeddings(ids);
  for (let layer = 0; layer < LAYER_COUNT; layer++)
    hidden = encoder.layer(layer, hidden, maskScores);
  graph.name(unitMean(graph, hidden, floatMask), output);
  return graph.encode('all-MiniLM-L6-v2', 'sentence-transformers/all-MiniLM-L6-v2, Apache-2.0');
}

/** The mean of the token vectors without padding, normalized to length 1. */
function unitMean(graph: OnnxGraph, hidden: string, floatMask: string): string {
  const column = graph.apply('Unsqueeze', [floatMask, graph.integers([2])]);
  const tokens = graph.integers([1]);
  const masked = graph.apply('Mul', [hidden, column]);
  const sum = graph.apply('ReduceSum', [masked, tokens], { keepdims: 0 });
  const count = graph.apply('ReduceSum', [column, tokens], { keepdims: 0 });
  const mean = graph.apply('Div', [sum, graph.apply('Max', [count, graph.scalar(1e-9)])]);
  const length = graph.apply('ReduceL2', [mean], { axes: [1], keepdims: 1 });
  return graph.apply('Div', [mean, graph.apply('Max', [length, graph.scalar(1e-12)])]);
}

class BertLayers {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;

  constructor(graph: OnnxGraph, weights: Weights) {
    this.#graph = graph;
    this.#weights = weights;
  }

  /** The normalized sum of word, position and the single token type. */
  embeddings(ids: string): string {
    const graph = this.#graph;
    const words = this.#weight('unknown');
    const table = graph.constant(ELEMENT.uint8, words.shape, words.data);
    const picked = graph.apply('DequantizeLinear', [
      graph.apply('Gather', [table, ids], { axis: 0 }),
      graph.scalar(words.scale),
      this.#zeroPoint(words),
    ]);
    const length = graph.apply('Shape', [ids], { start: 1, end: 2 });
    const first = graph.integers([0]);
    const positions = graph.apply('Slice', [this.#positions(), first, length, first]);
    return this.#layerNorm(`${BERT}/embeddings/LayerNorm`, graph.apply('Add', [picked, positions]));
  }

  maskScores(floatMask: string): string {
    const graph = this.#graph;
    const padding = graph.apply('Sub', [graph.scalar(1), floatMask]);
    const scores = graph.apply('Mul', [padding, graph.scalar(PADDING_SCORE)]);
    return graph.apply('Unsqueeze', [scores, graph.integers([1, 2])]);
  }

  layer(index: number, input: string, maskScores: string): string {
    const graph = this.#graph;
    const path = `${BERT}/encoder/layer_._${index}`;
    const attended = this.#attention(`${path}/attention`, input, maskScores);
    const first = this.#layerNorm(
      `${path}/attention/output/LayerNorm`,
      graph.apply('Add', [attended, input]),
    );
    const inner = this.#gelu(this.#dense(`${path}/intermediate/dense`, this.#quantize(first)));
    const outer = this.#dense(`${path}/output/dense`, this.#quantize(inner));
    return this.#layerNorm(`${path}/output/LayerNorm`, graph.apply('Add', [outer, first]));
  }

  #attention(path: string, input: string, maskScores: string): string {
    const graph = this.#graph;
    const quantized = this.#quantize(input);
    const query = this.#heads(this.#dense(`${path}/self/query`, quantized), [0, 2, 1, 3]);
    const key = this.#heads(this.#dense(`${path}/self/key`, quantized), [0, 2, 3, 1]);
    const value = this.#heads(this.#dense(`${path}/self/value`, quantized), [0, 2, 1, 3]);
    const products = graph.apply('MatMul', [query, key]);
    const scaled = graph.apply('Mul', [products, graph.scalar(1 / Math.sqrt(HEAD_WIDTH))]);
    const shares = graph.apply('Softmax', [graph.apply('Add', [scaled, maskScores])], { axis: -1 });
    const mixed = graph.apply('Transpose', [graph.apply('MatMul', [shares, value])], {
      perm: [0, 2, 1, 3],
    });
    const joined = graph.apply('Reshape', [mixed, graph.integers([0, 0, WIDTH])]);
    return this.#dense(`${path}/output/dense`, this.#quantize(joined));
  }

  #heads(input: string, perm: readonly number[]): string {
    const shape = this.#graph.integers([0, 0, HEAD_COUNT, HEAD_WIDTH]);
    return this.#graph.apply('Transpose', [this.#graph.apply('Reshape', [input, shape])], { perm });
  }

  #quantize(input: string): Quantized {
    const [data, scale, zero] = this.#graph.applyMany('DynamicQuantizeLinear', [input], {
      resultCount: 3,
    });
    return { data: data!, scale: scale!, zero: zero! };
  }

  #dense(path: string, input: Quantized): string {
    const graph = this.#graph;
    const matrix = this.#weight(`${path}/Tensordot/ReadVariableOp`);
    const bias = dequantize(this.#weight(`${path}/BiasAdd/ReadVariableOp`));
    const sums = graph.apply('MatMulInteger', [
      input.data,
      graph.constant(ELEMENT.uint8, matrix.shape, matrix.data),
      input.zero,
      this.#zeroPoint(matrix),
    ]);
    const scale = graph.apply('Mul', [input.scale, graph.scalar(matrix.scale)]);
    const floats = graph.apply('Cast', [sums], { to: ELEMENT.float });
    return graph.apply('Add', [graph.apply('Mul', [floats, scale]), graph.floats(bias)]);
  }

  /** GELU with the error function, as BERT was trained. */
  #gelu(input: string): string {
    const graph = this.#graph;
    const scaled = graph.apply('Div', [input, graph.scalar(Math.SQRT2)]);
    const share = graph.apply('Add', [graph.apply('Erf', [scaled]), graph.scalar(1)]);
    return graph.apply('Mul', [graph.apply('Mul', [input, share]), graph.scalar(0.5)]);
  }

  #layerNorm(path: string, input: string): string {
    const gamma = dequantize(this.#weight(`${path}/batchnorm/mul/ReadVariableOp`));
    const beta = dequantize(this.#weight(`${path}/batchnorm/ReadVariableOp`));
    const inputs = [input, this.#graph.floats(gamma), this.#graph.floats(beta)];
    const attributes = { axis: -1, epsilon: { float: LAYER_NORM_EPSILON } };
    return this.#graph.apply('LayerNormalization', inputs, attributes);
  }

  /** Position vectors with the vector of token type 0 already added. */
  #positions(): string {
    const positions = dequantize(this.#weight('unknown_0')).subarray(0, POSITION_COUNT * WIDTH);
    const type = dequantize(this.#weight('unknown_1'));
    const sums = positions.map((value, i) => value + type[i % WIDTH]!);
    return this.#graph.floats(sums, [POSITION_COUNT, WIDTH]);
  }

  #zeroPoint(tensor: QuantizedTensor): string {
    return this.#graph.constant(ELEMENT.uint8, [], Uint8Array.of(zeroPoint(tensor)));
  }

  #weight(name: string): QuantizedTensor {
    const tensor = this.#weights.get(name);
    if (tensor === undefined) throw new Error(`the shipped model has no tensor ${name}`);
    return tensor;
  }
}

interface Quantized {
  readonly data: string;
  readonly scale: string;
  readonly zero: string;
}
