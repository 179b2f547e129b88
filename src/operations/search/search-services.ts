import type { BaseServices } from '../base-services.ts';
import type { SharedWork } from '../instances/shared-work.ts';
import type { Embeddings } from './embeddings.ts';
import type { IndexKeeper } from './index-keeper.ts';
import type { Scoring } from './score-candidates.ts';

/** What a search needs. */
export interface SearchServices extends BaseServices, Pick<SharedWork, 'importMutex'> {
  readonly embeddings: Embeddings;
  /** Catalogues in memory. */
  readonly indexes: IndexKeeper;
  /** Null: no language model is configured. */
  readonly scoring: Scoring | null;
  /** Signs cursors. It is kept in the database, so that cursors survive a restart. */
  readonly cursorSecret: string;
}
