import { readFile } from 'node:fs/promises';
import type { Session } from './inference-session.ts';
import type { ModelFiles } from './model-files.ts';
import { openNativeSession } from './native-session.ts';
import { openWasmSession } from './wasm-session.ts';

/** Opens the native runtime, or WebAssembly if that does not load. Throws with both reasons if neither loads. */
export async function openSession(files: ModelFiles, threads: number): Promise<Session> {
  const model = await readFile(files.model);
  const reasons: unknown[] = [];
  if (files.native !== null) {
    try {
      return await openNativeSession(model, { files: files.native, threads });
    } catch (error) {
      reasons.push(error);
    }
  }
  if (files.wasm !== null) {
    try {
      return await openWasmSession(model, { files: files.wasm, threads });
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new Error(`no runtime for the model loads: ${reasons.map(String).join('; ')}`);
}
