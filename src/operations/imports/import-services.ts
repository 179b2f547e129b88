import type { SearchServices } from '../search/search-services.ts';
import type { PushLog } from './publish-catalog.ts';

/** The services that imports need; they change what searches see. */
export interface ImportServices extends Omit<SearchServices, 'scoring' | 'cursorSecret'> {
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly pushLog: PushLog;
  /** Absolute path. Rows are spooled here until all have arrived. */
  readonly dataFolder: string;
}
