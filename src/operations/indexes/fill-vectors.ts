import type { Platform } from '../../platform.ts';
import type { LayeredIndex } from '../../search/index/layered-index.ts';
import { findVectors } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { Slices } from './slices.ts';

/** Vectors read and set at once: about 5 ms. */
const VECTORS_AT_ONCE = 512;

/** Vectors set between two pauses: about 1 ms. */
const LATE_AT_ONCE = 64;

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

/**
 * Sets the vectors that were written while the index was loading, including those written during
 * this call.
 */
export async function setLateVectors(
  index: Pick<LayeredIndex, 'setVector'>,
  late: ReadonlyMap<number, Uint8Array | Float32Array>,
  platform: Pick<Platform, 'yield'>,
): Promise<void> {
  let count = 0;
  // Iterating a map includes entries that are added meanwhile.
  for (const [documentKey, vector] of late) {
    index.setVector(documentKey, vector);
    if (++count % LATE_AT_ONCE === 0) await platform.yield();
  }
}
