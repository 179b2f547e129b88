import { join } from 'node:path';
import type { Shop } from '../../domain/organization.ts';
import { redactUrl } from '../../domain/private-data.ts';
import { insertImport } from '../../storage/catalog/imports.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import type { ImportView } from '../imports/list-imports.ts';
import { findImport } from './find-import.ts';
import { answerOnce, type KeyedRequest } from './keyed-requests.ts';
import type { PushServices } from './push-services.ts';
import { UploadFile } from './upload-file.ts';
import type { Upload, UploadOptions } from './upload-queue.ts';

/** What is known of a file's format before it has been read. */
const UNKNOWN_FORMAT = '';

/** A file that a program sends. */
export interface UploadRequest extends UploadOptions {
  readonly shop: Shop;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Null: without an Idempotency-Key. The digest covers everything but the bytes. */
  readonly keyed: KeyedRequest | null;
}

/** Records an import as waiting, and queues it for `importNextUpload`, which then owns source and place. */
export async function queueImport(
  { db, platform, uploads }: PushServices,
  { shop, ...upload }: Omit<Upload, 'shopKey'> & { readonly shop: Shop },
  also: readonly Statement[] = [],
): Promise<void> {
  const { id, options } = upload;
  const { name, full, dryRun, hints } = options;
  const waiting = {
    ...{ id, shopKey: shop.key, source: redactUrl(name), dryRun, startedAt: platform.now() },
    format: hints.format ?? UNKNOWN_FORMAT,
    mode: full === true ? ('full' as const) : ('upsert' as const),
    state: 'waiting' as const,
  };
  await db.write([insertImport(db, waiting), ...also]);
  uploads.add({ ...upload, shopKey: shop.key });
}

/** The import of a received file. */
export interface ReceivedUpload {
  readonly view: ImportView;
  /** Whether an earlier request with the same Idempotency-Key brought the file. */
  readonly isReplay: boolean;
}

/**
 * Writes a file to disk and queues its import, which `importNextUpload` runs. Resolves when the import
 * is on record. Throws `too_large`, `unavailable`, and what `answerOnce` throws.
 */
export async function receiveUpload(
  services: PushServices,
  { shop, bytes, keyed, ...options }: UploadRequest,
): Promise<ReceivedUpload> {
  const { platform, dataFolder, uploads } = services;
  const { organizationKey } = shop;
  await using received = new AsyncDisposableStack();
  const place = received.use(uploads.reserve(organizationKey));
  const id = platform.newId();
  const file = await UploadFile.receive(bytes, join(dataFolder, `import-${id}.upload`));
  received.use(file);
  const request = keyed && { ...keyed, digest: `${keyed.digest}:${file.digest}` };
  const { answer, isReplay } = await answerOnce(
    services,
    { organizationKey, request },
    async (record) => {
      const waiting = { id, shop, source: file, options, place };
      await queueImport(services, waiting, record({ status: 202, body: id }));
      received.move();
      return { status: 202, body: id };
    },
  );
  const view = await findImport(services, shop, answer.body);
  return { view: view!, isReplay };
}
