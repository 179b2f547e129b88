import { AppError } from '../../domain/errors.ts';
import { type Client, documentedClient } from '../../oauth/client.ts';
import { type Reading, refused } from '../../oauth/oauth-fault.ts';
import type { Platform } from '../../platform.ts';
import { download } from '../../web/download.ts';
import { DownloadBudget } from '../../web/download-budget.ts';

const BYTES_MAX = 64 * 1024;
const FETCH_MAX_MS = 5000;

/** How long a document is cached, and the size of the cache, which evicts the oldest. */
const KEPT_MS = 10 * 60_000;
const KEPT_MAX = 200;

/** Most downloads at a time, because strangers choose the addresses. */
const FETCHES_MAX = 8;

/** Fetches a JSON document. Throws an `AppError`. */
export type FetchDocument = (url: string, signal: AbortSignal) => Promise<unknown>;

interface Kept {
  readonly client: Client;
  readonly untilMs: number;
}

/** Clients whose id is the address of a document that describes them. */
export class ClientDocuments {
  readonly #platform: Platform;
  readonly #stopping: AbortSignal;
  readonly #fetch: FetchDocument;
  readonly #kept = new Map<string, Kept>();
  #fetches = 0;

  constructor(options: {
    readonly platform: Platform;
    readonly stopping: AbortSignal;
    readonly fetch?: FetchDocument;
  }) {
    this.#platform = options.platform;
    this.#stopping = options.stopping;
    this.#fetch = options.fetch ?? fetchDocument;
  }

  /** The client if its document is in the cache, else null. */
  known(url: string): Client | null {
    const kept = this.#kept.get(url);
    return kept !== undefined && kept.untilMs > this.#platform.monotonicMs() ? kept.client : null;
  }

  /** The client as its document describes it now, or why there is none. */
  async read(url: string): Promise<Reading<Client>> {
    if (this.#fetches >= FETCHES_MAX)
      return refused('temporarily_unavailable', 'Too many clients are being looked up: try again.');
    this.#fetches += 1;
    try {
      const found = documentedClient(url, await this.#fetch(url, this.#stopping));
      if ('value' in found) this.#keep(url, found.value);
      return found;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#platform.log('info', 'client_document_refused', { cause: error.message });
      return refused('invalid_client', 'The document about the client cannot be fetched.');
    } finally {
      this.#fetches -= 1;
    }
  }

  #keep(url: string, client: Client): void {
    this.#kept.delete(url);
    this.#kept.set(url, { client, untilMs: this.#platform.monotonicMs() + KEPT_MS });
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

/** Downloads from public addresses only and, as the draft demands, follows no redirect. */
async function fetchDocument(url: string, signal: AbortSignal): Promise<unknown> {
  const found = await download(url, {
    allowPrivate: false,
    redirectsMax: 0,
    signal,
    budget: new DownloadBudget({ bytesMax: BYTES_MAX, totalMaxMs: FETCH_MAX_MS }),
    headMaxMs: FETCH_MAX_MS,
    stallMaxMs: FETCH_MAX_MS,
  });
  const { url: address, mediaType, bytes } = found!;
  // On a site that hosts files of many users, a text may be anybody's.
  if (!/^application\/(?:json|[^\s/]+\+json)$/.test(mediaType))
    throw new AppError(
      'invalid_input',
      `${address.host}: the document is not of a JSON media type.`,
    );
  const pieces = await Array.fromAsync(bytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch (cause) {
    throw new AppError('invalid_input', `${address.host}: the document is not JSON.`, { cause });
  }
}
