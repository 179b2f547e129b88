import { bytes, concatenate, float, integer, message, string } from './protobuf.ts';

/** Element types of ONNX (`TensorProto.DataType`). */
export const ELEMENT = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;

export type Attribute = number | readonly number[] | { readonly float: number };

const IR_VERSION = 8;
const OPSET = 17;

/** onnxruntime's own operators: several of ONNX in one. */
const RUNTIME_DOMAIN = 'com.microsoft';
const RUNTIME_OPSET = 1;

/**
 * Collects the nodes and constants of an ONNX graph. It generates the names of results, so that a
 * graph reads like nested calls. Field numbers come from onnx.proto3.
 */
export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #constants: Uint8Array[] = [];
  readonly #inputs: Uint8Array[] = [];
  readonly #outputs: Uint8Array[] = [];
  #resultCount = 0;

  /** Declares an input or output. A dimension is a fixed length or, as a string, a variable one. */
  declare(role: 'input' | 'output', value: ValueInfo): string {
    const dimensions = value.shape.map((dimension) =>
      message(1, [typeof dimension === 'string' ? string(2, dimension) : integer(1, dimension)]),
    );
    const tensorType = message(1, [integer(1, value.element), message(2, dimensions)]);
    const declared = concatenate([string(1, value.name), message(2, [tensorType])]);
    (role === 'input' ? this.#inputs : this.#outputs).push(declared);
    return value.name;
  }

  constant(element: number, shape: readonly number[], data: Uint8Array): string {
    const name = `c${this.#constants.length}`;
    const dimensions = shape.map((length) => integer(1, length));
    this.#constants.push(
      concatenate([...dimensions, integer(2, element), string(8, name), bytes(9, data)]),
    );
    return name;
  }

  floats(values: ArrayLike<number>, shape: readonly number[] = [values.length]): string {
    const data = new Uint8Array(values.length * 4);
    const view = new DataView(data.buffer);
    for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i]!, true);
    return this.constant(ELEMENT.float, shape, data);
  }

  scalar(value: number): string {
    return this.floats([value], []);
  }

  integers(values: readonly number[]): string {
    const data = new Uint8Array(values.length * 8);
    const view = new DataView(data.buffer);
    for (const [i, value] of values.entries()) view.setBigInt64(i * 8, BigInt(value), true);
    return this.constant(ELEMENT.int64, [values.length], data);
  }

  /** Adds a node with one result and returns the result's name. An empty input is left out. */
  apply(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
  ): string {
    return this.applyMany(operator, inputs, { resultCount: 1, attributes })[0]!;
  }

  /** As `apply`, with an operator of onnxruntime's own. */
  applyFused(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
  ): string {
    const domain = RUNTIME_DOMAIN;
    return this.applyMany(operator, inputs, { resultCount: 1, attributes, domain })[0]!;
  }

  applyMany(
    operator: string,
    inputs: readonly string[],
    options: { resultCount: number; attributes?: Record<string, Attribute>; domain?: string },
  ): string[] {
    const results = Array.from({ length: options.resultCount }, () => `r${this.#resultCount++}`);
    this.#add(operator, inputs, { ...options, results });
    return results;
  }

  /** Gives a result the name of a declared output. */
  name(result: string, output: string): void {
    this.#add('Identity', [result], { results: [output] });
  }

  /** The whole model file. */
  encode(graphName: string, notice: string): Uint8Array {
    const graph = [
      ...this.#nodes.map((node) => bytes(1, node)),
      string(2, graphName),
      ...this.#constants.map((constant) => bytes(5, constant)),
      string(10, notice),
      ...this.#inputs.map((input) => bytes(11, input)),
      ...this.#outputs.map((output) => bytes(12, output)),
    ];
    return concatenate([
      integer(1, IR_VERSION),
      string(2, 'vitrine'),
      message(7, graph),
      message(8, [integer(2, OPSET)]),
      message(8, [string(1, RUNTIME_DOMAIN), integer(2, RUNTIME_OPSET)]),
    ]);
  }

  #add(
    operator: string,
    inputs: readonly string[],
    {
      results,
      attributes = {},
      domain = '',
    }: {
      readonly results: readonly string[];
      readonly attributes?: Record<string, Attribute>;
      readonly domain?: string;
    },
  ): void {
    this.#nodes.push(
      concatenate([
        ...inputs.map((input) => string(1, input)),
        ...results.map((result) => string(2, result)),
        string(3, results[0]!),
        string(4, operator),
        ...Object.entries(attributes).map(([name, value]) => encodeAttribute(name, value)),
        string(7, domain),
      ]),
    );
  }
}

export interface ValueInfo {
  readonly name: string;
  readonly element: number;
  readonly shape: readonly (number | string)[];
}

function encodeAttribute(name: string, value: Attribute): Uint8Array {
  if (typeof value === 'number') {
    return message(5, [string(1, name), integer(3, value), integer(20, 2)]);
  }
  if ('float' in value) {
    return message(5, [string(1, name), float(2, value.float), integer(20, 1)]);
  }
  return message(5, [string(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)]);
}
