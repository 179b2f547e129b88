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

/**
 * Imports from the address that has been due for longest; false when none is. What it found is kept
 * with it. A source stays due until then, so that one that a stop interrupted is asked again.
 */
export async function refreshNextSource(
  services: ImportServices,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, directory, platform } = services;
  const source = await findDueSource(db, platform.now());
  if (source === null) return false;
  const shop = directory.shop(source.shopKey);
  const outcome = await refresh(services, { source, shop, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    if (error instanceof AppError) return error;
    // Kept as a failure all the same, or it would be in the way of every other source.
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
  return true;
}

interface Refresh {
  readonly source: CatalogSourceRow;
  readonly shop: Shop;
  readonly signal: AbortSignal;
}

async function refresh(
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
