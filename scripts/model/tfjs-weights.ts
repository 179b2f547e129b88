/** One tensor as TF.js ships it: `value = scale × byte + min`. */
export interface QuantizedTensor {
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

interface ManifestEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number };
}

/** The part of TF.js' `model.json` that says which bytes of the weight file are which tensor. */
export interface ModelJson {
  readonly weightsManifest: readonly { readonly weights: readonly ManifestEntry[] }[];
}

/**
 * The quantized tensors of a TF.js model by name. The file contains them in the manifest's order.
 * Throws if the file is longer or shorter than the manifest says.
 */
export function readWeights(model: ModelJson, file: Uint8Array): Map<string, QuantizedTensor> {
  const tensors = new Map<string, QuantizedTensor>();
  let offset = 0;
  for (const entry of model.weightsManifest.flatMap((group) => group.weights)) {
    const count = entry.shape.reduce((product, length) => product * length, 1);
    const byteCount = entry.quantization === undefined ? count * 4 : count;
    if (entry.quantization !== undefined) {
      const { dtype, scale, min } = entry.quantization;
      if (dtype !== 'uint8') throw new Error(`${entry.name} is ${dtype}, not uint8`);
      const data = file.subarray(offset, offset + byteCount);
      tensors.set(entry.name, { shape: entry.shape, data, scale, min });
    }
    offset += byteCount;
  }
  if (offset !== file.length)
    throw new Error(`${file.length} bytes of weights, ${offset} expected`);
  return tensors;
}

/** The tensor's values as floats. */
export function dequantize({ data, scale, min }: QuantizedTensor): Float32Array {
  return Float32Array.from(data, (byte) => byte * scale + min);
}

/** The byte that represents 0. Throws if there is none, because integer arithmetic needs one. */
export function zeroPoint({ scale, min }: QuantizedTensor): number {
  const zero = Math.round(-min / scale);
  if (zero < 0 || zero > 255 || Math.abs(-min / scale - zero) > 0.01) {
    throw new Error(`no byte stands for 0 with scale ${scale} and minimum ${min}`);
  }
  return zero;
}
