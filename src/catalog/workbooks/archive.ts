import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../domain/errors.ts';

/** Largest archive in bytes; it is held in memory, because its directory is at its end. */
const ARCHIVE_MAX = 100 * 1024 * 1024;

/** Most files in an archive; a workbook has some dozens. */
const FILE_COUNT_MAX = 10_000;

/** A zip archive with random access to its files. */
export class Archive {
  /** Names of the files, without folders and what macOS adds. */
  readonly names: readonly string[];
  readonly #zip: ZipFile;
  /** By name in lower case: producers disagree about capitals. */
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #inflatedMax: number;

  private constructor(zip: ZipFile, entries: readonly Entry[], inflatedMax: number) {
    this.#zip = zip;
    this.#inflatedMax = inflatedMax;
    this.names = entries.map(({ fileName }) => fileName);
    this.#entries = new Map(entries.map((entry) => [entry.fileName.toLowerCase(), entry]));
  }

  /** Throws `invalid_input` if the archive is damaged, `too_large` beyond 100 MiB. */
  static async open(stream: AsyncIterable<Uint8Array>, inflatedMax: number): Promise<Archive> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > ARCHIVE_MAX)
        throw new AppError('too_large', 'The workbook or archive is larger than 100 MiB.');
      chunks.push(chunk);
    }
    try {
      const zip = await fromBufferPromise(Buffer.concat(chunks));
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry()) {
        if (/\/$|^__MACOSX\/|(?:^|\/)\.DS_Store$/.test(entry.fileName)) continue;
        entries.push(entry);
        if (entries.length > FILE_COUNT_MAX)
          throw new AppError('too_large', `The archive has more than ${FILE_COUNT_MAX} files.`);
      }
      return new Archive(zip, entries, inflatedMax);
    } catch (cause) {
      throw cause instanceof AppError ? cause : damaged(cause);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * The bytes of a file, none if there is no such file. Throws `invalid_input` if it is damaged or encrypted,
   * `too_large` beyond the archive's limit for decompressed bytes, whatever size the archive states.
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return;
    let length = 0;
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        length += (chunk as Uint8Array).length;
        if (length > this.#inflatedMax) break;
        yield chunk as Uint8Array;
      }
    } catch (cause) {
      throw damaged(cause);
    }
    if (length > this.#inflatedMax)
      throw new AppError('too_large', 'The file is too large after decompression.');
  }
}

function damaged(cause: unknown): AppError {
  return new AppError('invalid_input', 'The workbook or archive is damaged or encrypted.', {
    cause,
  });
}
