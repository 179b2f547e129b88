/** Characters per block that is passed on: some ten rows of a catalogue. */
const BLOCK_LENGTH = 16 * 1024;

/**
 * Characters per transaction in a service: some fifty to two hundred rows, which take about 5 ms. Requests run
 * between them. In transactions of ten rows each row takes twice as long.
 */
const WRITTEN_LENGTH = 64 * 1024;

/**
 * Characters per block for a command that has the data folder to itself, so that nothing else waits for
 * the event loop: several hundred rows. A service receives blocks as its socket splits them.
 */
export const LARGE_BLOCK_LENGTH = 256 * 1024;

/** Encodes values as JSON lines in blocks, because passing on a block costs as much as passing on a line. */
export async function* jsonBlocks(
  values: AsyncIterable<unknown>,
  length = BLOCK_LENGTH,
): AsyncGenerator<string> {
  let block = '';
  for await (const value of values) {
    block += `${JSON.stringify(value)}\n`;
    if (block.length < length) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/**
 * Splits a stream of JSON lines into blocks of whole lines of about 16 Ki characters; the first line is a
 * block of its own. Only line feeds end a line, because JSON escapes them in strings. Throws a TypeError
 * if the bytes are not UTF-8.
 */
export async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  let parts: string[] = [];
  for await (const chunk of bytes) {
    let text = decoder.decode(chunk, { stream: true });
    const firstEnd = isFirst ? text.indexOf('\n') + 1 : 0;
    if (firstEnd > 0) {
      yield parts.join('') + text.slice(0, firstEnd);
      parts = [];
      text = text.slice(firstEnd);
      isFirst = false;
    }
    const end = isFirst ? 0 : text.lastIndexOf('\n') + 1;
    if (end === 0) {
      parts.push(text);
      continue;
    }
    yield* cutLines(parts.join('') + text.slice(0, end));
    parts = [text.slice(end)];
  }
  const rest = parts.join('') + decoder.decode();
  if (rest !== '') yield rest;
}

/** Splits lines into pieces, each ending with the line that reaches the length of a block. */
function* cutLines(lines: string): Generator<string> {
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\n', start + BLOCK_LENGTH - 1) + 1 || lines.length;
    yield lines.slice(start, end);
    start = end;
  }
}

/** Joins blocks, which arrive as the socket splits them, to what is written in one transaction. */
export async function* wholeBlocks(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const block of blocks) {
    parts.push(block);
    length += block.length;
    if (length < WRITTEN_LENGTH) continue;
    yield parts.join('');
    parts = [];
    length = 0;
  }
  if (length > 0) yield parts.join('');
}

/** The values of a block. */
export function valuesOf(block: string): unknown[] {
  return block
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
