import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../domain/errors.ts';
import { addressOf, isPublicAddress } from './addresses.ts';
import { DownloadBudget } from './download-budget.ts';

const REDIRECTS_MAX = 10;

/** Longest wait for response headers: a shop may build its feed before it sends anything. */
const HEAD_MAX_MS = 30_000;

/** Longest pause in a body. After this, the connection or the server is dead, not merely slow. */
const STALL_MAX_MS = 30_000;

/** A server's cache validators, for a later conditional request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadOptions {
  /** Permits http, and addresses outside the public Internet. */
  readonly allowPrivate: boolean;
  /** From the last download of this URL. */
  readonly validators?: Validators;
  readonly signal: AbortSignal;
  /** Returns every IP address of a host, in place of the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Shared with other downloads; a new budget if omitted. */
  readonly budget?: DownloadBudget;
  readonly headMaxMs?: number;
  readonly stallMaxMs?: number;
  /** Ten by default. */
  readonly redirectsMax?: number;
}

type Limits = Required<
  Pick<DownloadOptions, 'budget' | 'headMaxMs' | 'stallMaxMs' | 'redirectsMax'>
>;
type LimitedOptions = DownloadOptions & Limits;

export interface Download {
  /** The URL after all redirects. */
  readonly url: URL;
  readonly validators: Validators;
  /** In lower case, without parameters; empty if the server states none. */
  readonly mediaType: string;
  /** Null if the server does not state the size. */
  readonly sizeBytes: number | null;
  /** URL of the next page (RFC 8288, `rel="next"`); null if there is none. */
  readonly next: string | null;
  /** The file, with any transfer compression removed. Can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Requests a file over https. Null if it has not changed since `validators` were issued. Every IP
 * address of every host, redirects included, is checked, and the connection goes to the address that
 * was checked, so DNS rebinding cannot lead it elsewhere.
 *
 * A download ends early if the headers are late, the body stalls, or the budget's deadline passes. A
 * steady body, however slow, only has to meet the deadline.
 *
 * Throws `invalid_input` for an address that is not allowed, `not_found`, `too_large` beyond the budget
 * (also while the body is read) and `unavailable` for every failure that may be temporary. A message
 * names only the host of a URL, because paths and queries of feeds contain secrets.
 */
export async function download(url: string, options: DownloadOptions): Promise<Download | null> {
  const limited: LimitedOptions = {
    headMaxMs: HEAD_MAX_MS,
    stallMaxMs: STALL_MAX_MS,
    redirectsMax: REDIRECTS_MAX,
    ...options,
    budget: options.budget ?? new DownloadBudget(),
  };
  let at = parseAddress(url, options);
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(at, limited);
    const { statusCode = 0, headers } = response;
    if (statusCode === 304) {
      response.destroy();
      return null;
    }
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location;
    if (!isRedirect) return opened(at, response, limited);
    response.destroy();
    if (redirects === limited.redirectsMax) {
      throw new AppError(
        'unavailable',
        `${at.host} redirects more than ${limited.redirectsMax} times.`,
      );
    }
    if (!URL.canParse(headers.location!, at)) {
      throw new AppError('unavailable', `${at.host} redirects to an invalid address.`);
    }
    at = parseAddress(new URL(headers.location!, at).href, options);
  }
}

function parseAddress(text: string, { allowPrivate }: DownloadOptions): URL {
  if (!URL.canParse(text)) throw new AppError('invalid_input', 'This is not a web address.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new AppError('invalid_input', `${url.host}: only https addresses are accepted.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('invalid_input', `${url.host}: the address must not contain a user name.`);
  }
  const address = addressOf(url.hostname);
  if (address !== null && !allowPrivate && !isPublicAddress(address)) throw notPublic(url.hostname);
  return url;
}

function notPublic(hostname: string): AppError {
  return new AppError(
    'invalid_input',
    `${hostname} is not on the public Internet. To permit it, use --allow-private.`,
  );
}

/** Sends the request and waits for the response headers. */
function ask(url: URL, options: LimitedOptions): Promise<IncomingMessage> {
  const { validators, headMaxMs, budget } = options;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      // A pooled connection would bypass the check of this request's address.
      agent: false,
      lookup: checkedLookup(options),
      // Both also abort the body.
      signal: AbortSignal.any([options.signal, budget.deadline]),
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
    const timer = setTimeout(
      () => asked.destroy(new Error('no response headers in time')),
      headMaxMs,
    );
    asked.once('response', resolve);
    asked.once('error', (cause) => reject(failed(url, options, cause)));
    asked.once('response', () => clearTimeout(timer));
    asked.once('error', () => clearTimeout(timer));
    asked.end();
  });
}

/** The error to report for a request that failed. */
function failed(url: URL, { budget }: Limits, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const message = budget.deadline.aborted
    ? `${url.host} is too slow: the download did not finish in time.`
    : `${url.host} does not respond.`;
  return new AppError('unavailable', message, { cause });
}

/** A DNS lookup that fails unless every address of the host is permitted. */
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

function opened(url: URL, response: IncomingMessage, limits: Limits): Download {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    const code = statusCode === 404 || statusCode === 410 ? 'not_found' : 'unavailable';
    throw new AppError(code, `${url.host} responds with status ${statusCode}.`);
  }
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isNaN(length) && !limits.budget.allows(length)) {
    response.destroy();
    throw tooLarge(url);
  }
  const body = received(url, response, limits);
  const isPacked = headers['content-encoding'] === 'gzip';
  return {
    url,
    validators: {
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    },
    mediaType: (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase(),
    sizeBytes: Number.isNaN(length) ? null : length,
    next: nextPage(headers['link'], url),
    bytes: isPacked ? inflated(url, body, limits) : body,
  };
}

function tooLarge(url: URL): AppError {
  return new AppError('too_large', `${url.host} sends more than 200 MiB.`);
}

/** The body as received, before decompression. */
async function* received(
  url: URL,
  response: IncomingMessage,
  limits: Limits,
): AsyncGenerator<Uint8Array> {
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const piece = await orStall(url, pieces.next(), limits);
      if (piece.done === true) return;
      if (!limits.budget.receive(piece.value.length)) throw tooLarge(url);
      yield piece.value;
    }
  } finally {
    response.destroy();
  }
}

/** Waits for the next chunk of the body, until the stall timer or the deadline. */
function orStall<Piece>(url: URL, piece: Promise<Piece>, limits: Limits): Promise<Piece> {
  const { deadline } = limits.budget;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      deadline.removeEventListener('abort', late);
    };
    const late = () => {
      end();
      reject(failed(url, limits, deadline.reason));
    };
    const stalled = () => {
      end();
      reject(new AppError('unavailable', `${url.host} stopped sending.`));
    };
    const timer = setTimeout(stalled, limits.stallMaxMs);
    deadline.addEventListener('abort', late);
    piece.finally(end).then(resolve, (cause) => reject(failed(url, limits, cause)));
    if (deadline.aborted) late();
  });
}

async function* inflated(
  url: URL,
  body: AsyncIterable<Uint8Array>,
  limits: Limits,
): AsyncGenerator<Uint8Array> {
  // Without a callback, a failing source would raise an unhandled error.
  const pieces = pipeline(
    Readable.from(body, { objectMode: false }),
    createGunzip(),
    () => undefined,
  );
  try {
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      if (!limits.budget.inflate(piece.length)) throw tooLarge(url);
      yield piece;
    }
  } catch (cause) {
    throw failed(url, limits, cause);
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
