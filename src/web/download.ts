import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../domain/errors.ts';
import { addressOf, isPublicAddress } from './addresses.ts';

export const DOWNLOAD_BYTES_MAX = 200 * 1024 * 1024;
const REDIRECTS_MAX = 10;
/** Until the head of an answer, and between two pieces of its body. */
const SILENCE_MAX_MS = 30_000;

/** What a server gave to ask later whether anything has changed. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadOptions {
  /** Takes http and addresses that are not of the public Internet. */
  readonly allowPrivate: boolean;
  /** Of the last time. */
  readonly validators?: Validators;
  readonly signal: AbortSignal;
  /** Every address of a host, in place of the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly bytesMax?: number;
  readonly silenceMaxMs?: number;
}

export interface Download {
  /** Where it was found in the end. */
  readonly url: URL;
  readonly validators: Validators;
  /** Null if the server does not say. */
  readonly sizeBytes: number | null;
  /** Address of the next page, if the server names one (RFC 8288, `rel="next"`). */
  readonly next: string | null;
  /** As the file is: what the server compressed for the way is inflated. Can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes that have come over the wire. */
  readBytes(): number;
}

/**
 * Asks for a file over https. Null if it is as it was when `validators` were given. Every address of
 * every host on the way is checked, and the one that was checked is the one that is connected to, so
 * that a name which answers differently from time to time leads nowhere else.
 *
 * Throws `invalid_input` for an address that is not allowed, `not_found`, `too_large` beyond 200 MiB
 * (while it is read, too) and `unavailable` for everything that may be better next time.
 */
export async function download(url: string, options: DownloadOptions): Promise<Download | null> {
  let at = parseAddress(url, options);
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(at, options);
    const { statusCode = 0, headers } = response;
    if (statusCode === 304) {
      response.destroy();
      return null;
    }
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location;
    if (!isRedirect) return opened(at, response, options);
    response.destroy();
    if (redirects === REDIRECTS_MAX) {
      throw new AppError('unavailable', `${url} redirects more than ${REDIRECTS_MAX} times.`);
    }
    if (!URL.canParse(headers.location!, at)) {
      throw new AppError('unavailable', `${url} redirects to what is no address.`);
    }
    at = parseAddress(new URL(headers.location!, at).href, options);
  }
}

function parseAddress(text: string, { allowPrivate }: DownloadOptions): URL {
  if (!URL.canParse(text)) throw new AppError('invalid_input', `${text} is no address.`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new AppError('invalid_input', `${url.host}: only https addresses are taken.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('invalid_input', `${url.host}: the address holds a user name.`);
  }
  const address = addressOf(url.hostname);
  if (address !== null && !allowPrivate && !isPublicAddress(address)) throw notPublic(url.hostname);
  return url;
}

function notPublic(hostname: string): AppError {
  return new AppError(
    'invalid_input',
    `${hostname} is not an address of the public Internet: --allow-private takes it.`,
  );
}

/** Sends the request and waits for the head of the answer. */
function ask(url: URL, options: DownloadOptions): Promise<IncomingMessage> {
  const { validators, silenceMaxMs = SILENCE_MAX_MS } = options;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const silence = AbortSignal.timeout(silenceMaxMs);
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      // A connection of an earlier request was not checked for this one.
      agent: false,
      lookup: checkedLookup(options),
      signal: AbortSignal.any([options.signal, silence]),
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip',
        'user-agent': 'vitrine',
        ...(validators?.etag == null ? {} : { 'if-none-match': validators.etag }),
        ...(validators?.lastModified == null
          ? {}
          : { 'if-modified-since': validators.lastModified }),
      },
    });
    asked.once('response', resolve);
    asked.once('error', (cause) => reject(cause instanceof AppError ? cause : failed(url, cause)));
    asked.end();
  });
}

function failed(url: URL, cause: unknown): AppError {
  return new AppError('unavailable', `${url.host} does not answer.`, { cause });
}

/** Finds the addresses of a host and gives them on only if each of them may be connected to. */
function checkedLookup({ allowPrivate, resolve = resolveHost }: DownloadOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found: LookupAddress[] = addresses.map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }));
        const [first] = found;
        if (first === undefined || (!allowPrivate && !addresses.every(isPublicAddress))) {
          callback(notPublic(hostname), '', 0);
        } else if (all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

function resolveHost(hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookUp(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses.map(({ address }) => address));
      else reject(error);
    });
  });
}

function opened(url: URL, response: IncomingMessage, options: DownloadOptions): Download {
  const { statusCode = 0, headers } = response;
  const { bytesMax = DOWNLOAD_BYTES_MAX } = options;
  if (statusCode !== 200) {
    response.destroy();
    const code = statusCode === 404 || statusCode === 410 ? 'not_found' : 'unavailable';
    throw new AppError(code, `${url.host}${url.pathname} answers with ${statusCode}.`);
  }
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (length > bytesMax) {
    response.destroy();
    throw tooLarge(url);
  }
  const counter = { bytes: 0 };
  const body = counted(url, { response, counter, options });
  const isPacked = headers['content-encoding'] === 'gzip';
  return {
    url,
    validators: {
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    },
    sizeBytes: Number.isNaN(length) ? null : length,
    next: nextPage(headers['link'], url),
    bytes: isPacked ? inflated(url, body) : body,
    readBytes: () => counter.bytes,
  };
}

function tooLarge(url: URL): AppError {
  return new AppError('too_large', `${url.host}${url.pathname} is larger than 200 MiB.`);
}

async function* counted(
  url: URL,
  {
    response,
    counter,
    options,
  }: { response: IncomingMessage; counter: { bytes: number }; options: DownloadOptions },
): AsyncGenerator<Uint8Array> {
  const { bytesMax = DOWNLOAD_BYTES_MAX, silenceMaxMs = SILENCE_MAX_MS } = options;
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const piece = await orSilence(url, pieces.next(), silenceMaxMs);
      if (piece.done === true) return;
      counter.bytes += piece.value.length;
      if (counter.bytes > bytesMax) throw tooLarge(url);
      yield piece.value;
    }
  } finally {
    response.destroy();
  }
}

/** Waits for a piece of the answer, but not for ever. */
function orSilence<Piece>(url: URL, piece: Promise<Piece>, silenceMaxMs: number): Promise<Piece> {
  const silence = AbortSignal.timeout(silenceMaxMs);
  return new Promise((resolve, reject) => {
    silence.addEventListener('abort', () => reject(failed(url, silence.reason)), { once: true });
    piece.then(resolve, (cause) => reject(failed(url, cause)));
  });
}

async function* inflated(url: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Without a callback of its own a failing source would be an unhandled error.
  const pieces = pipeline(
    Readable.from(body, { objectMode: false }),
    createGunzip(),
    () => undefined,
  );
  try {
    for await (const piece of pieces) yield piece as Uint8Array;
  } catch (cause) {
    throw cause instanceof AppError ? cause : failed(url, cause);
  }
}

function nextPage(link: string | string[] | undefined, url: URL): string | null {
  for (const part of [link ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*<)/)) {
    const [, address, rest = ''] = /<([^>]*)>(.*)/.exec(part) ?? [];
    if (address === undefined || !/;\s*rel="?[^";]*\bnext\b/i.test(rest)) continue;
    if (URL.canParse(address, url)) return new URL(address, url).href;
  }
  return null;
}
