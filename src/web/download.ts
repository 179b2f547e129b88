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

/** Until the head of an answer: a shop may put its feed together before it sends anything. */
const HEAD_MAX_MS = 30_000;

/** Without a byte of the body: the connection or the server is dead. A slow body is not. */
const STALL_MAX_MS = 30_000;

/** What a server gave to ask later whether anything has changed. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadOptions {
  /** Takes http and addresses that are not of the public Internet. */
  readonly allowPrivate: boolean;
  /** From the last download of the address. */
  readonly validators?: Validators;
  readonly signal: AbortSignal;
  /** Every address of a host, in place of the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Shared with other downloads; one of its own if left out. */
  readonly budget?: DownloadBudget;
  readonly headMaxMs?: number;
  readonly stallMaxMs?: number;
}

type Limits = Required<Pick<DownloadOptions, 'budget' | 'headMaxMs' | 'stallMaxMs'>>;
type LimitedOptions = DownloadOptions & Limits;

export interface Download {
  /** The address after every redirect. */
  readonly url: URL;
  readonly validators: Validators;
  /** Null if the server does not say. */
  readonly sizeBytes: number | null;
  /** Address of the next page, if the server names one (RFC 8288, `rel="next"`). */
  readonly next: string | null;
  /** The file itself: what the server compressed for the transfer is inflated. Can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Asks for a file over https. Null if it has not changed since `validators` were given. Every address
 * of every host on the way is checked, and the connection goes to the address that was checked: a name
 * that resolves differently from one moment to the next leads nowhere else.
 *
 * Three things end a download that takes too long: no head in time, a body that stalls, and the
 * deadline of the budget. A steady body, however slow, only has to meet the deadline.
 *
 * Throws `invalid_input` for an address that is not allowed, `not_found`, `too_large` beyond the budget
 * (while the body is read, too) and `unavailable` for everything that may be better next time. A
 * message names hosts and nothing else of an address: paths and queries of feeds hold secrets.
 */
export async function download(url: string, options: DownloadOptions): Promise<Download | null> {
  const limited: LimitedOptions = {
    headMaxMs: HEAD_MAX_MS,
    stallMaxMs: STALL_MAX_MS,
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
    if (redirects === REDIRECTS_MAX) {
      throw new AppError('unavailable', `${at.host} redirects more than ${REDIRECTS_MAX} times.`);
    }
    if (!URL.canParse(headers.location!, at)) {
      throw new AppError(
        'unavailable',
        `${at.host} redirects to something that is not an address.`,
      );
    }
    at = parseAddress(new URL(headers.location!, at).href, options);
  }
}

function parseAddress(text: string, { allowPrivate }: DownloadOptions): URL {
  if (!URL.canParse(text)) throw new AppError('invalid_input', 'That is not a web address.');
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
function ask(url: URL, options: LimitedOptions): Promise<IncomingMessage> {
  const { validators, headMaxMs, budget } = options;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      // A connection of an earlier request was not checked for this one.
      agent: false,
      lookup: checkedLookup(options),
      // Both end the body too.
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
    const timer = setTimeout(() => asked.destroy(new Error('no head in time')), headMaxMs);
    asked.once('response', resolve);
    asked.once('error', (cause) => reject(failed(url, options, cause)));
    asked.once('response', () => clearTimeout(timer));
    asked.once('error', () => clearTimeout(timer));
    asked.end();
  });
}

/** What to say of whatever went wrong on the way. */
function failed(url: URL, { budget }: Limits, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const message = budget.deadline.aborted
    ? `${url.host} is too slow: the download was given up at its deadline.`
    : `${url.host} does not answer.`;
  return new AppError('unavailable', message, { cause });
}

/** Finds the addresses of a host and passes them on only if each of them may be connected to. */
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
    throw new AppError(code, `${url.host} answers with ${statusCode}.`);
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
    sizeBytes: Number.isNaN(length) ? null : length,
    next: nextPage(headers['link'], url),
    bytes: isPacked ? inflated(url, body, limits) : body,
  };
}

function tooLarge(url: URL): AppError {
  return new AppError('too_large', `${url.host} sends more than 200 MiB.`);
}

/** The body as it arrives. */
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

/** Waits for a piece of the body until the stall timer or the deadline. */
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
  // Without a callback of its own a failing source would be an unhandled error.
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
