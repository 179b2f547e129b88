/**
 * The few protobuf wire types that an ONNX file uses. A message is the concatenation of its
 * fields, so everything here returns bytes and nesting is `message(field, [...])`.
 */

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** An integer field; negative numbers take ten bytes, as int64 does. */
export function integer(field: number, value: number | bigint): Uint8Array {
  return concatenate([varint((field << 3) | VARINT), varint(value)]);
}

export function float(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return concatenate([varint((field << 3) | FIXED_32), bytes]);
}

export function string(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

export function bytes(field: number, value: Uint8Array): Uint8Array {
  return concatenate([varint((field << 3) | LENGTH_DELIMITED), varint(value.length), value]);
}

export function message(field: number, fields: readonly Uint8Array[]): Uint8Array {
  return bytes(field, concatenate(fields));
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const encoded: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    encoded.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(encoded);
}
