import type { CatalogItem } from '../../domain/catalog.ts';
import { readTexts } from '../../search/index/documents.ts';
import { countToEmbed, findVectorStates } from '../../storage/catalog/former-vectors.ts';
import { findBodies } from '../../storage/catalog/items.ts';
import {
  type EmbeddableDocument,
  findOtherVectors,
  findUnembedded,
  saveVectors,
} from '../../storage/catalog/vectors.ts';
import type { MadeVectors } from '../indexes/open-model.ts';
import {
  finishReplacement,
  forgetFormerModel,
  formerlyAnswered,
  restoreCurrentModel,
} from './replace-model.ts';
import type { SearchServices } from './search-services.ts';

/** Documents counted in one query. */
const COUNTED_AT_ONCE = 4096;

/**
 * Documents passed to the model at once: as many as it lately read in a second, so that it finds many texts
 * of one length, and an import or a stop does not wait.
 */
const BATCH_DOCUMENTS = { least: 64, most: 256 } as const;

/** Documents whose texts are read, and whose vectors are written, in one go: some milliseconds. */
const DOCUMENTS_AT_ONCE = 64;

/**
 * Gives the next documents their vectors, oldest first; false when all have one, there is no model,
 * or an import is under way. If stopped or killed midway, it resumes where it was. Throws
 * `unavailable` if the model does.
 *
 * Once every document has a vector, those of a former model are made again, organization by
 * organization. Until the last one is there, the former ones answer, also with new documents.
 */
export async function embedNextDocuments(
  services: SearchServices,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, embeddings, importMutex } = services;
  // Words first: the model would take an import the processor that it needs.
  if (!embeddings.isOn) return false;
  if (importMutex.isBusy) {
    embeddings.progress.left = null;
    return false;
  }
  const limit = batchSize(embeddings.progress.perSecond);
  const unembedded = await findUnembedded(db, limit);
  if (unembedded.length > 0) return embedNew(services, unembedded, signal);
  const modelKey = embeddings.model?.key ?? null;
  if (modelKey === null) return false;
  const states = await findVectorStates(db, modelKey);
  if (states.isRestorable) return restoreCurrentModel(services, modelKey);
  const [organization] = formerlyAnswered(services);
  const organizationKey = organization?.key ?? null;
  if (organization !== undefined && !(await embeddings.canRead(organization.vectorModelKey!)))
    return finishReplacement(services, organization);
  if (states.hasOthers) {
    const documents = await findOtherVectors(db, { modelKey, organizationKey, limit });
    if (documents.length > 0) return embed(services, { documents, modelKey }, signal);
  }
  if (organization !== undefined) return finishReplacement(services, organization);
  embeddings.progress.left = 0;
  return states.hasFormers && forgetFormerModel(services);
}

function batchSize(perSecond: number | null): number {
  const { least, most } = BATCH_DOCUMENTS;
  return Math.round(Math.min(most, Math.max(least, perSecond ?? least)));
}

/** Embeds documents without a vector, by the model that answers the organization of the first one. */
async function embedNew(
  services: SearchServices,
  unembedded: readonly EmbeddableDocument[],
  signal: AbortSignal,
): Promise<boolean> {
  const { directory, embeddings } = services;
  const answering = ({ organizationKey }: EmbeddableDocument) =>
    directory.vectorModelKey(organizationKey);
  const modelKey = answering(unembedded[0]!);
  // Before its first answer it is not known whether the configured model is the one that answers.
  if (modelKey !== null && embeddings.model === null) await embeddings.load();
  const documents = unembedded.filter((document) => answering(document) === modelKey);
  if (modelKey !== null && !(await embeddings.canRead(modelKey))) {
    const { organizationKey } = documents[0]!;
    return finishReplacement(services, directory.organization(organizationKey));
  }
  return embed(services, { documents, modelKey }, signal);
}

/** `modelKey` null: by the configured model. False if all documents are damaged, which are soon removed. */
async function embed(
  services: SearchServices,
  {
    documents: found,
    modelKey,
  }: { readonly documents: readonly EmbeddableDocument[]; readonly modelKey: number | null },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, directory, embeddings, indexes, platform } = services;
  const textByKey = await textsOf({ db, platform }, found);
  const documents = found.filter(({ key }) => textByKey.has(key));
  if (documents.length === 0) return false;
  const { vectors, model } = await measured(services, [...textByKey.values()], (texts) =>
    embeddings.offeringVectors(texts, signal, modelKey),
  );
  const made = [...textByKey.keys()].map((key, index) => [key, vectors[index]!] as const);
  for (const part of slices(made)) {
    const vectorByKey = new Map(part);
    // What a power cut takes back is made again, and no search waits for the disk.
    await db.stage(saveVectors(model, vectorByKey));
    indexes.takeVectors(model.key, vectorByKey);
    await platform.yield();
  }
  // The first vectors of an organization are those that answer it.
  const organizationKeys = new Set(documents.map(({ organizationKey }) => organizationKey));
  for (const key of organizationKeys)
    if (directory.vectorModelKey(key) === null) await directory.reloadOrganization(key);
  return true;
}

/** The texts to embed by document key, without those of damaged items. */
async function textsOf(
  { db, platform }: Pick<SearchServices, 'db' | 'platform'>,
  documents: readonly EmbeddableDocument[],
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const part of slices(documents)) {
    const items = await findBodies(
      db,
      part.map(({ itemKey }) => itemKey),
    );
    for (const { key, itemKey, passage } of part) {
      const item = items.get(itemKey);
      if (item !== undefined) texts.set(key, textOf(item, passage));
    }
    await platform.yield();
  }
  return texts;
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += DOCUMENTS_AT_ONCE)
    yield items.slice(start, start + DOCUMENTS_AT_ONCE);
}

/** Makes vectors and records how long that took, and how many documents are left. */
async function measured(
  { db, embeddings, platform }: SearchServices,
  texts: readonly string[],
  make: (texts: readonly string[]) => Promise<MadeVectors>,
): Promise<MadeVectors> {
  const { progress } = embeddings;
  if (progress.left === null) progress.left = await countLeft({ db, embeddings, platform });
  let made: number | null = null;
  progress.begin(texts.length);
  try {
    const vectors = await make(texts);
    made = vectors.model.key === embeddings.model?.key ? texts.length : 0;
    return vectors;
  } finally {
    progress.end(made);
  }
}

/** Counts in slices of some milliseconds. */
async function countLeft({
  db,
  embeddings,
  platform,
}: Pick<SearchServices, 'db' | 'embeddings' | 'platform'>): Promise<number> {
  const modelKey = embeddings.model?.key ?? 0;
  const { hasOthers } = await findVectorStates(db, modelKey);
  const of = hasOthers ? 'all' : 'unembedded';
  let total = 0;
  let after: number | null = 0;
  while (after !== null) {
    const slice = await countToEmbed(db, { modelKey, of, after, limit: COUNTED_AT_ONCE });
    total += slice.count;
    after = slice.last;
    await platform.yield();
  }
  return total;
}

function textOf(item: CatalogItem, passage: string | null): string {
  return readTexts(item).find((read) => read.passage === passage)?.text ?? item.name;
}
