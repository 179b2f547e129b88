import { findNextStale } from '../../storage/landing-pages.ts';
import { queueTime } from './landing-pages.ts';
import type { LandingServices } from './landing-services.ts';

/**
 * Rebuilds the page that has been stale longest; returns false if none is due. A page that fails waits,
 * longer each time, while others are rebuilt.
 */
export async function regenerateNextPage({
  db,
  landing,
  platform,
}: LandingServices): Promise<boolean> {
  await landing.noticeChanges();
  const organizationKey = await findNextStale(db, queueTime({ db, platform }));
  if (organizationKey === null) return false;
  await Promise.allSettled([landing.rebuild(organizationKey)]);
  return true;
}
