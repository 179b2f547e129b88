import { AppError } from '../../domain/errors.ts';

/** A regular file in an archive. Its content must be read before the next file is asked for. */
export interface ArchivedFile {
  readonly name: string;
  content(): AsyncIterable<Uint8Array>;
}

const BLOCK = 512;

/** Longest extended header: it holds a name. */
const HEADER_MAX = 64 * 1024;

/**
 * The regular files of a tar archive (POSIX ustar and pax, and GNU's long names), in order. Throws
 * `unsupported_media_type` if it is damaged or cut off.
 */
export async function* tarFiles(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedFile> {
  const blocks = new Blocks(stream);
  let longName: string | null = null;
  for (;;) {
    const header = await blocks.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, size, type } = readHeader(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L') {
      if (size > HEADER_MAX) throw damaged();
      const text = (await blocks.take(padded)).toString('utf8', 0, size);
      longName = type === 'L' ? text.replace(/\0.*$/s, '') : (pathOf(text) ?? longName);
      continue;
    }
    if (type === '0' || type === '\0') {
      let left = size;
      const content = async function* () {
        while (left > 0) {
          const part = await blocks.takeSome(left);
          left -= part.length;
          yield part;
        }
      };
      yield { name: longName ?? name, content };
      await blocks.skip(left + padded - size);
    } else await blocks.skip(padded);
    longName = null;
  }
}

function readHeader(header: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const number = (from: number, length: number) => {
    // Above 8 GiB, a size is binary.
    if ((header[from]! & 0x80) !== 0) return Number(header.readBigUInt64BE(from + length - 8));
    return Number.parseInt(text(from, length).trim() || '0', 8);
  };
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  const size = number(124, 12);
  if (sum !== number(148, 8) || !Number.isSafeInteger(size) || size < 0) throw damaged();
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  const name = text(0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: text(156, 1) || '\0' };
}

/** The path in the records `length key=value` of a pax header. */
function pathOf(records: string): string | null {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1] ?? null;
}

/** Bytes of a stream in the portions that are asked for. */
class Blocks {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /** From 1 to `most` bytes. */
  async takeSome(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) throw damaged();
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; left -= parts.at(-1)!.length)
      parts.push(await this.takeSome(left));
    return Buffer.concat(parts);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.takeSome(left)).length;
  }
}

function damaged(): AppError {
  return new AppError('unsupported_media_type', 'The archive is damaged or cut off.');
}
