import type { Organization } from '../../domain/organization.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { forgetFormerVectors, restoreVectors } from '../../storage/catalog/former-vectors.ts';
import { setVectorModel } from '../../storage/organizations.ts';
import type { SearchServices } from './search-services.ts';

/** Vectors restored or deleted in one transaction. */
const ROWS_AT_ONCE = 500;

/** The organizations that vectors of a former model answer. */
export function formerlyAnswered({
  directory,
  embeddings: { model },
}: Pick<SearchServices, 'directory' | 'embeddings'>): Organization[] {
  if (model === null) return [];
  return directory
    .organizations()
    .filter(({ vectorModelKey }) => vectorModelKey !== null && vectorModelKey !== model.key);
}

/** Puts some vectors back that the configured model had made before another one was in use. */
export async function restoreCurrentModel(
  { db }: SearchServices,
  modelKey: number,
): Promise<boolean> {
  const [restored] = await db.stage(restoreVectors(modelKey, ROWS_AT_ONCE));
  return restored!.rowsAffected > 0;
}

/**
 * Makes the vectors of the configured model answer an organization, from one search to the next. An
 * index in memory serves with the former ones until it holds the new ones.
 */
export async function finishReplacement(
  { db, directory, embeddings, indexes, platform }: SearchServices,
  { key, id, vectorModelKey }: Organization,
): Promise<boolean> {
  const { model } = embeddings;
  if (model === null) return false;
  const former = await embeddings.modelOf(vectorModelKey);
  const details = { model: model.tag, former: former?.tag ?? null };
  const entry = { at: platform.now(), organizationId: id, event: 'org.vectors_replaced', details };
  await db.write([setVectorModel(db, key, model.key), insertAuditEntry(db, entry)]);
  await directory.reloadOrganization(key);
  indexes.find(key);
  return true;
}

/** Deletes some vectors that no longer answer. */
export async function forgetFormerModel({ db }: SearchServices): Promise<boolean> {
  const [forgotten] = await db.stage([forgetFormerVectors(ROWS_AT_ONCE)]);
  return forgotten!.rowsAffected > 0;
}

/** Closes the models whose vectors answer no more questions of this instance. */
export async function closeUnusedModels({
  directory,
  embeddings,
  indexes,
}: SearchServices): Promise<void> {
  const answering = directory.organizations().flatMap(({ vectorModelKey }) => vectorModelKey ?? []);
  await embeddings.closeFormers(new Set([...answering, ...indexes.modelKeys()]));
}
