import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import embeddedAddon from './database-addon.ts';

/** Exit code of an operating system error (EX_OSERR). */
const NO_PLACE = 71;

/**
 * Opens the embedded addon and returns its exports. Unpacks it into the temporary folder,
 * or elsewhere if that is missing, read-only or mounted noexec, and removes the copy as soon as the
 * addon is open. Ends the process if no folder is suitable.
 */
export function openAddon(): unknown {
  const reasons: string[] = [];
  for (const parent of [tmpdir(), join(homedir(), '.cache', 'vitrine'), '/tmp', '/dev/shm']) {
    try {
      return openIn(parent);
    } catch (error) {
      reasons.push(`${parent}: ${reasonOf(error)}`);
    }
  }
  process.stderr.write(
    `vitrine: no folder for the database engine: set TMPDIR to one that allows programs to run.\n`,
  );
  for (const reason of reasons) process.stderr.write(`  ${reason}\n`);
  process.exit(NO_PLACE);
}

function openIn(parent: string): unknown {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'addon-'));
  try {
    const copy = join(folder, 'addon.node');
    writeFileSync(copy, readFileSync(embeddedAddon), { mode: 0o500 });
    const holder = { exports: {} };
    process.dlopen(holder, copy);
    return holder.exports;
  } finally {
    // Windows cannot delete an open library; other systems can.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
