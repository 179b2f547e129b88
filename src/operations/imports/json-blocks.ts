/**
 * Characters of a block in a service: some ten rows of a catalogue. Requests go in between two blocks,
 * and preparing and writing one takes about 10 ms.
 */
const BLOCK_LENGTH = 16 * 1024;

/**
 * The same where nobody waits for the event loop, because a command has the data folder to itself: the
 * more rows share a transaction, the fewer pages are written. A service gets them as its socket cuts them.
 */
export const LARGE_BLOCK_LENGTH = 512 * 1024;

/** Values as JSON lines, in blocks of many: each costs what passing a single line on would. */
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
 * A stream of JSON lines in blocks of whole lines, the first line alone, longer ones than 16 Ki characters cut. Only line feeds end a line:
 * JSON escapes them inside. Throws a TypeError where the bytes are not UTF-8.
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

/** The lines in pieces that end where the line does that reaches the length of a block. */
function* cutLines(lines: string): Generator<string> {
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\n', start + BLOCK_LENGTH - 1) + 1 || lines.length;
    yield lines.slice(start, end);
    start = end;
  }
}

/** The same blocks, small ones put together: they arrive as the socket cuts them. */
export async function* wholeBlocks(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const block of blocks) {
    parts.push(block);
    length += block.length;
    if (length < BLOCK_LENGTH) continue;
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
