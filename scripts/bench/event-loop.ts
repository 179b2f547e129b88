/** How long `task` took, and the longest time that it blocked the event loop. */
export async function watchEventLoop(
  task: () => Promise<unknown>,
): Promise<{ longestMs: number; totalMs: number }> {
  const startedMs = performance.now();
  let [longestMs, lastMs, isOver] = [0, startedMs, false];
  const turn = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  isOver = true;
  return { longestMs, totalMs: performance.now() - startedMs };
}
