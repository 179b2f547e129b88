import type { OnnxFile, Session } from './inference-session.ts';
import type { ModelFiles } from './model-files.ts';
import { openNativeSession } from './native-session.ts';
import { openWasmSession } from './wasm-session.ts';

/** Opens the native runtime, or WebAssembly if that does not load. Throws with both reasons if neither loads. */
export async function openSession(
  model: OnnxFile,
  { native, wasm }: Pick<ModelFiles, 'native' | 'wasm'>,
  threads: number,
): Promise<Session> {
  const reasons: unknown[] = [];
  if (native !== null) {
    try {
      return await openNativeSession(model, { files: native, threads });
    } catch (error) {
      reasons.push(error);
    }
  }
  if (wasm !== null) {
    try {
      return await openWasmSession(model, { files: wasm, threads });
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new Error(`no runtime for the model loads: ${reasons.map(String).join('; ')}`);
}
