import { Unpacking } from '../../search/index/packing.ts';
import { VectorKernel } from '../../search/vectors/vector-kernel.ts';
import { type EncodedRows, findEncodedRows } from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { FromIndexThread, ToIndexThread } from './build-index-worker.ts';
import type { EmbeddingModel } from './embeddings.ts';
import { type IndexParts, unpackParts } from './index-parts.ts';
import { indexThread } from './index-thread.ts';
import type { LanguageOfShop } from './shop-languages.ts';
import type { Slices } from './slices.ts';
import { appendVectors } from './stored-vectors.ts';
import { WorkerThread } from './worker-thread.ts';

/** Documents whose texts are read and passed on at once: about 1 ms; 3 with vectors. */
const READ_AT_ONCE = 256;

/** Blocks of documents queued at the thread: the one in progress and the next ones. */
const BLOCKS_AHEAD = 4;

export interface BuildIndexOptions {
  readonly db: Database;
  readonly slices: Slices;
  readonly languageOfShop: LanguageOfShop;
  /** The model whose vectors are read; null: none. */
  readonly model: EmbeddingModel | null;
  /** False once the index is no longer wanted. */
  readonly isWanted: () => boolean;
}

/**
 * Builds the index of these documents in a thread of its own, so that the event loop only reads them.
 * Leaves out what is gone or damaged. Null if it is no longer wanted.
 */
export async function buildIndex(
  documentKeys: readonly number[],
  { db, model, slices, languageOfShop, isWanted }: BuildIndexOptions,
): Promise<IndexParts | null> {
  using thread = new WorkerThread<ToIndexThread, FromIndexThread>(
    indexThread(),
    'Building an index',
  );
  const vectors = model && new VectorKernel(model.dimensions);
  const ahead: Promise<FromIndexThread>[] = [];
  const takeAnswer = async () => {
    const answer = await slices.wait(ahead.shift()!);
    // Counted where the database counts damaged texts.
    if ('damaged' in answer) for (const body of answer.damaged) db.parse(body);
  };
  const atOnce = READ_AT_ONCE * db.batchFactor;
  for (let at = 0; at < documentKeys.length; at += atOnce) {
    await slices.pause();
    if (!isWanted()) return null;
    const keys = documentKeys.slice(at, at + atOnce);
    for (const rows of await findEncodedRows(db, keys))
      ahead.push(thread.ask(messageOf(rows, languageOfShop), [rows.content]));
    if (vectors !== null) await appendVectors(vectors, keys, { db, model: model! });
    while (ahead.length > BLOCKS_AHEAD) await takeAnswer();
  }
  while (ahead.length > 0) await takeAnswer();
  const built = await slices.wait(thread.ask('finish'));
  if (!('index' in built) || !isWanted()) return null;
  const parts = await slices.run(unpackParts(new Unpacking(built.index)));
  if (vectors === null) return parts;
  await slices.run(vectors.seal());
  return { ...parts, index: parts.index.withVectors(vectors) };
}

function messageOf(
  { content, shopKeys }: EncodedRows,
  languageOfShop: LanguageOfShop,
): ToIndexThread {
  const keys = shopKeys.split(',').map(Number);
  return {
    rows: content,
    languages: Object.fromEntries(keys.map((key) => [key, languageOfShop(key).code])),
  };
}
