import { ELEMENT, OnnxGraph } from './onnx.ts';
import { dequantize, type QuantizedTensor, zeroPoint } from './tfjs-weights.ts';

const WIDTH = 384;
const LAYER_COUNT = 6;
const HEAD_COUNT = 12;
/**
 * Maximum tokens that sentence-transformers passes to this model; BERT itself has 512 positions.
 */
const POSITION_COUNT = 256;
const EPSILON = { epsilon: { float: 1e-12 } } as const;
const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert';

export type Weights = ReadonlyMap<string, QuantizedTensor>;

/** What a layer multiplies by matrices: its input, what attention gives, and both sides of the activation. */
export const FACTORS = ['input', 'attended', 'normalized', 'activated'] as const;

/** A multiplication by matrices side by side, to whose columns biases are added. */
export interface Product {
  /** From 0. */
  readonly layer: number;
  readonly factor: (typeof FACTORS)[number];
  readonly matrices: readonly QuantizedTensor[];
  readonly biases: Float32Array;
}

/** Adds a product to a graph and returns the name of its result. */
export type Multiply = (graph: OnnxGraph, input: string, product: Product) => string;

/**
 * all-MiniLM-L6-v2 as an ONNX graph. It takes the token ids of texts of equal length and returns their unit
 * vectors.
 * `multiply` decides on the precision of the large matrices. The fused operators of onnxruntime take
 * half the time of ONNX's own ones.
 */
export function sentenceEncoder(weights: Weights, multiply: Multiply): OnnxGraph {
  const graph = new OnnxGraph();
  const ids = graph.declare('input', {
    name: 'input_ids',
    element: ELEMENT.int64,
    shape: ['batch', 'length'],
  });
  const output = graph.declare('output', {
    name: 'sentence_embedding',
    element: ELEMENT.float,
    shape: ['batch', WIDTH],
  });
  const encoder = new BertLayers({ graph, weights, multiply });
  let hidden = encoder.embeddings(ids);
  for (let layer = 0; layer < LAYER_COUNT; layer++) hidden = encoder.layer(layer, hidden);
  graph.name(unitMean(graph, hidden), output);
  return graph;
}

/** The mean of the token vectors, normalized to length 1. */
function unitMean(graph: OnnxGraph, hidden: string): string {
  const mean = graph.apply('ReduceMean', [hidden], { axes: [1], keepdims: 0 });
  const length = graph.apply('ReduceL2', [mean], { axes: [1], keepdims: 1 });
  return graph.apply('Div', [mean, graph.apply('Max', [length, graph.scalar(1e-12)])]);
}

class BertLayers {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;
  readonly #multiply: Multiply;

  constructor({
    graph,
    weights,
    multiply,
  }: { readonly graph: OnnxGraph; readonly weights: Weights; readonly multiply: Multiply }) {
    this.#graph = graph;
    this.#weights = weights;
    this.#multiply = multiply;
  }

  /** The normalized sum of word, position and the single token type. */
  embeddings(ids: string): string {
    const graph = this.#graph;
    const words = this.#weight('unknown');
    const table = graph.constant(ELEMENT.uint8, words.shape, words.data);
    const picked = graph.apply('DequantizeLinear', [
      graph.apply('Gather', [table, ids], { axis: 0 }),
      graph.scalar(words.scale),
      graph.constant(ELEMENT.uint8, [], Uint8Array.of(zeroPoint(words))),
    ]);
    const length = graph.apply('Shape', [ids], { start: 1, end: 2 });
    const first = graph.integers([0]);
    const positions = graph.apply('Slice', [this.#positions(), first, length, first]);
    const sum = graph.apply('Add', [picked, positions]);
    const norm = this.#layerNorm(`${BERT}/embeddings/LayerNorm`);
    return graph.apply('LayerNormalization', [sum, ...norm], { axis: -1, ...EPSILON });
  }

  layer(layer: number, input: string): string {
    const graph = this.#graph;
    const path = `${BERT}/encoder/layer_._${layer}`;
    const product = (factor: Product['factor'], factorInput: string, paths: readonly string[]) =>
      this.#multiply(graph, factorInput, { layer, factor, ...this.#dense(paths) });
    const own = ['query', 'key', 'value'].map((name) => `${path}/attention/self/${name}`);
    const mixed = this.#attention(product('input', input, own));
    const attended = product('attended', mixed, [`${path}/attention/output/dense`]);
    const first = this.#addNormalized(attended, input, `${path}/attention/output/LayerNorm`);
    const inner = product('normalized', first, [`${path}/intermediate/dense`]);
    const activated = graph.applyFused('Gelu', [inner]);
    const outer = product('activated', activated, [`${path}/output/dense`]);
    return this.#addNormalized(outer, first, `${path}/output/LayerNorm`);
  }

  /** Multi-head attention over query, key and value side by side. */
  #attention(joined: string): string {
    const graph = this.#graph;
    const split = graph.applyMany('Split', [joined, graph.integers([WIDTH, WIDTH, WIDTH])], {
      resultCount: 3,
      attributes: { axis: 2 },
    });
    return graph.applyFused('MultiHeadAttention', split, { num_heads: HEAD_COUNT });
  }

  #dense(paths: readonly string[]): Pick<Product, 'matrices' | 'biases'> {
    return {
      matrices: paths.map((path) => this.#weight(`${path}/Tensordot/ReadVariableOp`)),
      biases: Float32Array.from(paths.flatMap((path) => [...this.#bias(path)])),
    };
  }

  #addNormalized(input: string, skipped: string, path: string): string {
    const inputs = [input, skipped, ...this.#layerNorm(path)];
    return this.#graph.applyFused('SkipLayerNormalization', inputs, EPSILON);
  }

  /** Gamma and beta. */
  #layerNorm(path: string): [string, string] {
    const gamma = dequantize(this.#weight(`${path}/batchnorm/mul/ReadVariableOp`));
    const beta = dequantize(this.#weight(`${path}/batchnorm/ReadVariableOp`));
    return [this.#graph.floats(gamma), this.#graph.floats(beta)];
  }

  /** Position vectors with the vector of token type 0 already added. */
  #positions(): string {
    const positions = dequantize(this.#weight('unknown_0')).subarray(0, POSITION_COUNT * WIDTH);
    const type = dequantize(this.#weight('unknown_1'));
    const sums = positions.map((value, i) => value + type[i % WIDTH]!);
    return this.#graph.floats(sums, [POSITION_COUNT, WIDTH]);
  }

  #bias(path: string): Float32Array {
    return dequantize(this.#weight(`${path}/BiasAdd/ReadVariableOp`));
  }

  #weight(name: string): QuantizedTensor {
    const tensor = this.#weights.get(name);
    if (tensor === undefined) throw new Error(`the shipped model has no tensor ${name}`);
    return tensor;
  }
}
