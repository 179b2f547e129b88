import { Unpacking } from '../../search/index/packing.ts';
import { VectorKernel } from '../../search/vectors/vector-kernel.ts';
import type { EncodedRows } from '../../storage/catalog/encoded-rows.ts';
import { findEncodedRows } from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { FromIndexThread, ToIndexThread } from './build-index-worker.ts';
import type { EmbeddingModel } from './embeddings.ts';
import { type IndexParts, unpackParts } from './index-parts.ts';
import { indexThread } from './index-thread.ts';
import type { LanguageOfShop } from './shop-languages.ts';
import type { Slices } from './slices.ts';
import { appendVectors, replaceVectorsIn } from './stored-vectors.ts';
import { WorkerThread } from './worker-thread.ts';

/** Documents whose texts are read and passed on at once: about 1 ms; 3 with vectors. */
const READ_AT_ONCE = 256;

/** Blocks of documents queued at the thread: the one in progress and the next ones. */
const BLOCKS_AHEAD = 4;

/** The most documents of a part: some 20 MB, and a second or two for a thread. */
const PART_DOCUMENTS = 65_536;

/** The event loop, which reads for all of them, spends a tenth of its time on each. */
const THREADS_MAX = 2;

export interface BuildIndexOptions {
  readonly db: Database;
  readonly slices: Slices;
  readonly languageOfShop: LanguageOfShop;
  /** The model whose vectors are read; null: none. */
  readonly model: EmbeddingModel | null;
  /** False once the index is no longer wanted. */
  readonly isWanted: () => boolean;
  /** The most documents of a part; tests build small ones. */
  readonly partSize?: number;
}

/**
 * Builds the index of these documents in threads of their own, so that the event loop only reads them: in parts,
 * which are then joined. Leaves out what is gone or damaged. Null if it is no longer wanted.
 */
export async function buildIndex(
  documentKeys: readonly number[],
  options: BuildIndexOptions,
): Promise<IndexParts | null> {
  const { slices, isWanted } = options;
  const partSize = evenPartSize(documentKeys.length, options.partSize);
  const partCount = Math.ceil(documentKeys.length / partSize);
  using opened = new DisposableStack();
  const threads = Array.from({ length: Math.min(THREADS_MAX, partCount) }, () =>
    opened.use(
      new WorkerThread<ToIndexThread, FromIndexThread>(indexThread(), 'Building an index'),
    ),
  );
  const parts: ArrayBuffer[][] = [];
  let begun = 0;
  const buildParts = async (thread: IndexThread) => {
    while (begun < partCount) {
      const part = begun++;
      const keys = documentKeys.slice(part * partSize, (part + 1) * partSize);
      const built = await buildPart(thread, keys, options);
      if (built === null) return;
      parts[part] = built;
    }
  };
  const [vectors] = await Promise.all([
    readVectors(documentKeys, options),
    ...threads.map(buildParts),
  ]);
  if (!isWanted()) return null;
  const [first] = threads;
  const packed = parts.length === 1 ? parts[0]! : await joinedBy(first!, parts, slices);
  const index = await slices.run(unpackParts(new Unpacking(packed)));
  if (!isWanted()) return null;
  if (vectors === null) return index;
  // There is a vector for each document that was asked for, also for one that was left out.
  return index.index.size === documentKeys.length
    ? { ...index, index: index.index.withVectors(vectors) }
    : replaceVectorsIn(index, options);
}

/** As many parts for each thread, and all of one size, so that no thread waits long for another. */
function evenPartSize(documentCount: number, partSizeMax = PART_DOCUMENTS): number {
  if (documentCount <= partSizeMax) return partSizeMax;
  const partsOfThread = Math.ceil(documentCount / (partSizeMax * THREADS_MAX));
  return Math.ceil(documentCount / (partsOfThread * THREADS_MAX));
}

/** Null if it is no longer wanted. */
async function buildPart(
  thread: IndexThread,
  documentKeys: readonly number[],
  { db, slices, languageOfShop, isWanted }: BuildIndexOptions,
): Promise<ArrayBuffer[] | null> {
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
    while (ahead.length > BLOCKS_AHEAD) await takeAnswer();
  }
  while (ahead.length > 0) await takeAnswer();
  return indexOf(await slices.wait(thread.ask('part')));
}

async function joinedBy(
  thread: IndexThread,
  parts: readonly ArrayBuffer[][],
  slices: Slices,
): Promise<ArrayBuffer[]> {
  return indexOf(await slices.wait(thread.ask({ parts }, parts.flat())));
}

function indexOf(answer: FromIndexThread): ArrayBuffer[] {
  return (answer as Extract<FromIndexThread, { index: ArrayBuffer[] }>).index;
}

/** The vectors of all documents, sealed; null without a model, or if they are no longer wanted. */
async function readVectors(
  documentKeys: readonly number[],
  { db, model, slices, isWanted }: BuildIndexOptions,
): Promise<VectorKernel | null> {
  if (model === null) return null;
  const vectors = new VectorKernel(model.dimensions);
  const atOnce = READ_AT_ONCE * db.batchFactor;
  for (let at = 0; at < documentKeys.length; at += atOnce) {
    await slices.pause();
    if (!isWanted()) return null;
    await appendVectors(vectors, documentKeys.slice(at, at + atOnce), { db, model });
  }
  await slices.run(vectors.seal());
  return vectors;
}

type IndexThread = WorkerThread<ToIndexThread, FromIndexThread>;

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
