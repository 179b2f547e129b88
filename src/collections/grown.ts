type TypedArray =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>;

/** A copy of an array with room for `length` numbers, at least as many as it has; the further ones are 0. */
export function grown<Numbers extends TypedArray>(numbers: Numbers, length: number): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(length);
  copy.set(numbers);
  return copy;
}
