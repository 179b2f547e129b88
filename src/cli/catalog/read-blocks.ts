import type { SourceHints } from '../../catalog/open-source.ts';
import type { ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { LARGE_BLOCK_LENGTH } from '../../operations/imports/json-blocks.ts';
import { WorkerThread } from '../../operations/indexes/worker-thread.ts';
import type { CatalogInput } from '../command/read-files.ts';
import type { FromReader, ToReader } from './read-rows-worker.ts';
import { readerThread } from './reader-thread.ts';
import { type RowBlock, rowBlocks } from './row-blocks.ts';

/** A file of this size has some thousand rows: reading it takes longer than starting a thread. */
const READ_IN_THREAD_BYTES = 2 * 1024 * 1024;

/** Blocks that the thread reads before they are asked for. */
const BLOCKS_AHEAD = 3;

/** An input that can be read by a thread, which opens the file again. */
export interface ReadableInput extends CatalogInput {
  /** Null for an input that only this process can read. */
  readonly file: { readonly path: string; readonly hints: SourceHints } | null;
}

/**
 * Reads a catalogue as blocks of rows. A thread reads a large file, so that this one can write rows
 * meanwhile.
 */
export function readBlocks(
  input: ReadableInput,
  options: Omit<ReaderOptions, 'mapping'>,
): AsyncGenerator<RowBlock> {
  const length = LARGE_BLOCK_LENGTH;
  const { file, sizeBytes, readBytes } = input;
  return file !== null && sizeBytes !== null && sizeBytes >= READ_IN_THREAD_BYTES
    ? readInThread({ ...file, length }, options)
    : rowBlocks(input.rows(options), { length, readBytes });
}

async function* readInThread(
  task: { readonly path: string; readonly hints: SourceHints; readonly length: number },
  { onColumns, ...options }: Omit<ReaderOptions, 'mapping'>,
): AsyncGenerator<RowBlock> {
  using thread = new WorkerThread<ToReader, FromReader>(readerThread(), 'Reading rows');
  thread.post({ ...task, options });
  const ahead = Array.from({ length: BLOCKS_AHEAD }, () => thread.ask('next'));
  for (;;) {
    const answer = await ahead.shift()!;
    if ('isEnded' in answer) return;
    if ('refusal' in answer) {
      const { code, message, details } = answer.refusal;
      throw new AppError(code, message, details);
    }
    ahead.push(thread.ask('next'));
    if ('columns' in answer) onColumns?.(answer.columns);
    else yield answer.block;
  }
}
