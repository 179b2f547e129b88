import { getPriority, setPriority } from 'node:os';
import { platform } from 'node:process';

/**
 * Lowers the priority of this thread, so that those that answer requests go first. `niceness`: 1 to 19, the highest
 * going last; a process that was started with a higher one keeps that. Does nothing where only a whole process
 * has a priority, as anywhere but on Linux.
 */
export function lowerThreadPriority(niceness: number): void {
  if (platform === 'linux') setPriority(0, Math.max(getPriority(0), niceness));
}
