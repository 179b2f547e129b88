import type { ImportServices } from '../imports/import-services.ts';
import type { ItemQueue } from './item-queue.ts';
import type { UploadQueue } from './upload-queue.ts';

/** The services that pushes need. */
export interface PushServices extends ImportServices {
  readonly uploads: UploadQueue;
  readonly itemQueue: ItemQueue;
  /** Idempotency-Keys of requests being answered, each with its organization. */
  readonly catalogRequestsInUse: Set<string>;
}
