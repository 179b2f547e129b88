import { isUtf8 } from 'node:buffer';
import type { RecordText } from '../record/reader.ts';

/** Longest line, in bytes. A product with 2,000 variants takes about 1 MB. */
export const LINE_MAX = 10 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** One physical line without its line end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Empty if too long; U+FFFD replaces bytes that are not UTF-8. */
  readonly text: string;
  readonly problem: 'invalid_utf8' | 'line_too_long' | null;
}

/** Yields every line that is not blank as a record. */
export async function* readLineRecords(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<RecordText> {
  let record = 0;
  for await (const { number, text, problem } of readLines(bytes)) {
    if (problem === null && text.trim() === '') continue;
    record += 1;
    yield { line: number, record, text, problem };
  }
}

/**
 * Splits bytes into numbered lines at LF or CR LF, or at CR if the first line ends with one, however they
 * are chunked. Drops a byte order mark at the start. Holds at most `LINE_MAX` bytes and one chunk; skips
 * the rest of a longer line.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0;
  let pending: Uint8Array[] = [];
  let pendingLength = 0;
  for await (const chunk of withLineFeeds(bytes)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      number += 1;
      const last = chunk.subarray(from, end);
      yield decodeLine(number, pendingLength === 0 ? last : joined(pending, last, pendingLength));
      pending = [];
      pendingLength = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    pendingLength += chunk.length - from;
    if (pendingLength <= LINE_MAX) pending.push(chunk.slice(from));
    else pending = [];
  }
  if (pendingLength > 0) {
    yield decodeLine(number + 1, joined(pending, new Uint8Array(), pendingLength));
  }
}

/** Decodes a file in chunks, without its byte order mark; U+FFFD replaces bytes that are not UTF-8. */
export async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const streaming = new TextDecoder();
  for await (const chunk of withLineFeeds(bytes)) {
    const text = streaming.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = streaming.decode();
  if (rest !== '') yield rest;
}

/** Replaces CR with LF if the first line ends with CR alone. */
async function* withLineFeeds(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let endsWithReturn: boolean | null = null;
  let held = new Uint8Array();
  for await (const chunk of bytes) {
    const data: Uint8Array = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = new Uint8Array();
    if (endsWithReturn === null) {
      const lineFeed = data.indexOf(LINE_FEED);
      const first = data.indexOf(CARRIAGE_RETURN);
      const isFirst = first !== -1 && (lineFeed === -1 || first < lineFeed);
      if (isFirst && first === data.length - 1) {
        held = data.slice();
        continue;
      }
      if (isFirst) endsWithReturn = data[first + 1] !== LINE_FEED;
      else if (lineFeed !== -1) endsWithReturn = false;
    }
    yield endsWithReturn === true
      ? data.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte))
      : data;
  }
  if (held.length > 0) yield held;
}

/** Null if the line is too long, skipped bytes included. */
function joined(parts: readonly Uint8Array[], last: Uint8Array, length: number): Uint8Array | null {
  return length + last.length > LINE_MAX ? null : Buffer.concat([...parts, last]);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeLine(number: number, bytes: Uint8Array | null): Line {
  if (bytes === null || bytes.length > LINE_MAX) {
    return { number, text: '', problem: 'line_too_long' };
  }
  const hasReturn = bytes.length > 0 && bytes[bytes.length - 1] === CARRIAGE_RETURN;
  const content = hasReturn ? bytes.subarray(0, -1) : bytes;
  const text = decoder.decode(content);
  return {
    number,
    text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text,
    problem: isUtf8(content) ? null : 'invalid_utf8',
  };
}
