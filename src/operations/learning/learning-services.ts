import type { BaseServices } from '../base-services.ts';
import type { Embeddings } from '../indexes/embeddings.ts';
import type { Learned } from './learned.ts';

/** What learning from hits needs. */
export interface LearningServices extends BaseServices {
  readonly embeddings: Embeddings;
  readonly learned: Learned;
}
