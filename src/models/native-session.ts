import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OnnxFile, type Session, tensorOf } from './inference-session.ts';
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
  readonly inputMetadata: readonly { readonly name: string }[];
  readonly outputMetadata: readonly {
    readonly name: string;
    readonly type: number;
    readonly shape: readonly number[];
  }[];
  loadModel(path: string, options: Record<string, unknown>): void;
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
  model: OnnxFile,
  { files, threads }: { files: NativeFiles; threads: number },
): Promise<Session> {
  const addon = await loadAddon(files);
  addon.initOrtOnce(LOG_LEVEL, Tensor, false);
  const session = new addon.InferenceSession();
  const options = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    extra: {
      session: {
        // Otherwise idle threads keep their cores busy between texts.
        intra_op: { allow_spinning: '0' },
        // '1' makes signed weights unsigned, which is slower but never overflows.
        x64quantprecision: (await hasVnni()) ? '0' : '1',
      },
    },
  };
  if (model.externalData.length > 0) session.loadModel(model.path, options);
  else {
    // Only Bun can read a file inside a binary.
    const { buffer, byteOffset, byteLength } = await readFile(model.path);
    session.loadModel(buffer, byteOffset, byteLength, options);
  }
  return {
    backend: 'native',
    inputs: session.inputMetadata.map(({ name }) => name),
    outputs: session.outputMetadata.map(({ name, shape }) => ({ name, rank: shape.length })),
    run: async (inputs, output) => {
      const feeds: Record<string, Tensor> = {};
      for (const [name, rows] of Object.entries(inputs)) {
        const { data, dims } = tensorOf(rows);
        feeds[name] = new Tensor('int64', data, dims);
      }
      const { data, dims } = session.run(feeds, { [output]: null }, {})[output]!;
      if (!(data instanceof Float32Array)) throw new Error(`the output ${output} is not float32`);
      return { data, dims };
    },
  };
}

/**
 * Whether an x64 processor multiplies 8-bit integers without overflow. False if that is not known:
 * onnxruntime does not tell, and takes every x64 processor for one that overflows.
 */
async function hasVnni(): Promise<boolean> {
  const processor = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /^flags\b.*\bavx(?:512)?_vnni\b/m.test(processor);
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
