import type { BaseServices } from '../base-services.ts';
import type { SharedWork } from '../instances/shared-work.ts';

/** What changing curation rules needs. */
export interface CurationServices extends BaseServices, Pick<SharedWork, 'curationMutex'> {}
