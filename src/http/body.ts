import { AppError } from '../domain/errors.ts';
import { isForbiddenText } from '../domain/text.ts';

/** Levels of arrays and objects inside each other: deeper ones overflow what walks them. */
export const DEPTH_MAX = 32;

/** `application/json`, or any type that says it is JSON inside. */
const JSON_TYPE = /^application\/(?:json|[^\s;/]+\+json)$/;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The body's media type in lower case, without parameters; empty when none is given. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

export function isJson(type: string): boolean {
  return JSON_TYPE.test(type);
}

/** Throws `unsupported_media_type` unless the body says that it is JSON. */
export function requireJson(request: Request): void {
  if (!isJson(mediaType(request)))
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
}

/**
 * The body as text. Throws `too_large` beyond `maxBytes`, whatever its Content-Length says, and
 * `invalid_input` for bytes that are not UTF-8.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'The body is not valid UTF-8.', {
      issues: [{ path: '', message: 'is not valid UTF-8' }],
      cause,
    });
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | ArrayBuffer> {
  const tooLarge = () => new AppError('too_large', `The body is larger than ${maxBytes} bytes.`);
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > maxBytes) throw tooLarge();
  // Whoever says how much comes sends no more than that: the server cuts the rest off.
  if (declared !== null) return request.arrayBuffer().catch(brokenOff);
  const parts: Uint8Array[] = [];
  let length = 0;
  const body = request.body?.getReader();
  while (body !== undefined) {
    const { value, done } = await body.read().catch(brokenOff);
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      void body.cancel();
      throw tooLarge();
    }
    parts.push(value);
  }
  return Buffer.concat(parts);
}

/** A client that goes away, or whose chunks are none: no fault of ours. */
function brokenOff(cause: unknown): never {
  throw new AppError('invalid_input', 'The body broke off.', { cause });
}

/**
 * The value that JSON text stands for. Throws `invalid_input` for what is not JSON, nested deeper
 * than `DEPTH_MAX`, or holds NUL or an unpaired surrogate.
 */
export function parseJson(text: string): unknown {
  const reading = readJson(text);
  if ('value' in reading) return reading.value;
  const { issue, cause } = reading;
  const issues = [{ path: '', message: issue }];
  throw new AppError('invalid_input', `The body ${issue}.`, { issues, cause });
}

/** As `parseJson`, for text that is one of several: what is wrong with it is an issue. */
export function readJson(text: string): { value: unknown } | { issue: string; cause?: unknown } {
  if (depthOf(text) > DEPTH_MAX) return { issue: `is nested deeper than ${DEPTH_MAX} levels` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { issue: 'is not JSON', cause };
  }
  // Only an escape can bring either into text that was UTF-8 and JSON.
  return /\\u(?:0000|d[89a-f])/i.test(text) && holdsForbiddenText(value)
    ? { issue: 'holds a character that is not allowed' }
    : { value };
}

/** The deepest nesting, counted without parsing, in one pass whatever the text is. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let holdsStrings = true;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === '"' && holdsStrings) {
      // Strings are stepped over whole: brackets in them do not count. Behind one without an end none has one.
      const end = endOfString(text, at);
      if (end < 0) holdsStrings = false;
      else at = end;
    }
  }
  return deepest;
}

/** The place of the quotation mark that ends the string beginning at `start`; -1 if nothing ends it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}

function holdsForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return isForbiddenText(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => isForbiddenText(name) || holdsForbiddenText(member),
  );
}
