import type { FileHandle } from 'node:fs/promises';
import type { ImportServices } from './import-services.ts';
import { asRefusal, openNameless } from './nameless-file.ts';

/** Characters kept in memory from the first block on, some thousand rows, and again of blocks not read yet. */
const MEMORY_LENGTH_MAX = 1024 * 1024;

/** A reader may wait this much longer for blocks than it works on them. */
const PATIENCE_MS = 1000;

/** Blocks arrive more slowly than they are worked on. */
export class SlowBlocks extends Error {
  override readonly name = 'SlowBlocks';
}

export interface SpoolOptions {
  /** For a file, if one is needed. */
  readonly path: string;
  readonly platform: ImportServices['platform'];
  /** Ends the wait for blocks. */
  readonly signal: AbortSignal;
}

/**
 * Receives blocks and keeps them, so that they can be read while others arrive, and once more. The first
 * stay in memory, the others in a file that is unlinked right after creation, so that a crash leaves
 * nothing behind.
 */
export class BlockSpool implements AsyncDisposable {
  /** Resolves once the last block has arrived. Rejects if the blocks break off or the disk is full. */
  readonly arrived: Promise<void>;
  readonly #options: SpoolOptions;
  /** The first blocks, and later ones that no reader has taken, by number. */
  readonly #texts = new Map<number, string>();
  /** How many of the first blocks stay in memory. */
  #kept = 0;
  #keptLength = 0;
  #unreadLength = 0;
  #file: FileHandle | null = null;
  /** Where each block in the file ends, in bytes. */
  readonly #ends: number[] = [];
  #count = 0;
  #isOver = false;
  #isDisposed = false;
  /** Resolves when the next block has arrived, or none will. */
  #change = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();

  constructor(blocks: AsyncIterable<string>, options: SpoolOptions) {
    this.#options = options;
    this.arrived = this.#receive(blocks).finally(() => {
      this.#isOver = true;
      this.#begun.resolve(this.arrived);
      this.#change.resolve();
    });
    // Whoever reads is told.
    for (const promise of [this.arrived, this.#begun.promise]) promise.catch(() => undefined);
  }

  /** Resolves once there are more blocks than stay in memory, or all. Rejects as `arrived` does. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /**
   * Yields the blocks in order of arrival, from the first on. Rejects as `arrived` does, and with
   * `SlowBlocks` if most of the time it waits for the next.
   */
  async *blocks(): AsyncGenerator<string> {
    const patience = new Patience(this.#options.platform);
    for (let number = 0; ; number++) {
      while (number === this.#count && !this.#isOver) await this.#wait(patience);
      if (number === this.#count) return await this.arrived;
      yield await this.#read(number);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#file?.close();
  }

  async #receive(blocks: AsyncIterable<string>): Promise<void> {
    try {
      for await (const block of blocks) {
        if (this.#isDisposed) return;
        await this.#add(block);
        this.#count += 1;
        this.#change.resolve();
        this.#change = Promise.withResolvers();
      }
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async #add(block: string): Promise<void> {
    const number = this.#count;
    if (this.#keptLength + block.length <= MEMORY_LENGTH_MAX && this.#file === null) {
      this.#texts.set(number, block);
      this.#keptLength += block.length;
      this.#kept = number + 1;
      return;
    }
    this.#begun.resolve();
    this.#file ??= await openNameless(this.#options.path);
    const bytes = Buffer.from(block);
    await this.#file.appendFile(bytes);
    this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length);
    if (this.#unreadLength > MEMORY_LENGTH_MAX) return;
    this.#texts.set(number, block);
    this.#unreadLength += block.length;
  }

  async #read(number: number): Promise<string> {
    const text = this.#texts.get(number);
    if (text === undefined) return this.#readFile(number - this.#kept);
    if (number >= this.#kept) {
      this.#texts.delete(number);
      this.#unreadLength -= text.length;
    }
    return text;
  }

  async #readFile(place: number): Promise<string> {
    const start = place === 0 ? 0 : this.#ends[place - 1]!;
    const size = this.#ends[place]! - start;
    const { buffer } = await this.#file!.read(Buffer.allocUnsafe(size), 0, size, start);
    return buffer.toString();
  }

  async #wait(patience: Patience): Promise<void> {
    const { platform, signal } = this.#options;
    signal.throwIfAborted();
    const over = new AbortController();
    const slept = platform.sleep(PATIENCE_MS, AbortSignal.any([signal, over.signal]));
    await patience.during(Promise.race([this.#change.promise, slept]));
    over.abort();
  }
}

/** Bounds how much of its time a reader waits. */
class Patience {
  readonly #platform: ImportServices['platform'];
  readonly #startedMs: number;
  #waitedMs = 0;

  constructor(platform: ImportServices['platform']) {
    this.#platform = platform;
    this.#startedMs = platform.monotonicMs();
  }

  /** Throws `SlowBlocks`. */
  async during(wait: Promise<void>): Promise<void> {
    const beganMs = this.#platform.monotonicMs();
    await wait;
    const nowMs = this.#platform.monotonicMs();
    this.#waitedMs += nowMs - beganMs;
    const workedMs = nowMs - this.#startedMs - this.#waitedMs;
    if (this.#waitedMs >= workedMs + PATIENCE_MS) throw new SlowBlocks();
  }
}
