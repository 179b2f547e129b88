import type { UpkeepServices } from './upkeep-services.ts';

/** How long one measurement waits. */
const NAP_MS = 250;

/** Makes a task that measures the event loop delay once per call. */
export function measureEventLoop({
  metrics,
  platform,
  stopping,
}: UpkeepServices): () => Promise<boolean> {
  const lag = metrics.histograms(
    'vitrine_event_loop_lag_seconds',
    'How late the event loop was, four times a second.',
  )({});
  return async () => {
    const startedMs = platform.monotonicMs();
    await platform.sleep(NAP_MS, stopping);
    if (stopping.aborted) return false;
    lag.observe(Math.max(0, platform.monotonicMs() - startedMs - NAP_MS) / 1000);
    return true;
  };
}
