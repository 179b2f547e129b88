import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { CatalogRow } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import {
  type CatalogSourceRow,
  findDueSource,
  updateCatalogSource,
} from '../../storage/catalog/catalog-sources.ts';
import { hintsOf, isFull, type SourceResult } from './catalog-sources.ts';
import { importCatalog } from './import-catalog.ts';
import type { ImportServices } from './import-services.ts';
import { jsonBlocks } from './json-blocks.ts';
import { openCatalogUrl } from './open-catalog-url.ts';

/** Wait after a first failure; twice as long after each further one, at most until the usual time. */
const RETRY_MS = 60_000;

/** Rows between two pauses, so that reading holds the event loop for some milliseconds only. */
const ROWS_AT_ONCE = 100;

/** Addresses that are fetched side by side. */
const AT_ONCE = 4;

/**
 * Imports from the addresses that are due: one of an organization at a time, and several organizations
 * side by side, so that a server that stalls delays only its own organization. What an import found is
 * kept with its address. An address stays due until then, so that one that a stop interrupted is fetched
 * again.
 */
export class SourceRefreshes {
  readonly #services: ImportServices;
  readonly #signal: AbortSignal;
  /** By organization. */
  readonly #running = new Map<number, Promise<void>>();

  constructor(services: ImportServices, signal: AbortSignal) {
    this.#services = services;
    this.#signal = signal;
  }

  /** Begins with the address that has been due for longest; false when none can begin now. One call at a time. */
  async startNext(): Promise<boolean> {
    const { db, directory, platform } = this.#services;
    if (this.#running.size === AT_ONCE) return false;
    const busy = [...this.#running.keys()].flatMap((key) => directory.shopsOf(key));
    const shopKeys = busy.map(({ key }) => key);
    const source = await findDueSource(db, platform.now(), shopKeys);
    if (source === null) return false;
    const shop = directory.shop(source.shopKey);
    const { organizationKey } = shop;
    const running = this.#run({ source, shop, signal: this.#signal });
    this.#running.set(
      organizationKey,
      running.finally(() => this.#running.delete(organizationKey)),
    );
    return true;
  }

  /** Resolves once nothing is being fetched. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Never rejects: what cannot be recorded is logged, and holds its organization back for a while. */
  async #run(refresh: Refresh): Promise<void> {
    const { platform } = this.#services;
    try {
      await refreshSource(this.#services, refresh);
    } catch (error) {
      if (this.#signal.aborted) return;
      platform.log('error', 'catalog_source_not_recorded', { cause: String(error) });
      await platform.sleep(RETRY_MS, this.#signal);
    }
  }
}

interface Refresh {
  readonly source: CatalogSourceRow;
  readonly shop: Shop;
  readonly signal: AbortSignal;
}

async function refreshSource(services: ImportServices, refresh: Refresh): Promise<void> {
  const { db, platform } = services;
  const { source, shop, signal } = refresh;
  const outcome = await importSource(services, refresh).catch((error: unknown) => {
    if (signal.aborted) throw error;
    if (error instanceof AppError) return error;
    // Kept as a failure all the same, or it would be tried again at once.
    platform.log('error', 'catalog_source_failed', { cause: String(error) });
    return new AppError('internal', 'The import failed: the log says why.', { cause: error });
  });
  const isFailed = outcome instanceof AppError;
  const failures = isFailed ? source.failures + 1 : 0;
  const everyMs = source.everyMs!;
  const waitMs = isFailed ? Math.min(everyMs, RETRY_MS * 2 ** Math.min(failures - 1, 20)) : everyMs;
  const result: SourceResult = isFailed
    ? { state: 'failed', message: outcome.message }
    : outcome.result;
  platform.log(isFailed ? 'warn' : 'info', 'catalog_source', {
    shop: shop.handle,
    host: new URL(source.url).host,
    ...result,
  });
  await db.write([
    updateCatalogSource(db, source.key, {
      failures,
      nextAt: platform.now() + waitMs,
      lastAt: platform.now(),
      lastResult: JSON.stringify(result),
      ...(isFailed ? {} : outcome.validators),
    }),
  ]);
}

async function importSource(
  services: ImportServices,
  { source, shop, signal }: Refresh,
): Promise<{
  result: SourceResult;
  validators: { etag?: string | null; lastModified?: string | null };
}> {
  const { directory, platform } = services;
  const { etag, lastModified } = source;
  const opened = await openCatalogUrl(source.url, hintsOf(source), {
    allowPrivate: source.allowPrivate === 1,
    validators: { etag, lastModified },
    signal,
  });
  if (opened === null) return { result: { state: 'unchanged' }, validators: {} };
  const rows = opened.source.rows({
    currency: shop.currency,
    shopUrl: shop.domain === null ? null : `https://${shop.domain}`,
    now: platform.now(),
  });
  const summary = await importCatalog.run(
    services,
    {
      organization: directory.organization(shop.organizationKey).id,
      shop: shop.handle,
      source: source.url,
      format: opened.source.format.name,
      full: isFull(source),
      dryRun: false,
    },
    {
      lines: jsonBlocks(paused(withoutDuplicates(rows), { services, signal })),
      emit: () => undefined,
    },
  );
  const validators = opened.validators ?? { etag: null, lastModified: null };
  return { result: { state: 'imported', summary: { ...summary } }, validators };
}

/** Lets others on between rows. Throws when the service stops, so that half a feed is no catalogue. */
async function* paused(
  rows: AsyncIterable<CatalogRow>,
  { services, signal }: { services: ImportServices; signal: AbortSignal },
): AsyncGenerator<CatalogRow> {
  let count = 0;
  for await (const row of rows) {
    signal.throwIfAborted();
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await services.platform.yield();
    yield row;
  }
}
