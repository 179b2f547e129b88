import { AppError } from '../../domain/errors.ts';
import { isForbiddenText } from '../../domain/text.ts';
import { DEPTH_MAX, type JsonShape, measureJson } from './json-shape.ts';

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

/** Bodies are at most `maxBytes` long, and `claim` is told of their bytes before they are in memory. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Throws when there is no room for so many more bytes. */
  claim(bytes: number): void;
}

/**
 * The body as text. Throws `too_large` beyond `maxBytes`, whatever its Content-Length says,
 * `invalid_input` for bytes that are not UTF-8, and what `claim` throws.
 */
export async function readText(request: Request, limits: BodyLimits): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    await readParts(request, limits, parts).catch(brokenOff);
    return decode(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
  } finally {
    for (const part of parts) free(part);
  }
}

/** Adds the body's bytes to `parts`, also when it throws in the middle of them. */
async function readParts(
  request: Request,
  { maxBytes, claim }: BodyLimits,
  parts: Uint8Array[],
): Promise<void> {
  const tooLarge = () => new AppError('too_large', `The body is larger than ${maxBytes} bytes.`);
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    // Also for what is not a number.
    if (!(Number(declared) <= maxBytes)) throw tooLarge();
    claim(Number(declared));
    // A client cannot send more than it declares: the server cuts the rest off.
    parts.push(new Uint8Array(await request.arrayBuffer()));
    return;
  }
  let length = 0;
  for await (const part of request.body ?? []) {
    parts.push(part);
    length += part.byteLength;
    if (length > maxBytes) throw tooLarge();
    claim(part.byteLength);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'The body is not valid UTF-8.', {
      issues: [{ path: '', message: 'is not valid UTF-8' }],
      cause,
    });
  }
}

/** Gives memory back now. The collector may come a gigabyte of aborted uploads later. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** A fault of ours as it is. Anything else is a client that went away, or whose chunks are malformed. */
function brokenOff(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  throw new AppError('invalid_input', 'The body broke off.', { cause });
}

/** The value that JSON text stands for, or what is wrong with it. */
export type JsonReading =
  | { readonly value: unknown }
  | { readonly issue: string; readonly cause?: unknown };

/** NUL or a surrogate: only an escape can bring either into text that was UTF-8 and JSON. */
const FORBIDDEN_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * The value that JSON text stands for. Throws `invalid_input` for what is not JSON, nested deeper
 * than `DEPTH_MAX`, or holds NUL or an unpaired surrogate. `shape` saves measuring the text again.
 */
export function parseJson(text: string, shape: JsonShape = measureJson(text)): unknown {
  return valueOrThrow(readJson(text, shape));
}

/**
 * As `parseJson`, except that the items of an array are told apart: one that holds NUL or an unpaired
 * surrogate is refused, and the others are not.
 */
export function parseItems(
  text: string,
  shape: JsonShape,
): { readonly value: unknown } | { readonly items: readonly JsonReading[] } {
  const value = valueOrThrow(readStructure(text, shape));
  const check = FORBIDDEN_ESCAPE.test(text) ? withAllowedText : accept;
  if (!Array.isArray(value)) return { value: valueOrThrow(check(value)) };
  return { items: value.map(check) };
}

/** As `parseJson`, for text that is one of several: what is wrong with it is an issue. */
export function readJson(text: string, shape: JsonShape = measureJson(text)): JsonReading {
  const reading = readStructure(text, shape);
  const isSuspect = 'value' in reading && FORBIDDEN_ESCAPE.test(text);
  return isSuspect ? withAllowedText(reading.value) : reading;
}

function readStructure(text: string, { depth }: JsonShape): JsonReading {
  if (depth > DEPTH_MAX) return { issue: `is nested deeper than ${DEPTH_MAX} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { issue: 'is not JSON', cause };
  }
}

function accept(value: unknown): JsonReading {
  return { value };
}

function withAllowedText(value: unknown): JsonReading {
  return holdsForbiddenText(value) ? { issue: 'holds a character that is not allowed' } : { value };
}

function valueOrThrow(reading: JsonReading): unknown {
  if ('value' in reading) return reading.value;
  const { issue, cause } = reading;
  const issues = [{ path: '', message: issue }];
  throw new AppError('invalid_input', `The body ${issue}.`, { issues, cause });
}

function holdsForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return isForbiddenText(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => isForbiddenText(name) || holdsForbiddenText(member),
  );
}
