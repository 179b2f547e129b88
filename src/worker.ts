import type { Platform } from './platform.ts';

export interface LoopOptions {
  readonly name: string;
  readonly idleMs: number;
  readonly platform: Platform;
  readonly signal: AbortSignal;
}

/** Longest pause after failures, unless the idle pause is longer. */
const RETRY_MAX_MS = 60_000;

/**
 * Runs `task` repeatedly until `signal` aborts, never twice at once. `task` returns whether it found
 * work: if so, it runs again at once, otherwise after about `idleMs`. A task that throws is logged and runs
 * again after a pause that grows with each failure, so that a failure neither stops nor spins the loop.
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
      await (foundWork
        ? platform.yield()
        : platform.sleep(pauseMs(idleMs, platform.monotonicMs()), signal));
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

/**
 * From a half to one and a half of `idleMs`, up to its next multiple: pauses of several tasks end together, so
 * that an idle process wakes seldom.
 */
function pauseMs(idleMs: number, nowMs: number): number {
  const leftMs = idleMs - (nowMs % Math.max(1, idleMs));
  return leftMs < idleMs / 2 ? leftMs + idleMs : leftMs;
}
