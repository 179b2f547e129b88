import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import {
  type CatalogSourceRow,
  findDueSource,
  updateCatalogSource,
} from '../../storage/catalog/catalog-sources.ts';
import { countsOf, importCatalog } from '../imports/import-catalog.ts';
import type { ImportServices } from '../imports/import-services.ts';
import { jsonBlocks } from '../imports/json-blocks.ts';
import { withPauses } from '../imports/row-streams.ts';
import { hintsOf, isFull, type SourceResult } from './catalog-sources.ts';
import { openCatalogUrl } from './open-catalog-url.ts';

/** Wait after the first failure; doubles with each further one, up to the normal interval. */
const RETRY_MS = 60_000;

/** URLs that are fetched concurrently. */
const AT_ONCE = 4;

/**
 * Imports from the URLs that are due: one per organization at a time, and several organizations
 * concurrently, so that a stalling server delays only its own organization. The result is stored with
 * the URL. A URL stays due until then, so that an import interrupted by a stop runs again.
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

  /** Starts the URL that has been due longest; returns false if none can start now. Do not call concurrently. */
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

  /** Resolves once no fetch is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Never rejects. A failure to record the result is logged and pauses the organization for a while. */
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
    // Recorded as a failure, so that it is not retried at once.
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
  const opened = await openCatalogUrl(source.url, hintsOf(services.db, source), {
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
      full: isFull(services.db, source),
      dryRun: false,
    },
    {
      lines: jsonBlocks(withPauses(withoutDuplicates(rows), { platform, signal })),
      emit: () => undefined,
    },
  );
  const validators = opened.validators ?? { etag: null, lastModified: null };
  return { result: { state: 'imported', summary: countsOf(summary) }, validators };
}
