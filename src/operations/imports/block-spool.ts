import type { FileHandle } from 'node:fs/promises';
import { openNameless } from './nameless-file.ts';

/** Characters kept in memory, some thousand rows; the rest goes to a file. */
const MEMORY_LENGTH_MAX = 1024 * 1024;

/**
 * Buffers blocks until all have arrived; they can then be read once. The first stay in memory, the others
 * in a file that is unlinked right after creation, so that a crash leaves nothing behind.
 */
export class BlockSpool implements AsyncDisposable {
  readonly #path: string;
  readonly #kept: string[] = [];
  #keptLength = 0;
  #file: FileHandle | null = null;
  /** Size of each block in the file, in bytes. */
  readonly #sizes: number[] = [];

  private constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once the last block has arrived. `path` is for the file, if one is needed. */
  static async fill(blocks: AsyncIterable<string>, path: string): Promise<BlockSpool> {
    await using filling = new AsyncDisposableStack();
    const spool = filling.use(new BlockSpool(path));
    for await (const block of blocks) await spool.#add(block);
    filling.move();
    return spool;
  }

  async #add(block: string): Promise<void> {
    this.#keptLength += block.length;
    if (this.#keptLength <= MEMORY_LENGTH_MAX) {
      this.#kept.push(block);
      return;
    }
    this.#file ??= await openNameless(this.#path);
    const bytes = Buffer.from(block);
    this.#sizes.push(bytes.length);
    await this.#file.appendFile(bytes);
  }

  /** Yields the blocks in order of arrival. */
  async *blocks(): AsyncGenerator<string> {
    yield* this.#kept.splice(0);
    let position = 0;
    for (const size of this.#sizes) {
      const { buffer } = await this.#file!.read(Buffer.allocUnsafe(size), 0, size, position);
      position += size;
      yield buffer.toString();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
