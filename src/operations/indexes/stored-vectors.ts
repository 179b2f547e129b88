import type { Platform } from '../../platform.ts';
import type { LayeredIndex } from '../../search/index/layered-index.ts';
import { VectorKernel } from '../../search/vectors/vector-kernel.ts';
import { readVector8 } from '../../search/vectors/vector8.ts';
import { findVectors } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { IndexParts } from './index-parts.ts';
import type { Layers } from './layers.ts';
import type { Slices } from './slices.ts';

/** Vectors read at once, and set or added: about 5 ms. */
const VECTORS_AT_ONCE = 512;

/** Vectors set between two pauses: about 1 ms. */
const LATE_AT_ONCE = 64;

/** Where vectors come from. */
interface VectorSource {
  readonly db: Database;
  /** Null: without vectors. */
  readonly model: EmbeddingModel | null;
  readonly slices: Slices;
}

/** Sets the vectors that the database has and the index lacks. */
export async function fillVectors(
  index: Pick<LayeredIndex, 'lackingVectors' | 'setVector'>,
  { db, model, slices }: VectorSource,
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

/** Appends the stored vector of each document, or none where the model has read no such text yet. */
export async function appendVectors(
  vectors: VectorKernel,
  documentKeys: readonly number[],
  { db, model }: { readonly db: Database; readonly model: EmbeddingModel },
): Promise<void> {
  const stored = await findVectors(db, documentKeys, model.key);
  for (const key of documentKeys) {
    const vector = stored.get(key);
    vectors.append(vector === undefined ? null : readVector8(vector, model.dimensions));
  }
}

/**
 * The same layers with the stored vectors of a model in place of their own. They share the memory of
 * everything else.
 */
export async function replaceVectors(layers: Layers, source: VectorSource): Promise<Layers> {
  const { base, overlay } = layers;
  return {
    base: await replaceVectorsIn(base, source),
    overlay: overlay && (await replaceVectorsIn(overlay, source)),
  };
}

/** As `replaceVectors`, of one layer. */
export async function replaceVectorsIn(
  parts: IndexParts,
  { db, model, slices }: VectorSource,
): Promise<IndexParts> {
  const { index } = parts;
  const vectors = model && new VectorKernel(model.dimensions);
  for (let at = 0; model !== null && at < index.placeCount; at += VECTORS_AT_ONCE) {
    await slices.pause();
    const count = Math.min(VECTORS_AT_ONCE, index.placeCount - at);
    const keys = Array.from({ length: count }, (_, place) => index.documentKey(at + place));
    await appendVectors(vectors!, keys, { db, model });
  }
  if (vectors !== null) await slices.run(vectors.seal());
  return { ...parts, id: Symbol('index'), index: index.withVectors(vectors) };
}
