/**
 * The worker thread that reads a catalogue file, and prepares its rows, while the main thread writes them; a
 * separate entry point.
 */
import type { SourceHints } from '../../catalog/open-source.ts';
import type { CatalogRow, ColumnUse, ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import { collectGarbage } from '../../garbage.ts';
import { type HandedRows, handOver } from '../../operations/imports/handed-rows.ts';
import { RowBatch, type RowTarget } from '../../operations/imports/prepare-rows.ts';
import type { ThreadFailure } from '../../operations/indexes/worker-thread.ts';
import { openCatalog } from '../command/read-files.ts';
import { type RowBlock, RowLines, rowBlocks } from './row-blocks.ts';

/** What to read. */
export interface ReadingTask {
  readonly path: string;
  readonly hints: SourceHints;
  readonly options: Omit<ReaderOptions, 'mapping' | 'onColumns'>;
  /** Characters or bytes of a block. */
  readonly length: number;
  /** For whom rows are prepared; null: they are passed on as JSON lines. */
  readonly target: RowTarget | null;
}

/** The task comes first. */
export type ToReader = ReadingTask | 'next';

export type ReadBlock =
  | { readonly lines: RowBlock<string> }
  | { readonly prepared: RowBlock<HandedRows> };

/** One answer for each `next`, in order: a block, what the file's columns are used for, and how it ends. */
export type FromReader =
  | ReadBlock
  | { readonly columns: ColumnUse }
  | { readonly refusal: { code: ErrorCode; message: string; details: ErrorDetails } }
  | { readonly isEnded: true };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToReader>) => void) | null;
  postMessage(message: FromReader | ThreadFailure, transfer?: Transferable[]): void;
}

/** Blocks between two garbage collections: some 30 MB of garbage. */
const BLOCKS_PER_COLLECTION = 16;

const scope = globalThis as unknown as WorkerScope;

/** An answer, and what the main thread takes over of it. */
interface Sent {
  readonly message: FromReader;
  readonly transfer: ArrayBuffer[];
}

let answers: AsyncGenerator<Sent, never>;
let blocks = 0;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  if (data === 'next') last = last.then(answer);
  else answers = read(data);
};

async function answer(): Promise<void> {
  try {
    const { message, transfer } = (await answers.next()).value;
    scope.postMessage(message, transfer);
    blocks += 1;
    if (blocks % BLOCKS_PER_COLLECTION === 0) collectGarbage();
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
}

async function* read(task: ReadingTask): AsyncGenerator<Sent, never> {
  try {
    yield* blocksOf(task);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    yield sent({ refusal: { code, message, details } });
  }
  for (;;) yield sent({ isEnded: true });
}

function sent(message: FromReader, transfer: ArrayBuffer[] = []): Sent {
  return { message, transfer };
}

async function* blocksOf({
  path,
  hints,
  options,
  length,
  target,
}: ReadingTask): AsyncGenerator<Sent> {
  const columns: ColumnUse[] = [];
  const input = await openCatalog(path, hints);
  const rows = input.rows({ ...options, onColumns: (use) => columns.push(use) });
  const { readBytes } = input;
  const size = { length, readBytes };
  const blocks = target === null ? linesOf(rows, size) : preparedOf(rows, target, size);
  for await (const block of blocks) {
    for (const use of columns.splice(0)) yield sent({ columns: use });
    yield block;
  }
  for (const use of columns.splice(0)) yield sent({ columns: use });
}

type BlockSize = Pick<Parameters<typeof rowBlocks>[1], 'length' | 'readBytes'>;

async function* linesOf(rows: AsyncIterable<CatalogRow>, size: BlockSize): AsyncGenerator<Sent> {
  const blocks = rowBlocks(rows, { ...size, begin: () => new RowLines() });
  for await (const lines of blocks) yield sent({ lines });
}

async function* preparedOf(
  rows: AsyncIterable<CatalogRow>,
  target: RowTarget,
  size: BlockSize,
): AsyncGenerator<Sent> {
  const blocks = rowBlocks(rows, { ...size, begin: () => new RowBatch(target) });
  for await (const { content, ...block } of blocks) {
    const { handed, transfer } = handOver(content);
    yield sent({ prepared: { ...block, content: handed } }, transfer);
  }
}
