import type { SearchServices } from '../search/search-services.ts';

/** What imports need: they change what searches see. */
export interface ImportServices extends Omit<SearchServices, 'scoring' | 'cursorSecret'> {
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Absolute. Rows wait here until all of them have arrived. */
  readonly dataFolder: string;
}
