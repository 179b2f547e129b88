import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory: a database there does not wait for a disk. */
const MEMORY = '/dev/shm';

/** Bytes that must be free there, because several test files run concurrently. */
const FREE_BYTES_MIN = 2 ** 30;

const PREFIX = 'vitrine-test-';

clearLeftovers();
const PARENT = isRoomy(MEMORY) ? MEMORY : tmpdir();

/** A new folder, in memory if there is room, and a function that removes it with its contents. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(PARENT, `${PREFIX}${process.pid}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

/**
 * Removes what processes that are gone have left in memory: those that were killed, and folders that
 * several test files share, because `bun test` ends without the event `exit`.
 */
function clearLeftovers(): void {
  if (!existsSync('/proc/self') || !existsSync(MEMORY)) return;
  for (const name of readdirSync(MEMORY)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
