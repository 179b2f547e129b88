import type { Platform } from '../../platform.ts';

/** The share of the time that paced work takes at most. */
const SHARE = 1 / 10;

/** Shorter rests cost more than they give: timers have a resolution of a millisecond. */
const REST_MS_MIN = 1;

/**
 * Makes the pause between two slices of long work on the event loop. It lasts nine times as long as
 * the work since the last one. Throws once `stopping` aborts.
 */
export function paced(
  platform: Pick<Platform, 'monotonicMs' | 'sleep' | 'yield'>,
  stopping: AbortSignal,
): () => Promise<void> {
  let startedMs = platform.monotonicMs();
  return async () => {
    const restMs = (platform.monotonicMs() - startedMs) * (1 / SHARE - 1);
    // What was worked counts until there is a rest.
    if (restMs < REST_MS_MIN) await platform.yield();
    else {
      await platform.sleep(restMs, stopping);
      startedMs = platform.monotonicMs();
    }
    stopping.throwIfAborted();
  };
}
