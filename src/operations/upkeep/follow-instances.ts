import { AppError } from '../../domain/errors.ts';
import { isDeleted } from '../../domain/organization.ts';
import { findRevisions, type Revisions } from '../../storage/catalog/revisions.ts';
import { findVectors } from '../../storage/catalog/vectors.ts';
import { findLandingPageStates } from '../../storage/landing-pages.ts';
import { forgetOrganization } from './delete-organization.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Vectors read per batch. */
const VECTORS_AT_ONCE = 500;

/**
 * Brings this instance's memory up to date with changes by other instances: organizations, shops, keys,
 * the visible catalogue, landing pages and vectors. Costs one small read if nothing has changed. Logs
 * once when the server becomes unreachable and once when it returns. Memory stays unchanged in between.
 */
export function followInstances(services: UpkeepServices): () => Promise<boolean> {
  const { db, platform } = services;
  let seen: Revisions | null = null;
  let isAway = false;
  return async () => {
    try {
      const revisions = await findRevisions(db);
      if (revisions.directory !== seen?.directory) await followDirectory(services);
      if (revisions.landingPages !== seen?.landingPages)
        services.landing.forgetChanged(await findLandingPageStates(db));
      // Only now, so that a failure midway is retried.
      seen = revisions;
      const hasMore = await followVectors(services);
      if (isAway) platform.log('info', 'database_is_back');
      isAway = false;
      return hasMore;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      if (!isAway) platform.log('error', 'database_is_away', { cause: String(error.cause) });
      isAway = true;
      return false;
    }
  };
}

/** Loads changed catalogues, so that the first searches find them in memory. */
async function followDirectory(services: UpkeepServices): Promise<void> {
  const { directory, indexes } = services;
  const former = new Map(
    directory.organizations().map(({ key }) => [key, directory.indexVersion(key)]),
  );
  await directory.reload();
  for (const key of former.keys())
    if (isDeleted(directory.organization(key))) await forgetOrganization(services, key);
  const changed = directory
    .organizations()
    .filter(({ key }) => directory.indexVersion(key) !== former.get(key));
  indexes.preload(changed.map(({ key }) => key));
}

/** Adds vectors that another instance has made to indexes that were loaded without them. */
async function followVectors({ db, indexes }: UpkeepServices): Promise<boolean> {
  let hasMore = false;
  for (const modelKey of indexes.modelKeys()) {
    const waiting = indexes.waitingForVectors(modelKey, VECTORS_AT_ONCE);
    if (waiting.length === 0) continue;
    const vectors = await findVectors(db, waiting, modelKey);
    indexes.takeVectors(modelKey, vectors);
    hasMore ||= vectors.size === VECTORS_AT_ONCE;
  }
  return hasMore;
}
