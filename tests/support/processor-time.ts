/**
 * Milliseconds of processor time that `task` takes in this process. Unlike the time that passes, it does
 * not grow with what else the machine is doing.
 */
export function processorMs(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
