import { AppError } from '../../domain/errors.ts';
import { isForbiddenText } from '../../domain/text.ts';
import { DEPTH_MAX, type JsonShape, measureJson } from './json-shape.ts';

/** `application/json`, or a media type with the suffix `+json`. */
const JSON_TYPE = /^application\/(?:json|[^\s;/]+\+json)$/;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The body's media type in lower case, without parameters; empty if there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

export function isJson(type: string): boolean {
  return JSON_TYPE.test(type);
}

/** Throws `unsupported_media_type` unless the request declares a JSON body. */
export function requireJson(request: Request): void {
  if (!isJson(mediaType(request)))
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
}

/** The size limit of a body, and the claim on memory that precedes reading it. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Reserves memory for that many more bytes. Throws if there is no room. */
  claim(bytes: number): void;
}

/**
 * Reads the body as text. Throws `too_large` beyond `maxBytes`, whatever Content-Length says,
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

/** Appends the body's bytes to `parts`, which keeps the bytes read so far if this throws. */
async function readParts(
  request: Request,
  { maxBytes, claim }: BodyLimits,
  parts: Uint8Array[],
): Promise<void> {
  const tooLarge = () => new AppError('too_large', `The body is larger than ${maxBytes} bytes.`);
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    // Also true for a length that is not a number.
    if (!(Number(declared) <= maxBytes)) throw tooLarge();
    claim(Number(declared));
    // A client cannot send more than it declares: the server cuts off the rest.
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

/** The bytes of a body that is too large for memory. Throws `invalid_input` if it ends early. */
export async function* streamBody(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  for (;;) {
    const { value } = await reader.read().catch(brokenOff);
    if (value === undefined) return;
    yield value;
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

/** Releases memory now. The garbage collector may run only after a gigabyte of aborted uploads. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Returns an `AppError` unchanged. Any other error means that the client disconnected or sent
 * malformed chunks.
 */
function brokenOff(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  throw new AppError('invalid_input', 'The body ended early.', { cause });
}

/** The value of JSON text, or what is wrong with the text. */
export type JsonReading =
  | { readonly value: unknown }
  | { readonly issue: string; readonly cause?: unknown };

/** Escapes of NUL and surrogates: valid UTF-8 JSON cannot contain them in another form. */
const FORBIDDEN_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON text. Throws `invalid_input` for text that is not JSON, is nested deeper than
 * `DEPTH_MAX`, or contains NUL or an unpaired surrogate. A known `shape` saves measuring the text
 * again.
 */
export function parseJson(text: string, shape: JsonShape = measureJson(text)): unknown {
  return valueOrThrow(readJson(text, shape));
}

/**
 * Like `parseJson`, but checks the items of an array separately: it refuses only those that contain
 * NUL or an unpaired surrogate.
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

/** Like `parseJson`, for one of several texts: returns a fault as an issue. */
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
