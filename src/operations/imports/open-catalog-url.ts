import { Readable } from 'node:stream';
import { parseJson } from '../../catalog/bytes/json-text.ts';
import { type OpenedSource, openSource, type SourceHints } from '../../catalog/open-source.ts';
import { isJsonObject } from '../../catalog/record/json-fields.ts';
import type { CatalogRow, ReaderOptions } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import {
  DOWNLOAD_BYTES_MAX,
  type Download,
  type DownloadOptions,
  download,
  type Validators,
} from '../../web/download.ts';

/** Pages of one shop: 25,000 products are what a storefront gives out. */
const PAGES_MAX = 1000;
const PAGE_SIZE = '250';

const POLICIES = ['refund-policy', 'shipping-policy', 'privacy-policy', 'terms-of-service'];

export interface CatalogUrl {
  readonly source: OpenedSource;
  /** To ask next time whether anything has changed; null where nothing can be asked so. */
  readonly validators: Validators | null;
  /** Null if the server does not say. */
  readonly sizeBytes: number | null;
  readBytes(): number;
}

/**
 * Opens a catalogue at an address, or null if it is as it was when `validators` were given. Pages of
 * Shopify's `products.json` and `pages.json` follow one another, and a shop's root also gives its
 * pages, its policies and what it says of itself. Throws as `download` and `openSource` do.
 */
export async function openCatalogUrl(
  url: string,
  hints: SourceHints,
  options: DownloadOptions,
): Promise<CatalogUrl | null> {
  const shopify = shopifyAddress(url);
  const whole = shopify === null ? options : withoutValidators(options);
  const first = await download(shopify?.href ?? url, whole);
  if (first === null) return null;
  const downloads = [first];
  const fetchMore = async (address: string) => {
    const spent = readBytes();
    const more = await download(address, {
      ...withoutValidators(options),
      bytesMax: Math.max(0, (options.bytesMax ?? DOWNLOAD_BYTES_MAX) - spent),
    });
    if (more !== null) downloads.push(more);
    return more;
  };
  const readBytes = () => downloads.reduce((sum, each) => sum + each.readBytes(), 0);
  const opened = await openSource({ name: nameOf(first.url), bytes: first.bytes }, hints);
  const isPaged = shopify !== null && opened.format.name === 'shopify-json';
  const pages = { first, opened, hints, fetchMore };
  return {
    source: isPaged ? { ...opened, rows: (reading) => readShop(pages, reading) } : opened,
    // Of several pages the first may stay the same while others change.
    validators: isPaged ? null : first.validators,
    sizeBytes: isPaged ? null : first.sizeBytes,
    readBytes,
  };
}

function withoutValidators(options: DownloadOptions): DownloadOptions {
  const { validators: _, ...rest } = options;
  return rest;
}

/** The address of a Shopify list with the largest pages that there are, or null for any other. */
function shopifyAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/\/(?:products|pages)\.json$/.test(url.pathname)) return null;
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', PAGE_SIZE);
  return url;
}

function nameOf(url: URL): string {
  const name = url.pathname.split('/').at(-1) ?? '';
  return name === '' ? url.hostname : name;
}

type Reading = Omit<ReaderOptions, 'mapping'>;

interface Pages {
  readonly first: Download;
  readonly opened: OpenedSource;
  readonly hints: SourceHints;
  fetchMore(address: string): Promise<Download | null>;
}

async function* readShop(pages: Pages, reading: Reading): AsyncGenerator<CatalogRow> {
  const { first, fetchMore } = pages;
  const { origin, pathname } = first.url;
  if (pathname !== '/products.json') {
    yield* readPages(pages, reading);
    return;
  }
  const shop = await optional(fetchMore(`${origin}/meta.json`));
  const about = shop === null ? null : Buffer.concat(await Array.fromAsync(shop.bytes));
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
    const opened = await openSource({ name: 'pages.json', bytes: contexts.bytes }, SHOPIFY);
    yield* readPages({ ...pages, first: contexts, opened }, quiet);
  }
  for (const policy of POLICIES) {
    const page = await optional(fetchMore(`${origin}/policies/${policy}`));
    if (page === null || page.url.pathname !== `/policies/${policy}`) continue;
    const source = { name: `policies/${policy}`, bytes: page.bytes };
    yield* (await openSource(source, { format: 'html-page' })).rows(quiet);
  }
}

const SHOPIFY = { format: 'shopify-json' };

/** The products say nothing of their currency: the shop does. */
function currencyOf(about: Uint8Array | null): string | null {
  if (about === null) return null;
  const { value } = parseJson(new TextDecoder().decode(about));
  const currency = isJsonObject(value) ? value['currency'] : null;
  return typeof currency === 'string' && isCurrency(currency) ? currency : null;
}

/** A page after the other until one is empty; a server that names the next one is believed. */
async function* readPages(
  { first, opened, hints, fetchMore }: Pages,
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
    source = await openSource(
      { name: nameOf(page.url), bytes: page.bytes },
      { ...hints, ...SHOPIFY },
    );
  }
}

function withoutColumns({ onColumns: _, ...reading }: Reading): Reading {
  return reading;
}

/** Null where the server goes by cursors: then the last page names no next one. */
function followingPage(url: URL): string | null {
  if (url.searchParams.has('page_info')) return null;
  const next = new URL(url);
  next.searchParams.set('page', String(Number(url.searchParams.get('page') ?? '1') + 1));
  return next.href;
}

/** What a shop need not have. Anything but its absence is an error. */
function optional(asked: Promise<Download | null>): Promise<Download | null> {
  return asked.catch((error) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
}
