/** The worker thread that reads a catalogue file while the main thread writes its rows; a separate entry point. */
import type { SourceHints } from '../../catalog/open-source.ts';
import type { ColumnUse, ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import type { ThreadFailure } from '../../operations/indexes/worker-thread.ts';
import { openCatalog } from '../command/read-files.ts';
import { type RowBlock, rowBlocks } from './row-blocks.ts';

/** What to read. */
export interface ReadingTask {
  readonly path: string;
  readonly hints: SourceHints;
  readonly options: Omit<ReaderOptions, 'mapping' | 'onColumns'>;
  /** Characters of a block. */
  readonly length: number;
}

/** The task comes first. */
export type ToReader = ReadingTask | 'next';

/** One answer for each `next`, in order: a block, what the file's columns are used for, and how it ends. */
export type FromReader =
  | { readonly block: RowBlock }
  | { readonly columns: ColumnUse }
  | { readonly refusal: { code: ErrorCode; message: string; details: ErrorDetails } }
  | { readonly isEnded: true };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToReader>) => void) | null;
  postMessage(message: FromReader | ThreadFailure): void;
}

const scope = globalThis as unknown as WorkerScope;

let answers: AsyncGenerator<FromReader, never>;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  if (data === 'next') last = last.then(answer);
  else answers = read(data);
};

async function answer(): Promise<void> {
  try {
    scope.postMessage((await answers.next()).value);
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
}

async function* read(task: ReadingTask): AsyncGenerator<FromReader, never> {
  try {
    yield* blocksOf(task);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    yield { refusal: { code, message, details } };
  }
  for (;;) yield { isEnded: true };
}

async function* blocksOf({
  path,
  hints,
  options,
  length,
}: ReadingTask): AsyncGenerator<FromReader> {
  const columns: ColumnUse[] = [];
  const input = await openCatalog(path, hints);
  const rows = input.rows({ ...options, onColumns: (use) => columns.push(use) });
  const { readBytes } = input;
  for await (const block of rowBlocks(rows, { length, readBytes })) {
    for (const use of columns.splice(0)) yield { columns: use };
    yield { block };
  }
  for (const use of columns.splice(0)) yield { columns: use };
}
