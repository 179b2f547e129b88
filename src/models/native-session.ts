import { join } from 'node:path';
import type { Session } from './inference-session.ts';
import type { NativeFiles } from './model-files.ts';
import { unpack, unpackFolders } from './unpack.ts';

/** Logs warnings and errors, as onnxruntime's own wrapper does. */
const LOG_LEVEL = 2;

/** The exports of onnxruntime-node's addon. Its own wrapper loads the addon by a path that bundlers cannot follow. */
interface Addon {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  readonly InferenceSession: new () => NativeSession;
}

interface NativeSession {
  loadModel(
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
    options: Record<string, unknown>,
  ): void;
  run(
    feeds: Record<string, Tensor>,
    fetches: Record<string, null>,
    options: Record<string, unknown>,
  ): Record<string, Tensor>;
}

/** The part of onnxruntime-common's class that the addon reads and constructs. */
class Tensor {
  readonly type: string;
  readonly data: BigInt64Array | Float32Array;
  readonly dims: readonly number[];
  readonly location = 'cpu';

  constructor(type: string, data: BigInt64Array | Float32Array, dims: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}

/** Use it in a worker: it blocks its thread while loading and running. */
export async function openNativeSession(
  model: Uint8Array,
  { files, threads }: { files: NativeFiles; threads: number },
): Promise<Session> {
  const addon = await loadAddon(files);
  addon.initOrtOnce(LOG_LEVEL, Tensor, false);
  const session = new addon.InferenceSession();
  session.loadModel(model.buffer, model.byteOffset, model.byteLength, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Otherwise idle threads keep their cores busy between texts.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  return {
    backend: 'native',
    run: async (ids) => {
      const shape = [1, ids.length];
      const feeds = {
        input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      };
      return Float32Array.from(session.run(feeds, { embedding: null }, {}).embedding!.data, Number);
    },
  };
}

async function loadAddon(files: NativeFiles): Promise<Addon> {
  if (files.kind === 'in place') return openAddon(files.addon);
  const reasons: unknown[] = [];
  for (const parent of unpackFolders()) {
    try {
      const folder = await unpack([files.library, files.addon], parent);
      return openAddon(join(folder, files.addon.name));
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new Error(`the native runtime does not load: ${reasons.map(String).join('; ')}`);
}

function openAddon(path: string): Addon {
  const holder = { exports: {} };
  process.dlopen(holder, path);
  return holder.exports as Addon;
}
