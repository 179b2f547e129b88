import { Readable } from 'node:stream';
import { parseJson } from '../../catalog/bytes/json-text.ts';
import { type OpenedSource, openSource, type SourceHints } from '../../catalog/open-source.ts';
import { isJsonObject } from '../../catalog/record/json-fields.ts';
import type { CatalogRow, ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import {
  type Download,
  type DownloadOptions,
  download,
  type Validators,
} from '../../web/download.ts';
import { DownloadBudget } from '../../web/download-budget.ts';

/** Most pages of one shop; a storefront lists at most 25,000 products. */
const PAGES_MAX = 1000;
const PAGE_SIZE = '250';

/** Limit for `meta.json`, a small object that is read whole. */
const FACTS_BYTES_MAX = 1024 * 1024;

const POLICIES = ['refund-policy', 'shipping-policy', 'privacy-policy', 'terms-of-service'];

export interface CatalogUrl {
  readonly source: OpenedSource;
  /** For the next conditional request; null if none is possible. */
  readonly validators: Validators | null;
  /** Null if the server does not state the size. */
  readonly sizeBytes: number | null;
  readBytes(): number;
}

/**
 * Opens a catalogue at a URL; null if it has not changed since `validators` were issued. Reads every page
 * of Shopify's `products.json` and `pages.json`. The `products.json` at a shop's root also brings the
 * shop's pages, policies and `meta.json`. All downloads share one budget. Throws as `download` and
 * `openSource` do.
 */
export async function openCatalogUrl(
  url: string,
  hints: SourceHints,
  options: DownloadOptions,
): Promise<CatalogUrl | null> {
  const shopify = shopifyAddress(url);
  const budget = options.budget ?? new DownloadBudget();
  const plain = { ...withoutValidators(options), budget };
  const first = await download(
    shopify?.href ?? url,
    shopify === null ? { ...options, budget } : plain,
  );
  if (first === null) return null;
  const fetchMore = (address: string) => download(address, plain);
  // The same limit applies to a compressed file and to transfer compression.
  const open = (name: string, { bytes }: Download, hints: SourceHints) =>
    openSource({ name, bytes }, hints, budget.bytesMax);
  const opened = await open(nameOf(first.url), first, hints);
  const isPaged = shopify !== null && opened.format.name === 'shopify-json';
  const pages = { first, opened, hints, fetchMore, open };
  return {
    source: isPaged ? { ...opened, rows: (reading) => readShop(pages, reading) } : opened,
    // The first page may be unchanged while others change.
    validators: isPaged ? null : first.validators,
    sizeBytes: isPaged ? null : first.sizeBytes,
    readBytes: () => budget.received,
  };
}

function withoutValidators(options: DownloadOptions): DownloadOptions {
  const { validators: _, ...rest } = options;
  return rest;
}

/** The URL of a Shopify list with the largest page size; null for any other URL. */
function shopifyAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/\/(?:products|pages)\.json$/.test(url.pathname)) return null;
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', PAGE_SIZE);
  return url;
}

/** The file's name in messages: the end of its URL, or the host if that looks like a secret. */
function nameOf(url: URL): string {
  const name = url.pathname.split('/').at(-1) ?? '';
  return name === '' || SECRET.test(name) ? url.hostname : name;
}

/** Many feeds have an unguessable URL instead of a password. */
const SECRET = /(?=[a-z-]*\d)[a-z\d-]{16,}/i;

type Reading = Omit<ReaderOptions, 'mapping'>;

interface Pages {
  readonly first: Download;
  readonly opened: OpenedSource;
  readonly hints: SourceHints;
  fetchMore(address: string): Promise<Download | null>;
  open(name: string, file: Download, hints: SourceHints): Promise<OpenedSource>;
}

async function* readShop(pages: Pages, reading: Reading): AsyncGenerator<CatalogRow> {
  const { first, fetchMore, open } = pages;
  const { origin, pathname } = first.url;
  if (pathname !== '/products.json') {
    yield* readPages(pages, reading);
    return;
  }
  const shop = await optional(fetchMore(`${origin}/meta.json`));
  const about = shop === null ? null : await readFacts(shop);
  const shopUrl = reading.shopUrl ?? origin;
  const own = { ...reading, shopUrl, currency: currencyOf(about) ?? reading.currency };
  yield* readPages(pages, own);
  const quiet = withoutColumns(own);
  if (about !== null) {
    const source = { name: 'meta.json', bytes: Readable.from([about]) };
    yield* (await openSource(source, SHOPIFY)).rows(quiet);
  }
  const contexts = await optional(fetchMore(`${origin}/pages.json?limit=${PAGE_SIZE}`));
  if (contexts !== null) {
    const opened = await open('pages.json', contexts, SHOPIFY);
    yield* readPages({ ...pages, first: contexts, opened }, quiet);
  }
  for (const policy of POLICIES) {
    const page = await optional(fetchMore(`${origin}/policies/${policy}`));
    if (page === null || page.url.pathname !== `/policies/${policy}`) continue;
    yield* (await open(`policies/${policy}`, page, { format: 'html-page' })).rows(quiet);
  }
}

async function readFacts({ url, bytes }: Download): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > FACTS_BYTES_MAX)
      throw new AppError('too_large', `${url.host}: meta.json is larger than 1 MiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const SHOPIFY = { format: 'shopify-json' };

/** Reads the currency from the shop's facts, because its products do not state it. */
function currencyOf(about: Uint8Array | null): string | null {
  if (about === null) return null;
  const { value } = parseJson(new TextDecoder().decode(about));
  const currency = isJsonObject(value) ? value['currency'] : null;
  return typeof currency === 'string' && isCurrency(currency) ? currency : null;
}

/** Reads pages until one is empty. Follows the server's links to next pages. */
async function* readPages(
  { first, opened, hints, fetchMore, open }: Pages,
  reading: Reading,
): AsyncGenerator<CatalogRow> {
  let [page, source] = [first, opened];
  for (let count = 1; ; count += 1) {
    let rowCount = 0;
    for await (const row of source.rows(count === 1 ? reading : withoutColumns(reading))) {
      rowCount += 1;
      yield row;
    }
    const next = page.next ?? followingPage(page.url);
    if (rowCount === 0 || next === null) return;
    if (count === PAGES_MAX) {
      throw new AppError('too_large', `${page.url.host} has more than ${PAGES_MAX} pages.`);
    }
    const following = await fetchMore(next);
    if (following === null) return;
    page = following;
    source = await open(nameOf(page.url), page, { ...hints, ...SHOPIFY });
  }
}

function withoutColumns({ onColumns: _, ...reading }: Reading): Reading {
  return reading;
}

/** Null if the server uses cursors, because its last page then has no next link. */
function followingPage(url: URL): string | null {
  if (url.searchParams.has('page_info')) return null;
  const next = new URL(url);
  next.searchParams.set('page', String(Number(url.searchParams.get('page') ?? '1') + 1));
  return next.href;
}

/** Null for an optional file that does not exist. Any other failure is an error. */
function optional(asked: Promise<Download | null>): Promise<Download | null> {
  return asked.catch((error) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
}
