import { findLandingPageStates, findNextStale } from '../../storage/landing-pages.ts';
import { queueTime } from './landing-pages.ts';
import type { LandingServices } from './landing-services.ts';

/**
 * Rebuilds the page that has been stale longest; false when none is due. One that fails has to wait,
 * longer each time, and lets the next one have its turn.
 */
export async function regenerateNextPage({
  db,
  landing,
  platform,
}: LandingServices): Promise<boolean> {
  await landing.noticeChanges(() => findLandingPageStates(db));
  const organizationKey = await findNextStale(db, queueTime({ db, platform }));
  if (organizationKey === null) return false;
  await Promise.allSettled([landing.rebuild(organizationKey)]);
  return true;
}
