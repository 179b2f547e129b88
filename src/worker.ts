import type { Platform } from './platform.ts';

export interface LoopOptions {
  readonly name: string;
  readonly idleMs: number;
  readonly platform: Platform;
  readonly signal: AbortSignal;
}

/** However often it has failed, it is tried again after a minute, or as rarely as it runs anyway. */
const RETRY_MAX_MS = 60_000;

/**
 * Runs `task` over and over until `signal` aborts, never twice at once. `task` says whether it found
 * work: if so the next round follows at once, if not `idleMs` later. A task that throws is logged and
 * waited out like an idle one, longer each time, so a failure can neither stop the loop nor spin it.
 */
export async function runLoop(
  { name, idleMs, platform, signal }: LoopOptions,
  task: () => Promise<boolean>,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const foundWork = await task();
      failures = 0;
      await (foundWork ? platform.yield() : platform.sleep(idleMs, signal));
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      platform.log('error', 'loop_failed', { name, failures, cause: String(cause) });
      const waitMs = Math.min(idleMs * 2 ** Math.min(failures, 6), Math.max(idleMs, RETRY_MAX_MS));
      await platform.sleep(waitMs, signal);
    }
  }
}
