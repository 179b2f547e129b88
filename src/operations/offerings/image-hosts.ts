import { findImages } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** Images examined before each yield to the event loop: a few milliseconds. */
const PAGE = 2000;

/** The origins of the organization's images, most frequent first, at most `limit`. */
export async function findImageOrigins(
  { db, platform }: BaseServices,
  organizationKey: number,
  limit: number,
): Promise<string[]> {
  const counts = new Map<string, number>();
  for (let after = 0; ; ) {
    const page = await findImages(db, organizationKey, { after, limit: PAGE });
    for (const { image } of page) {
      if (image === null) continue;
      const { origin } = new URL(image);
      counts.set(origin, (counts.get(origin) ?? 0) + 1);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.key;
    await platform.yield();
  }
  const byFrequency = [...counts].sort(
    ([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : 1),
  );
  return byFrequency.slice(0, limit).map(([origin]) => origin);
}
