export type Backend = 'native' | 'wasm';

/** Runs the model on one text at a time. */
export interface Session {
  readonly backend: Backend;
  /** Returns the unit vector of one text, given as word-piece ids. */
  run(ids: readonly number[]): Promise<Float32Array>;
}
