import { type FileHandle, open, rm } from 'node:fs/promises';

/** Characters kept in memory: some thousand rows. Further ones go to a file. */
const MEMORY_LENGTH_MAX = 1024 * 1024;

/**
 * Blocks that have all arrived, to be read once. Few of them stay in memory; others wait in a file that
 * loses its name as soon as it is made, and so outlives no crash.
 */
export class BlockSpool implements AsyncDisposable {
  readonly #path: string;
  readonly #kept: string[] = [];
  #keptLength = 0;
  #file: FileHandle | null = null;
  /** Of each block in the file, in bytes. */
  readonly #sizes: number[] = [];

  private constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once the last block has arrived. `path` is where a file may be made. */
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

  /** In the order of their arrival. */
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

async function openNameless(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
