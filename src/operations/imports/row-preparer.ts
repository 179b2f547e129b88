import { WorkerThread } from '../indexes/worker-thread.ts';
import { type HandedRows, takeOver } from './handed-rows.ts';
import { type PreparedRows, prepareRows, type RowTarget } from './prepare-rows.ts';
import type { ToPreparer } from './prepare-rows-worker.ts';
import { preparerThread } from './preparer-thread.ts';
import { canPrepare } from './row-streams.ts';

/**
 * Characters that this thread prepares before it starts a worker, more than a thousand rows: a new worker compiles
 * everything that it runs, which takes some .2 s of processor time.
 */
const LENGTH_ALONE = 512 * 1024;

/** Blocks queued at the worker: the one in progress and the next ones. */
const BLOCKS_AHEAD = 6;

/** Characters queued at the worker. Each takes some ten bytes on its way through both threads. */
const LENGTH_AHEAD_MAX = 1024 * 1024;

/** Prepares blocks in order. A long import uses a worker, which stays a few blocks ahead of the consumer. */
export class RowPreparer implements Disposable {
  readonly #target: RowTarget;
  #worker: PreparerThread | null = null;
  /** Characters that this thread has prepared. */
  #aloneLength = 0;

  constructor(target: RowTarget) {
    this.#target = target;
  }

  prepare(blocks: AsyncIterable<string>): AsyncIterable<PreparedRows> {
    return canPrepare(blocks) ? blocks.prepare(this.#target) : this.#prepare(blocks);
  }

  async *#prepare(blocks: AsyncIterable<string>): AsyncGenerator<PreparedRows> {
    const ahead: Promise<PreparedRows>[] = [];
    for await (const block of blocks) {
      if (this.#aloneLength < LENGTH_ALONE) {
        this.#aloneLength += block.length;
        yield prepareRows(block, this.#target);
        continue;
      }
      this.#worker ??= new PreparerThread(this.#target);
      const prepared = this.#worker.prepare(block);
      // If the blocks end in an error, nobody awaits it.
      prepared.catch(() => undefined);
      ahead.push(prepared);
      const isFull = ahead.length * block.length > LENGTH_AHEAD_MAX;
      if (isFull || ahead.length >= BLOCKS_AHEAD) yield await ahead.shift()!;
    }
    for (const prepared of ahead.splice(0)) yield await prepared;
  }

  [Symbol.dispose](): void {
    this.#worker?.[Symbol.dispose]();
  }
}

/** The thread that prepares rows. */
class PreparerThread implements Disposable {
  readonly #thread = new WorkerThread<ToPreparer, HandedRows>(preparerThread(), 'Preparing rows');

  constructor(target: RowTarget) {
    this.#thread.post({ target });
  }

  async prepare(block: string): Promise<PreparedRows> {
    return takeOver(await this.#thread.ask(block));
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }
}
