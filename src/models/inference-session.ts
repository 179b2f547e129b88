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
  /** Runs the model. Each input has a row of integers for each text, and all rows have one length. */
  run(inputs: Readonly<Record<string, Rows>>, output: string): Promise<Tensor>;
}

export type Rows = readonly (readonly number[])[];

/** Rows of one length as the content of a tensor. */
export function tensorOf(rows: Rows): { data: BigInt64Array; dims: readonly [number, number] } {
  const length = rows[0]!.length;
  const data = new BigInt64Array(rows.length * length);
  for (const [place, row] of rows.entries()) {
    for (let i = 0; i < length; i++) data[place * length + i] = BigInt(row[i]!);
  }
  return { data, dims: [rows.length, length] };
}
