import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { CatalogRow } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { finishImport } from '../../storage/catalog/imports.ts';
import {
  countsOf,
  failure,
  type ImportEvent,
  type ImportSummary,
  importRows,
} from '../imports/import-catalog.ts';
import { jsonBlocks } from '../imports/json-blocks.ts';
import { withoutRaw, withPauses } from '../imports/row-streams.ts';
import type { PushServices } from './push-services.ts';
import { UploadErrors } from './upload-errors.ts';
import type { Upload } from './upload-queue.ts';

/**
 * Imports the file that has waited longest; false if none waits. A file that cannot be imported ends as
 * a failed import on record, and throws only what is a bug or the database's refusal.
 */
export async function importNextUpload(services: PushServices): Promise<boolean> {
  const upload = services.uploads.take();
  if (upload === null) return false;
  await using source = upload.source;
  using _place = upload.place;
  services.uploads.progress = { id: upload.id, summary: null };
  try {
    const summary = await importUpload(services, upload);
    await source.ended?.({ state: 'imported', summary: countsOf(summary) });
  } catch (error) {
    if (error instanceof AppError)
      await source.ended?.({ state: 'failed', message: error.message });
    // Without effect if the import has begun, and so is on record already.
    await services.db.write([finishImport(services.db, upload.id, failure(services, error))]);
    if (!(error instanceof AppError) && !services.stopping.aborted) throw error;
  } finally {
    services.uploads.progress = null;
  }
  return true;
}

async function importUpload(services: PushServices, upload: Upload): Promise<ImportSummary> {
  const { db, directory, platform, stopping: signal, uploads } = services;
  const { id, shopKey, options } = upload;
  const { name, hints, ...request } = options;
  const shop = directory.shop(shopKey);
  const source = await upload.source.open(name, hints, signal);
  const rows = source.rows({
    currency: shop.currency,
    shopUrl: shop.domain === null ? null : `https://${shop.domain}`,
    now: platform.now(),
  });
  const errors = new UploadErrors(db, id);
  const whole = withoutDuplicates(withPauses(rows, { platform, signal }));
  return await importRows(
    services,
    { ...request, id, shop, source: name, format: source.format.name },
    {
      lines: jsonBlocks(withFaultsKept(whole, errors)),
      emit: (given) => {
        const event = given as ImportEvent;
        if ('fault' in event) errors.add(event.fault);
        else uploads.progress = { id, summary: event.progress };
      },
    },
  ).finally(() => errors.end(shopKey));
}

/** The rows without their original records; those of faults are kept with the errors. */
async function* withFaultsKept(
  rows: AsyncIterable<CatalogRow>,
  errors: UploadErrors,
): AsyncGenerator<CatalogRow> {
  for await (const row of rows) {
    if ('fault' in row) {
      errors.add(row.fault);
      await errors.flush();
    }
    yield withoutRaw(row);
  }
}
