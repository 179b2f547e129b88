import assert from 'node:assert/strict';
import { StagedRowsEncoder } from '../../storage/catalog/encoded-rows.ts';
import type { StagedItem, StagedTexts } from '../../storage/catalog/staged-items.ts';
import type { FromIndexThread, ToIndexThread } from '../indexes/build-index-worker.ts';
import { indexThread } from '../indexes/index-thread.ts';
import { WorkerThread } from '../indexes/worker-thread.ts';

/**
 * The fewest bytes of rows that are worth a thread of their own: more than a thousand rows. The index of fewer is
 * built from the database.
 */
const BYTES_MIN = 512 * 1024;

/** Bytes of rows handed to the thread at once. */
const BLOCK_BYTES = 64 * 1024;

/** Blocks queued at the thread. It needs as long for them as a transaction takes at most. */
const BLOCKS_AHEAD = 8;

/**
 * Documents of a part: some 10 MB, which are in memory twice when it is packed. The smaller the parts, the longer it
 * takes to join them.
 */
const PART_DOCUMENTS = 32_768;

/** For whom staged rows are indexed. */
export interface StagedShop {
  readonly shopKey: number;
  /** The code of its language. */
  readonly language: string;
  /** The generation that the import will make visible. */
  readonly generation: number;
}

/** Builds an index of the rows that an import stages, by words alone, in a thread of its own. */
export class StagedIndex implements Disposable {
  readonly #shop: StagedShop;
  readonly #partSize: number;
  /** The rows that the thread does not have yet. */
  readonly #rows: StagedRowsEncoder;
  #thread: WorkerThread<ToIndexThread, FromIndexThread> | null = null;
  readonly #ahead: Promise<FromIndexThread>[] = [];
  /** The parts that are complete. */
  readonly #parts: Promise<FromIndexThread>[] = [];
  /** Documents of the part in progress. */
  #documents = 0;

  /** `partSize`: documents of a part; tests build small ones. */
  constructor(shop: StagedShop, partSize = PART_DOCUMENTS) {
    this.#shop = shop;
    this.#rows = new StagedRowsEncoder(shop);
    this.#partSize = partSize;
  }

  /** Adds items in the order of their keys. Waits while the thread is too far behind. */
  async add(items: readonly StagedItem[], texts: StagedTexts): Promise<void> {
    for (const item of items) {
      this.#rows.add(item, texts);
      this.#documents += item.documents.length;
    }
    if (this.#rows.length < (this.#thread === null ? BYTES_MIN : BLOCK_BYTES)) return;
    this.#send();
    while (this.#ahead.length > BLOCKS_AHEAD) await this.#takeAnswer();
    if (this.#documents >= this.#partSize) this.#endPart();
  }

  /** The packed index; null if there are too few rows. Only the caller that awaits it sees an error. */
  finish(): Promise<readonly ArrayBuffer[] | null> {
    const packed = this.#finish();
    packed.catch(() => undefined);
    return packed;
  }

  [Symbol.dispose](): void {
    this.#thread?.[Symbol.dispose]();
  }

  async #finish(): Promise<readonly ArrayBuffer[] | null> {
    if (this.#thread === null) return null;
    if (this.#rows.length > 0) this.#send();
    if (this.#documents > 0) this.#endPart();
    while (this.#ahead.length > 0) await this.#takeAnswer();
    const parts = (await Promise.all(this.#parts)).map(indexOf);
    return parts.length === 1
      ? parts[0]!
      : indexOf(await this.#thread.ask({ parts }, parts.flat()));
  }

  #send(): void {
    this.#thread ??= new WorkerThread(indexThread(), 'Indexing rows');
    const { shopKey, language } = this.#shop;
    const { content } = this.#rows.take();
    const message = { rows: content, languages: { [shopKey]: language } };
    this.#ahead.push(this.#thread.ask(message, [content]));
  }

  #endPart(): void {
    this.#parts.push(this.#thread!.ask('part'));
    this.#documents = 0;
  }

  async #takeAnswer(): Promise<void> {
    const answer = await this.#ahead.shift()!;
    assert.ok('damaged' in answer && answer.damaged.length === 0);
  }
}

function indexOf(answer: FromIndexThread): ArrayBuffer[] {
  return (answer as Extract<FromIndexThread, { index: ArrayBuffer[] }>).index;
}
