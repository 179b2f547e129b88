import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import type { ModelFiles, PackedFile } from '../../src/models/model-files.ts';
import { checkModelFile } from '../model/digests.ts';
import { DEPENDENCIES, importName, ROOT } from './folders.ts';
import type { Target } from './targets.ts';

const MODEL = join(ROOT, 'build', 'model');
const PACKED = join(ROOT, 'build', 'packed');
const NATIVE = join(DEPENDENCIES, 'onnxruntime-node', 'bin', 'napi-v6');
const WEB = join(DEPENDENCIES, 'onnxruntime-web', 'dist', 'ort-wasm-simd-threaded');

/** Bun's path for files inside a binary, on every system. */
const WORKER = './src/models/local-embedder-worker.ts';

/** Level 19 saves 1.3 MB more of a binary of 200 MB, and takes 20 s. */
const COMPRESSION_LEVEL = 9;

/**
 * The module that replaces `src/models/model-files.ts`, which is at `path`, in a binary. Every binary includes
 * WebAssembly (14 MB) as a fallback for systems without the libraries that the native files need.
 */
export function embeddedModel(target: Target, path: string): string {
  const imports: string[] = [];
  // Replaces each path with the name of an import of that file.
  const files = JSON.stringify(modelFiles(target), (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(ROOT)) return value;
    const name = JSON.stringify(importName(path, value));
    imports.push(`import file${imports.length} from ${name} with { type: 'file' };`);
    return `\u0000file${imports.length - 1}`;
  });
  const source = files.replace(/"\\u0000(file\d+)"/g, '$1');
  return `${imports.join('\n')}\nconst FILES = ${source};\nexport const modelFiles = () => FILES;\n`;
}

/** Throws if the model was not built, or is not the one that was measured. */
export function modelFiles({ inference }: Target, folder = MODEL): ModelFiles {
  const model = join(folder, 'all-minilm-l6-v2.onnx');
  const vocabulary = join(folder, 'vocabulary.txt');
  if (!existsSync(model) || !existsSync(vocabulary)) {
    throw new Error('the embedded model was not built: run "bun run model" first');
  }
  for (const path of [model, vocabulary]) checkModelFile(basename(path), readFileSync(path));
  return {
    model,
    vocabulary,
    worker: WORKER,
    native:
      inference === null
        ? null
        : {
            kind: 'packed',
            addon: pack(join(NATIVE, inference.folder, 'onnxruntime_binding.node')),
            library: pack(join(NATIVE, inference.folder, inference.library)),
          },
    wasm: { module: `${WEB}.mjs`, binary: `${WEB}.wasm` },
  };
}

/** Compresses content. That takes a second, so results are cached by content hash and level. */
function pack(path: string): PackedFile {
  const content = readFileSync(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const packed = join(PACKED, `${sha256}.${COMPRESSION_LEVEL}.zst`);
  if (!existsSync(packed)) {
    mkdirSync(PACKED, { recursive: true });
    const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
    writeFileSync(`${packed}.${process.pid}.tmp`, zstdCompressSync(content, { params }));
    renameSync(`${packed}.${process.pid}.tmp`, packed);
  }
  return { name: basename(path), path: packed, sha256, compressed: true };
}
