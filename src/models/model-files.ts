import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * The paths of the built-in model and its runtime. When running from source, these are build/model/ and
 * node_modules.
 *
 * A compiled binary has neither. For each target, its build replaces this module with one whose
 * `modelFiles()` returns the paths of files embedded with `import … from '…' with { type: 'file' }`
 * (native files as `kind: 'packed'`), and adds local-embedder-worker.ts as a second entry point.
 * Everything here is plain data, because it is sent to the worker.
 */

/** A file inside the binary that must be unpacked before the system's loader can open it. */
export interface PackedFile {
  /** The name that it must have on disk, because other files refer to it. */
  readonly name: string;
  /** Path of the packed content; inside a binary, only that binary can read it. */
  readonly path: string;
  /** SHA-256 of the unpacked content, in hexadecimal. */
  readonly sha256: string;
  /** Whether the content is compressed with zstd. */
  readonly compressed: boolean;
}

export interface ModelFiles {
  readonly model: string;
  /** One word piece per line. */
  readonly vocabulary: string;
  /** The argument of `new Worker` for `local-embedder-worker.ts`. */
  readonly worker: string;
  /** onnxruntime's native addon; null on platforms without one (musl, macOS on Intel). */
  readonly native: NativeFiles | null;
  /** onnxruntime in WebAssembly, used if the addon is missing or does not load. */
  readonly wasm: WasmFiles | null;
}

export type NativeFiles =
  | { readonly kind: 'in place'; readonly addon: string }
  /** The addon, and the library that it loads from its own folder. */
  | { readonly kind: 'packed'; readonly addon: PackedFile; readonly library: PackedFile };

export interface WasmFiles {
  /** `ort-wasm-simd-threaded.mjs`, which starts the threads. */
  readonly module: string;
  /** `ort-wasm-simd-threaded.wasm`. */
  readonly binary: string;
}

/** Null if the model was not built; then there is no local embedder. */
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
