import type { SharedWork } from '../instances/shared-work.ts';
import type { SearchServices } from '../search/search-services.ts';
import type { PushLog } from './push-log.ts';
import type { RowKeys } from './row-keys.ts';

/** The services that imports need; they change what searches see. */
export interface ImportServices
  extends Omit<SearchServices, 'scoring' | 'cursorSecret'>,
    Pick<SharedWork, 'catalogueMutexes'> {
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly pushLog: PushLog;
  readonly rowKeys: RowKeys;
  /** Absolute path. Rows are spooled here until all have arrived. */
  readonly dataFolder: string;
}
