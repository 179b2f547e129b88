import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * Where the embedded model and its runtime are. From source that is build/model/ and node_modules.
 *
 * Seam: a compiled binary has neither. Its build replaces the content of this module, for each
 * target, by one whose `modelFiles()` returns the paths of files embedded with
 * `import … from '…' with { type: 'file' }`, native files as `kind: 'packed'`, and it names
 * local-embedder-worker.ts as a second entry point. Everything here is plain data, because it
 * is sent to the worker.
 */

/** A file that a binary carries, to be unpacked before the system's loader can open it. */
export interface PackedFile {
  /** The name it must have on disk, because a neighbour looks for it under that name. */
  readonly name: string;
  /** Where the carried content is; inside a binary only that binary can read it. */
  readonly path: string;
  /** SHA-256 of the unpacked content, in hexadecimal. */
  readonly sha256: string;
  /** Whether the content is compressed with zstd. */
  readonly compressed: boolean;
}

export interface ModelFiles {
  readonly model: string;
  /** One word piece a line. */
  readonly vocabulary: string;
  /** What `new Worker` takes to start `local-embedder-worker.ts`. */
  readonly worker: string;
  /** onnxruntime's native addon; null where there is none (musl, macOS on Intel). */
  readonly native: NativeFiles | null;
  /** onnxruntime in WebAssembly, used where the addon is missing or does not load. */
  readonly wasm: WasmFiles | null;
}

export type NativeFiles =
  | { readonly kind: 'in place'; readonly addon: string }
  /** The addon, and the library that it finds in its own folder. */
  | { readonly kind: 'packed'; readonly addon: PackedFile; readonly library: PackedFile };

export interface WasmFiles {
  /** `ort-wasm-simd-threaded.mjs`, by which threads start. */
  readonly module: string;
  /** `ort-wasm-simd-threaded.wasm`. */
  readonly binary: string;
}

/** Null when the model was not built: then there is no local embedder. */
export function modelFiles(): ModelFiles | null {
  const model = fileURLToPath(new URL('../../build/model/all-minilm-l6-v2.onnx', import.meta.url));
  if (!existsSync(model)) return null;
  return {
    model,
    vocabulary: fileURLToPath(new URL('../../build/model/vocabulary.txt', import.meta.url)),
    worker: new URL('./local-embedder-worker.ts', import.meta.url).href,
    native: nativeFiles(),
    wasm: {
      module: fileURLToPath(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.mjs')),
      binary: fileURLToPath(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm')),
    },
  };
}

function nativeFiles(): NativeFiles | null {
  const folder = new URL('./bin/napi-v6/', import.meta.resolve('onnxruntime-node/package.json'));
  const name = `${process.platform}/${process.arch}/onnxruntime_binding.node`;
  const addon = fileURLToPath(new URL(name, folder));
  return existsSync(addon) ? { kind: 'in place', addon } : null;
}
