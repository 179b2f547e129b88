import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OnnxFile, type Session, tensorOf } from './inference-session.ts';
import type { WasmFiles } from './model-files.ts';

/** onnxruntime in WebAssembly: runs on any system and takes about four times as long as native. */
export async function openWasmSession(
  model: OnnxFile,
  { files, threads }: { files: WasmFiles; threads: number },
): Promise<Session> {
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web');
  env.wasm.numThreads = threads;
  env.wasm.wasmPaths = { mjs: pathToFileURL(files.module).href };
  env.wasm.wasmBinary = new Uint8Array(await readFile(files.binary)).buffer;
  const externalData = await Promise.all(
    model.externalData.map(async (path) => ({ path: basename(path), data: await readFile(path) })),
  );
  const session = await InferenceSession.create(await readFile(model.path), {
    executionProviders: ['wasm'],
    externalData,
  });
  return {
    backend: 'wasm',
    inputs: session.inputNames,
    outputs: session.outputMetadata.map((output) => ({
      name: output.name,
      rank: output.isTensor ? output.shape.length : 0,
    })),
    run: async (inputs, output) => {
      const feeds: Record<string, InstanceType<typeof Tensor>> = {};
      for (const [name, rows] of Object.entries(inputs)) {
        const { data, dims } = tensorOf(rows);
        feeds[name] = new Tensor('int64', data, dims);
      }
      const { data, dims } = (await session.run(feeds, [output]))[output]!;
      if (!(data instanceof Float32Array)) throw new Error(`the output ${output} is not float32`);
      return { data, dims };
    },
  };
}
