/**
 * How much later than a timer of `ms` a task ends, in milliseconds; 0 if it ends before that time. What
 * delays this process delays the timer and the task alike.
 */
export async function latenessMs(ms: number, task: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  const due = Bun.sleep(ms).then(() => performance.now());
  await task();
  const endedMs = performance.now();
  return endedMs - startedMs < ms ? 0 : endedMs - (await due);
}
