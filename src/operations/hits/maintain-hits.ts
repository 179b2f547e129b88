import { dayOf } from '../../domain/hit.ts';
import { recountHits } from '../../storage/hit-recount.ts';
import { deleteOldRollUps, rollUpHits } from '../../storage/hit-rollups.ts';
import { addTallied } from '../../storage/hit-tally.ts';
import { coarsenAddresses, deleteOldHitRequests, deleteOldHits } from '../../storage/hits.ts';
import { forgetVoices } from '../../storage/learned-voices.ts';
import type { HitServices } from './hit-services.ts';
import { IDEMPOTENCY_MS } from './record-hits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long after one look for expired data the next one comes, if there was no more. */
const EXPIRED_IDLE_MS = 10_000;

/** Rows per slice, which blocks the event loop for less than 20 ms. */
const SLICE = 500;

/** Hits that are counted again in a slice, each of them twice. */
const RECOUNTED_AT_ONCE = SLICE / 2;

/**
 * Makes the task that does one slice of each chore: counts new hits, reduces IP addresses to networks, and
 * deletes expired hits. It returns whether there is more to do. Safe to kill at any moment.
 */
export function maintainHits(services: HitServices): () => Promise<boolean> {
  const { db, platform, retentionClock } = services;
  let expiredAgainMs = Number.NEGATIVE_INFINITY;
  return async () => {
    await retentionClock.keep();
    // Nothing may be deleted before it is counted again.
    if (await recountHits(db, RECOUNTED_AT_ONCE)) {
      await countNext(services);
      return true;
    }
    const hasMore = await countNext(services);
    if (platform.monotonicMs() < expiredAgainMs) return hasMore;
    if (await forgetExpired(services)) return true;
    expiredAgainMs = platform.monotonicMs() + EXPIRED_IDLE_MS;
    return hasMore;
  };
}

/** Returns whether there is more. */
async function forgetExpired(services: HitServices): Promise<boolean> {
  const { db, platform, hitRetention, retentionClock } = services;
  const nowMs = retentionClock.now();
  const limit = SLICE;
  const chores = [
    () => coarsenAddresses(db, { before: nowMs - hitRetention.fullAddressHours * HOUR_MS, limit }),
    () => deleteOldHits(db, { before: nowMs - hitRetention.days * DAY_MS, limit }),
    () =>
      forgetVoices(
        db,
        { organizationKey: null, beforeDay: dayOf(nowMs - hitRetention.days * DAY_MS) },
        limit,
      ),
    () => deleteOldHitRequests(db, { before: nowMs - IDEMPOTENCY_MS, limit }),
    () =>
      deleteOldRollUps(db, { beforeDay: monthsBefore(nowMs, hitRetention.rollUpMonths), limit }),
  ];
  let hasMore = false;
  for (const chore of chores) {
    await platform.yield();
    hasMore = (await chore()) >= limit || hasMore;
  }
  return hasMore;
}

/** Counts all stored hits, in slices. */
export async function rollUpAll(services: HitServices): Promise<void> {
  const { db, platform } = services;
  await recountAll(services);
  while (await countNext(services)) await platform.yield();
  while ((await rollUpHits(db, SLICE)) > 0) await platform.yield();
}

/**
 * Counts the next hits: those that the tally has summed or, where others come first, those from their rows. Returns
 * whether there were more when it began.
 */
export async function countNext({ db, hitTally }: HitServices): Promise<boolean> {
  const { isBehind } = hitTally;
  const part = hitTally.oldest();
  const counted = await rollUpHits(db, SLICE, part?.after);
  if (part === null) return counted === SLICE;
  if (counted > 0) return true;
  const isAdded = await addTallied(db, part);
  hitTally.forget(part);
  return isBehind || !isAdded;
}

/** After an upgrade: waits until the hits that were counted before are counted again. */
export async function recountAll({ db, platform }: HitServices): Promise<void> {
  while (await recountHits(db, RECOUNTED_AT_ONCE)) await platform.yield();
}

/** The UTC day `months` months before `ms`, clamped to the end of a shorter month. */
function monthsBefore(ms: number, months: number): string {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return dayOf(date.getTime());
}
