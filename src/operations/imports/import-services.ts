import type { SearchServices } from '../search/search-services.ts';

/** What imports need: they change what searches see. */
export type ImportServices = Omit<SearchServices, 'scoring' | 'cursorSecret'>;
