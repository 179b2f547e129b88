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
/** Texts are encoded one at a time, so none is padded. */
const NO_MASK = '';
const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert';

type Weights = ReadonlyMap<string, QuantizedTensor>;

/**
 * all-MiniLM-L6-v2 as an ONNX file: the token ids of one text in, its unit vector out.
 *
 * The large matrices keep the shipped bytes, moved from 0…255 to -128…127: processors multiply
 * unsigned activations by signed weights in one instruction. Activations are quantized dynamically,
 * over the whole input, so texts must not share a batch: each would depend on the others. The fused
 * operators of onnxruntime give the same bits as ONNX's own ones and take half the time.
 */
export function sentenceEncoder(weights: Weights): Uint8Array {
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
  const encoder = new BertLayers(graph, weights);
  let hidden = encoder.embeddings(ids);
  for (let layer = 0; layer < LAYER_COUNT; layer++) hidden = encoder.layer(layer, hidden);
  graph.name(unitMean(graph, hidden), output);
  return graph.encode('all-MiniLM-L6-v2', 'sentence-transformers/all-MiniLM-L6-v2, Apache-2.0');
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
      graph.constant(ELEMENT.uint8, [], Uint8Array.of(zeroPoint(words))),
    ]);
    const length = graph.apply('Shape', [ids], { start: 1, end: 2 });
    const first = graph.integers([0]);
    const positions = graph.apply('Slice', [this.#positions(), first, length, first]);
    const sum = graph.apply('Add', [picked, positions]);
    const norm = this.#layerNorm(`${BERT}/embeddings/LayerNorm`);
    return graph.apply('LayerNormalization', [sum, ...norm], { axis: -1, ...EPSILON });
  }

  layer(index: number, input: string): string {
    const graph = this.#graph;
    const path = `${BERT}/encoder/layer_._${index}`;
    const attended = this.#dense(
      `${path}/attention/output/dense`,
      this.#attention(`${path}/attention/self`, input),
    );
    const first = this.#addNormalized(attended, input, `${path}/attention/output/LayerNorm`);
    const inner = this.#dense(`${path}/intermediate/dense`, first);
    const outer = this.#dense(`${path}/output/dense`, graph.applyFused('Gelu', [inner]));
    return this.#addNormalized(outer, first, `${path}/output/LayerNorm`);
  }

  /** Multi-head attention; query, key and value side by side in one matrix. */
  #attention(path: string, input: string): string {
    const graph = this.#graph;
    const parts = ['query', 'key', 'value'].map((name) => `${path}/${name}`);
    const matrices = parts.map((part) => this.#weight(`${part}/Tensordot/ReadVariableOp`));
    const [data, scale, zero] = graph.applyMany('DynamicQuantizeLinear', [input], {
      resultCount: 3,
    });
    const columnScales = matrices.flatMap((matrix) => Array<number>(WIDTH).fill(matrix.scale));
    const zeros = matrices.flatMap((matrix) => Array<number>(WIDTH).fill(signedZero(matrix)));
    return graph.applyFused(
      'QAttention',
      [
        data!,
        graph.constant(ELEMENT.int8, [WIDTH, 3 * WIDTH], sideBySide(matrices)),
        graph.floats(parts.flatMap((part) => [...this.#bias(part)])),
        scale!,
        graph.floats(columnScales),
        NO_MASK,
        zero!,
        graph.constant(ELEMENT.int8, [3 * WIDTH], Uint8Array.from(zeros)),
      ],
      { num_heads: HEAD_COUNT },
    );
  }

  #dense(path: string, input: string): string {
    const graph = this.#graph;
    const matrix = this.#weight(`${path}/Tensordot/ReadVariableOp`);
    return graph.applyFused('DynamicQuantizeMatMul', [
      input,
      graph.constant(ELEMENT.int8, matrix.shape, signed(matrix.data)),
      graph.scalar(matrix.scale),
      graph.constant(ELEMENT.int8, [], Uint8Array.of(signedZero(matrix))),
      graph.floats(this.#bias(path)),
    ]);
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

/** Bytes of 0…255 as bytes of -128…127. */
function signed(data: Uint8Array): Uint8Array {
  return data.map((byte) => byte ^ 0x80);
}

function signedZero(tensor: QuantizedTensor): number {
  return zeroPoint(tensor) ^ 0x80;
}

/** The signed columns of square matrices, one matrix after the other. */
function sideBySide(matrices: readonly QuantizedTensor[]): Uint8Array {
  const joined = new Uint8Array(WIDTH * WIDTH * matrices.length);
  for (const [place, { data }] of matrices.entries()) {
    for (let row = 0; row < WIDTH; row++) {
      const cells = signed(data.subarray(row * WIDTH, (row + 1) * WIDTH));
      joined.set(cells, (row * matrices.length + place) * WIDTH);
    }
  }
  return joined;
}
