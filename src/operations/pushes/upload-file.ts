import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type OpenedSource, openSource, type SourceHints } from '../../catalog/open-source.ts';
import { AppError } from '../../domain/errors.ts';
import { asRefusal, openNameless } from '../imports/nameless-file.ts';
import type { UploadSource } from './upload-queue.ts';

/** Bytes of an uploaded file, as transferred. */
export const UPLOAD_BYTES_MAX = 200 * 1024 * 1024;

/** Bytes read at once. */
const CHUNK_BYTES = 256 * 1024;

/** Decompressed bytes of one file, ten times the largest upload. */
const INFLATED_BYTES_MAX = 2 * 1024 ** 3;

/** An uploaded file on disk. It can be read any number of times, and disappears with the process. */
export class UploadFile implements UploadSource {
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly digest: string;
  readonly #file: FileHandle;
  #holders = 1;

  private constructor(file: FileHandle, { size, digest }: { size: number; digest: string }) {
    this.#file = file;
    this.size = size;
    this.digest = digest;
  }

  /**
   * Writes the bytes to a file at `path`, with one chunk of them in memory at a time. Throws
   * `too_large` beyond `UPLOAD_BYTES_MAX`, `unavailable` if the disk is full, and whatever the stream
   * throws.
   */
  static async receive(bytes: AsyncIterable<Uint8Array>, path: string): Promise<UploadFile> {
    await using opened = new AsyncDisposableStack();
    const file = await openNameless(path);
    opened.defer(() => file.close());
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > UPLOAD_BYTES_MAX)
        throw new AppError('too_large', `The file is larger than ${UPLOAD_BYTES_MAX} bytes.`);
      hash.update(chunk);
      await file.appendFile(chunk).catch((error: unknown) => {
        throw asRefusal(error);
      });
    }
    opened.move();
    return new UploadFile(file, { size, digest: hash.digest('hex') });
  }

  /** Throws as `openSource` does. */
  open(name: string, hints: SourceHints): Promise<OpenedSource> {
    return openSource({ name, bytes: this.bytes() }, hints, INFLATED_BYTES_MAX);
  }

  /** The bytes from the start. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let position = 0; position < this.size; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.size - position));
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  /** The same file for another holder. It is closed once every holder has disposed of it. */
  share(): UploadFile {
    this.#holders += 1;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#file.close();
  }
}
