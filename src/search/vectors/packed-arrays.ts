type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** Takes arrays in order, for a file. */
export interface ArrayPacking {
  add(...arrays: readonly Numbers[]): void;
}

/** Gives the arrays back in the same order. */
export interface ArrayUnpacking {
  take<Taken extends Numbers>(kind: new (buffer: ArrayBuffer) => Taken): Taken;
}
