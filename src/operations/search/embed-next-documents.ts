import { documentTexts } from '../../search/index/documents.ts';
import { findBodies } from '../../storage/catalog/items.ts';
import { findUnembedded, forgetOtherVectors, saveVectors } from '../../storage/catalog/vectors.ts';
import type { SearchServices } from './search-services.ts';

/** Documents read by the model before their vectors are written in one transaction. */
const BATCH_DOCUMENTS = 64;

/** Vectors of a former model forgotten in one transaction. */
const FORGET_ROWS = 500;

/**
 * Gives the next documents their vectors, oldest first; false when all have one, there is no model,
 * or an import is under way. If stopped or killed midway, it resumes where it was. Throws
 * `unavailable` if the model does.
 */
export async function embedNextDocuments(
  services: SearchServices,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, embeddings, importMutex } = services;
  // Words first: the model would take an import the processor that it needs.
  if (!embeddings.isOn || importMutex.isBusy) return false;
  const unembedded = await findUnembedded(db, BATCH_DOCUMENTS);
  if (unembedded.length === 0) return forgetFormerModel(services);
  const items = await findBodies(
    db,
    unembedded.map(({ itemKey }) => itemKey),
  );
  // Damaged items are soon removed.
  const documents = unembedded.filter(({ itemKey }) => items.has(itemKey));
  if (documents.length === 0) return false;
  const texts = documents.map(({ itemKey, passage }) => {
    const item = items.get(itemKey)!;
    return (
      documentTexts(item).find((document) => document.passage === passage)?.embeddingText ??
      item.name
    );
  });
  const { vectors, model } = await embeddings.offeringVectors(texts, signal);
  const vectorByKey = new Map(documents.map(({ key }, index) => [key, vectors[index]!]));
  await db.write(saveVectors(model, vectorByKey));
  services.indexes.takeVectors(vectorByKey);
  return true;
}

/** Vectors of two models cannot be compared: those of another one are made again. */
async function forgetFormerModel({ db, embeddings }: SearchServices): Promise<boolean> {
  const { model } = embeddings;
  if (model === null) return false;
  const [forgotten] = await db.write([forgetOtherVectors(model.key, FORGET_ROWS)]);
  return forgotten!.rowsAffected > 0;
}
