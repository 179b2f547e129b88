import { VectorKernel } from '../../search/vectors/vector-kernel.ts';
import { readVector8 } from '../../search/vectors/vector8.ts';
import { findVectors } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { IndexParts } from './index-parts.ts';
import type { Layers } from './load-layers.ts';
import type { Slices } from './slices.ts';

/** Vectors read and added at once: about 5 ms. */
const VECTORS_AT_ONCE = 512;

interface Replacement {
  readonly db: Database;
  /** Null: without vectors. */
  readonly model: EmbeddingModel | null;
  readonly slices: Slices;
}

/**
 * The same layers with the stored vectors of a model in place of their own. They share the memory of
 * everything else.
 */
export async function replaceVectors(layers: Layers, replacement: Replacement): Promise<Layers> {
  const { base, overlay } = layers;
  return {
    base: await replaceVectorsIn(base, replacement),
    overlay: overlay && (await replaceVectorsIn(overlay, replacement)),
  };
}

/** As `replaceVectors`, of one layer. */
export async function replaceVectorsIn(
  parts: IndexParts,
  { db, model, slices }: Replacement,
): Promise<IndexParts> {
  const { index } = parts;
  const vectors = model && new VectorKernel(model.dimensions);
  for (let at = 0; model !== null && at < index.placeCount; at += VECTORS_AT_ONCE) {
    await slices.pause();
    const count = Math.min(VECTORS_AT_ONCE, index.placeCount - at);
    const keys = Array.from({ length: count }, (_, place) => index.documentKey(at + place));
    const found = await findVectors(db, keys, model.key);
    for (const key of keys) {
      const vector = found.get(key);
      vectors!.append(vector === undefined ? null : readVector8(vector, model.dimensions));
    }
  }
  if (vectors !== null) await slices.run(vectors.seal());
  return { ...parts, id: Symbol('index'), index: index.withVectors(vectors) };
}
