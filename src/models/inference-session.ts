export type Backend = 'native' | 'wasm';

/** A model file, and the files beside it that hold its weights if it is larger than 2 GB. */
export interface OnnxFile {
  readonly path: string;
  readonly externalData: readonly string[];
}

export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** An output as the model declares it. */
export interface Output {
  readonly name: string;
  /** Number of dimensions. */
  readonly rank: number;
}

/** A loaded model. */
export interface Session {
  readonly backend: Backend;
  readonly inputs: readonly string[];
  readonly outputs: readonly Output[];
  /** Runs the model on one text. Each input is a row of integers, all of one length. */
  run(inputs: Readonly<Record<string, readonly number[]>>, output: string): Promise<Tensor>;
}
