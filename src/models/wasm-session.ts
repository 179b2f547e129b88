import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Session } from './inference-session.ts';
import type { WasmFiles } from './model-files.ts';

/** onnxruntime in WebAssembly: runs on any system and takes about four times as long as native. */
export async function openWasmSession(
  model: Uint8Array,
  { files, threads }: { files: WasmFiles; threads: number },
): Promise<Session> {
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web');
  env.wasm.numThreads = threads;
  env.wasm.wasmPaths = { mjs: pathToFileURL(files.module).href };
  env.wasm.wasmBinary = new Uint8Array(await readFile(files.binary)).buffer;
  const session = await InferenceSession.create(model, { executionProviders: ['wasm'] });
  return {
    backend: 'wasm',
    run: async (ids) => {
      const shape = [1, ids.length];
      const { embedding } = await session.run({
        input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      });
      return Float32Array.from(embedding!.data as Float32Array);
    },
  };
}
