import type { Platform } from '../../platform.ts';

/** The share of the time that paced work takes at most, unless it is told otherwise. */
export const SHARE = 1 / 10;

/** Shorter rests cost more than they give: timers have a resolution of a millisecond. */
const REST_MS_MIN = 1;

/**
 * Makes the pause between two slices of long work on the event loop, so that the work takes the share of the time
 * that `share` returns, a tenth by default. Throws once `stopping` aborts.
 */
export function paced(
  platform: Pick<Platform, 'monotonicMs' | 'sleep' | 'yield'>,
  stopping: AbortSignal,
  share: () => number = () => SHARE,
): () => Promise<void> {
  let startedMs = platform.monotonicMs();
  return async () => {
    const restMs = (platform.monotonicMs() - startedMs) * (1 / share() - 1);
    // What was worked counts until there is a rest.
    if (restMs < REST_MS_MIN) await platform.yield();
    else {
      await platform.sleep(restMs, stopping);
      startedMs = platform.monotonicMs();
    }
    stopping.throwIfAborted();
  };
}
