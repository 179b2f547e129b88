type TypedArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/**
 * The numbers of an array in one of another length: further numbers are 0, those beyond it are dropped. Takes
 * the memory of `numbers`, which is empty afterwards. Left to the garbage collector, the outgrown arrays of a
 * large index took more memory than the index.
 */
export function resized<Numbers extends TypedArray>(numbers: Numbers, length: number): Numbers {
  const kind = numbers.constructor as new (buffer: ArrayBuffer) => Numbers;
  const buffer = numbers.buffer as ArrayBuffer;
  return new kind(buffer.transfer(length * numbers.BYTES_PER_ELEMENT));
}
