import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../domain/errors.ts';

/** Limit for decompressed bytes; stops decompression bombs. */
export const INFLATED_MAX = 4 * 1024 ** 3;

/** Size of the head that `detect` receives; enough to detect every format. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Streams the bytes of a file, decompressed if they start with gzip's magic number, whatever its name.
 * Throws `invalid_input` if a compressed file is truncated or damaged, `too_large` beyond 4 GiB.
 */
export async function* openBytes(
  stream: AsyncIterable<Uint8Array>,
  inflatedMax = INFLATED_MAX,
): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peekBytes(stream, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* bytes;
    return;
  }
  const gunzip = createGunzip();
  // Without a callback, a failing source would raise an unhandled error.
  const inflated = pipeline(Readable.from(bytes, { objectMode: false }), gunzip, () => undefined);
  let length = 0;
  try {
    for await (const chunk of inflated) {
      length += chunk.length;
      if (length > inflatedMax)
        throw new AppError('too_large', 'The file is too large after decompression.');
      yield chunk;
    }
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    throw new AppError('invalid_input', 'The compressed file is damaged or cut off.', { cause });
  }
}

/** Returns the first 64 KiB as text, for `detectFormat`, and all bytes, for the reader. */
export async function peekText(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ head: string; bytes: AsyncIterable<Uint8Array> }> {
  const { head, bytes } = await peekBytes(stream, HEAD_BYTES);
  return { head: new TextDecoder().decode(head), bytes };
}

/** Reads the first 64 KiB as text, for `detectFormat`, and closes the stream. */
export async function readHead(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
}

/**
 * Reads `count` bytes, or fewer at the end of the file; `bytes` then yields everything from the start.
 */
export async function peekBytes(
  stream: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(chunks).subarray(0, count), bytes: resumed(chunks, iterator) };
}

async function* resumed(
  chunks: Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.splice(0);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
