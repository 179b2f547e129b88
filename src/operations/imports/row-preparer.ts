import { WorkerThread } from '../indexes/worker-thread.ts';
import { type HandedRows, takeOver } from './handed-rows.ts';
import { wholeBlocks } from './json-blocks.ts';
import { type PreparedRows, prepareRows, type RowTarget } from './prepare-rows.ts';
import type { FromPreparer, ToPreparer } from './prepare-rows-worker.ts';
import { preparerThread } from './preparer-thread.ts';
import { canPrepare } from './row-streams.ts';
import type { StagedRow, StagedShop } from './staged-index.ts';

/** Characters that this thread prepares before starting a worker pays off: a few hundred rows. */
const LENGTH_ALONE = 256 * 1024;

/** Blocks queued at the worker: the one in progress and the next ones. */
const BLOCKS_AHEAD = 6;

/** Characters queued at the worker. Each takes some ten bytes on its way through both threads. */
const LENGTH_AHEAD_MAX = 1024 * 1024;

export interface RowPreparerOptions {
  readonly target: RowTarget;
  /** For whom staged rows are indexed; null: they are not. */
  readonly shop: StagedShop | null;
}

/**
 * Prepares blocks in order. A long import uses a worker, which stays a few blocks ahead of the consumer
 * and builds the index of what is staged.
 */
export class RowPreparer implements Disposable {
  readonly #options: RowPreparerOptions;
  #worker: PreparerThread | null = null;
  /** The blocks that this thread has prepared, and the rows that were staged of them. */
  readonly #alone: { readonly indexed: string; staged: string }[] = [];
  #aloneLength = 0;

  constructor(options: RowPreparerOptions) {
    this.#options = options;
  }

  /** Call `noteStaged` for each block before the next one is taken. */
  prepare(blocks: AsyncIterable<string>): AsyncIterable<PreparedRows> {
    const { target, shop } = this.#options;
    return canPrepare(blocks) && shop === null ? blocks.prepare(target) : this.#prepare(blocks);
  }

  async *#prepare(blocks: AsyncIterable<string>): AsyncGenerator<PreparedRows> {
    const ahead: Promise<PreparedRows>[] = [];
    for await (const block of wholeBlocks(blocks)) {
      if (this.#worker === null && this.#aloneLength < LENGTH_ALONE) {
        this.#alone.push({ indexed: block, staged: '[]' });
        this.#aloneLength += block.length;
        yield prepareRows(block, this.#options.target);
        continue;
      }
      this.#worker ??= this.#startWorker();
      const prepared = this.#worker.prepare(block);
      // If the blocks end in an error, nobody awaits it.
      prepared.catch(() => undefined);
      ahead.push(prepared);
      const isFull = ahead.length * block.length > LENGTH_AHEAD_MAX;
      if (isFull || ahead.length >= BLOCKS_AHEAD) yield await ahead.shift()!;
    }
    for (const prepared of ahead.splice(0)) yield await prepared;
  }

  /** Says which rows of the block that was yielded last were staged. */
  noteStaged(rows: readonly StagedRow[]): void {
    if (this.#options.shop === null) return;
    const staged = JSON.stringify(rows);
    if (this.#worker === null) this.#alone.at(-1)!.staged = staged;
    else this.#worker.post({ staged });
  }

  /** The packed index of what was staged; null for a short import, which has not used the worker. */
  async finishIndex(): Promise<ArrayBuffer[] | null> {
    if (this.#worker === null || this.#options.shop === null) return null;
    return this.#worker.finishIndex();
  }

  [Symbol.dispose](): void {
    this.#worker?.[Symbol.dispose]();
  }

  #startWorker(): PreparerThread {
    const worker = new PreparerThread();
    worker.post(this.#options);
    if (this.#options.shop !== null) for (const block of this.#alone) worker.post(block);
    return worker;
  }
}

/** The thread that prepares rows. */
class PreparerThread implements Disposable {
  readonly #thread = new WorkerThread<ToPreparer, FromPreparer>(preparerThread(), 'Preparing rows');

  post(message: ToPreparer): void {
    this.#thread.post(message);
  }

  async prepare(block: string): Promise<PreparedRows> {
    return takeOver((await this.#thread.ask({ block })) as HandedRows);
  }

  async finishIndex(): Promise<ArrayBuffer[]> {
    const answer = await this.#thread.ask('finish');
    return (answer as Extract<FromPreparer, { index: ArrayBuffer[] }>).index;
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }
}
