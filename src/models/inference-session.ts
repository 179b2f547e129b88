export type Backend = 'native' | 'wasm';

/** Runs the model on one text at a time. */
export interface Session {
  readonly backend: Backend;
  /** The unit vector of one text, given as ids of word pieces. */
  run(ids: readonly number[]): Promise<Float32Array>;
}
