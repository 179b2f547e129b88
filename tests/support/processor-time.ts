/**
 * Milliseconds of processor time that `task` takes in this process. Unlike elapsed time, it does not
 * depend on the machine's other load.
 */
export function processorMs(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
