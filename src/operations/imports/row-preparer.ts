import { wholeBlocks } from './json-blocks.ts';
import { type PreparedRows, prepareRows } from './prepare-rows.ts';
import type { FromPreparer, ToPreparer } from './prepare-rows-worker.ts';
import { preparerThread } from './preparer-thread.ts';

/** Blocks that this thread prepares before starting a worker pays off: a few hundred rows. */
const BLOCKS_ALONE = 16;

/** Blocks queued at the worker: the one in progress and the next ones. */
const BLOCKS_AHEAD = 6;

/** Prepares blocks in order. A long import uses a worker, which stays a few blocks ahead of the consumer. */
export async function* preparedRows(
  blocks: AsyncIterable<string>,
  shopId: string,
): AsyncGenerator<PreparedRows> {
  const iterator = wholeBlocks(blocks);
  let worker: PreparerWorker | null = null;
  const ahead: Promise<PreparedRows>[] = [];
  try {
    for (let count = 0; ; count += 1) {
      const next = await iterator.next();
      if (next.done === true) break;
      if (count < BLOCKS_ALONE) {
        yield prepareRows(next.value, shopId);
        continue;
      }
      worker ??= new PreparerWorker(shopId);
      ahead.push(worker.prepare(next.value));
      if (ahead.length >= BLOCKS_AHEAD) yield await ahead.shift()!;
    }
    for (const prepared of ahead.splice(0)) yield await prepared;
  } finally {
    worker?.terminate();
    await iterator.return(undefined);
  }
}

class PreparerWorker {
  readonly #shopId: string;
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<PreparedRows>[] = [];

  constructor(shopId: string) {
    this.#shopId = shopId;
    this.#worker = new Worker(preparerThread(), { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<FromPreparer>) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if ('failure' in data) reject(new Error(data.failure));
      else
        resolve({ ...(JSON.parse(data.rows) as Omit<PreparedRows, 'texts'>), texts: data.texts });
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    this.#worker.addEventListener('close', () => this.#fail('the thread ended'));
  }

  prepare(block: string): Promise<PreparedRows> {
    const waiting = Promise.withResolvers<PreparedRows>();
    // The first waiter reports a failure; later ones may no longer be awaited.
    waiting.promise.catch(() => undefined);
    this.#waiting.push(waiting);
    const message: ToPreparer = { block, shopId: this.#shopId };
    this.#worker.postMessage(message);
    return waiting.promise;
  }

  terminate(): void {
    this.#worker.terminate();
  }

  #fail(reason: string): void {
    const error = new Error(`Preparing rows failed: ${reason}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
