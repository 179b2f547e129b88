import type { SourceHints } from '../../catalog/open-source.ts';
import type { ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { takeOver } from '../../operations/imports/handed-rows.ts';
import { LARGE_BLOCK_LENGTH } from '../../operations/imports/json-blocks.ts';
import type { PreparedRows, RowTarget } from '../../operations/imports/prepare-rows.ts';
import { WorkerThread } from '../../operations/indexes/worker-thread.ts';
import type { CatalogInput } from '../command/read-files.ts';
import type { FromReader, ReadBlock, ReadingTask, ToReader } from './read-rows-worker.ts';
import { readerThread } from './reader-thread.ts';
import { type RowBlock, RowLines, rowBlocks } from './row-blocks.ts';

/** A file of this size has some thousand rows: reading it takes longer than starting a thread. */
const READ_IN_THREAD_BYTES = 2 * 1024 * 1024;

/** Blocks that the thread reads before they are asked for: as many as are written in one transaction. */
const BLOCKS_AHEAD = 8;

/** An input that can be read by a thread, which opens the file again. */
export interface ReadableInput extends CatalogInput {
  /** Null for an input that only this process can read. */
  readonly file: { readonly path: string; readonly hints: SourceHints } | null;
}

/** A catalogue that is read once, in one of two forms. */
export interface RowReader {
  lines(): AsyncGenerator<RowBlock<string>>;
  /** Reads rows and prepares them in one thread. Null if this thread reads them. */
  readonly prepared: ((target: RowTarget) => AsyncGenerator<RowBlock<PreparedRows>>) | null;
}

/**
 * Reads a catalogue as blocks of rows. A thread reads a large file, so that this one can write rows
 * meanwhile.
 */
export function readBlocks(
  input: ReadableInput,
  options: Omit<ReaderOptions, 'mapping'>,
): RowReader {
  const length = LARGE_BLOCK_LENGTH;
  const { file, sizeBytes, readBytes } = input;
  if (file === null || sizeBytes === null || sizeBytes < READ_IN_THREAD_BYTES) {
    const begin = () => new RowLines();
    return {
      lines: () => rowBlocks(input.rows(options), { length, readBytes, begin }),
      prepared: null,
    };
  }
  const read = (target: RowTarget | null) => readInThread({ ...file, length, target }, options);
  return {
    async *lines() {
      for await (const block of read(null)) if ('lines' in block) yield block.lines;
    },
    async *prepared(target) {
      for await (const block of read(target)) {
        if (!('prepared' in block)) continue;
        yield { ...block.prepared, content: takeOver(block.prepared.content) };
      }
    },
  };
}

async function* readInThread(
  task: Omit<ReadingTask, 'options'>,
  { onColumns, ...options }: Omit<ReaderOptions, 'mapping'>,
): AsyncGenerator<ReadBlock> {
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
    else yield answer;
  }
}
