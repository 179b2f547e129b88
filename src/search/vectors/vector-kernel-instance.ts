import { VECTOR_KERNEL_CODE } from './vector-kernel-code.ts';

/** The exports of the WebAssembly module. Addresses and lengths are bytes in its memory. */
export interface Kernel {
  dots(
    list: number,
    count: number,
    vectors: number,
    query: number,
    stride: number,
    out: number,
  ): number;
  distances(
    bits: number,
    blockBytes: number,
    offsets: number,
    signs: number,
    groups1: number,
    groups2: number,
    groups4: number,
    mask: number,
    out: number,
    blocks: number,
  ): void;
  threshold(
    distances: number,
    count: number,
    step: number,
    wanted: number,
    histogram: number,
    bins: number,
  ): number;
  select(distances: number, blocks: number, limit: number, list: number): number;
}

let compiled: WebAssembly.Module | null = null;

export function instantiateKernel(memory: WebAssembly.Memory): Kernel {
  compiled ??= new WebAssembly.Module(
    Uint8Array.from(atob(VECTOR_KERNEL_CODE), (character) => character.charCodeAt(0)),
  );
  return new WebAssembly.Instance(compiled, { vitrine: { memory } }).exports as unknown as Kernel;
}
