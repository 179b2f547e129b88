import type { BaseServices } from '../base-services.ts';
import type { Curations } from '../curation/curations.ts';
import type { Embeddings } from '../indexes/embeddings.ts';
import type { IndexKeeper } from '../indexes/index-keeper.ts';
import type { SharedWork } from '../instances/shared-work.ts';
import type { Learned } from '../learning/learned.ts';
import type { Scoring } from './score-candidates.ts';

/** What a search needs. */
export interface SearchServices extends BaseServices, Pick<SharedWork, 'importMutex'> {
  readonly embeddings: Embeddings;
  /** Catalogues in memory. */
  readonly indexes: IndexKeeper;
  /** How the shops' owners correct their search. */
  readonly curations: Curations;
  /** What earlier customers chose. */
  readonly learned: Learned;
  /** Null: no language model is configured. */
  readonly scoring: Scoring | null;
  /** Signs cursors. It is kept in the database, so that cursors survive a restart. */
  readonly cursorSecret: string;
}
