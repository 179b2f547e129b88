import type { LayeredIndex } from '../../search/index/layered-index.ts';
import { findVectors } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { Slices } from './slices.ts';

/** Vectors read and set at once: about 5 ms. */
const VECTORS_AT_ONCE = 512;

/** Sets the vectors that the database has and the index lacks. */
export async function fillVectors(
  index: Pick<LayeredIndex, 'lackingVectors' | 'setVector'>,
  { db, model, slices }: { db: Database; model: EmbeddingModel | null; slices: Slices },
): Promise<void> {
  if (model === null) return;
  const lacking = index.lackingVectors(Number.POSITIVE_INFINITY);
  for (let at = 0; at < lacking.length; at += VECTORS_AT_ONCE) {
    await slices.pause();
    const keys = lacking.slice(at, at + VECTORS_AT_ONCE);
    for (const [key, vector] of await findVectors(db, keys, model.key))
      index.setVector(key, vector);
  }
}
