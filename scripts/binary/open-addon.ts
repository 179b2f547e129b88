import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a system that a program cannot run on (EX_OSERR). */
const NO_PLACE = 71;

/**
 * What the addon that the binary carries at `path` exports. It is unpacked into the temporary folder,
 * or elsewhere if that is missing, read-only or lets no code run; the copy is removed as soon as the
 * addon is open. Ends the process when no folder will do.
 */
export function openAddon(path: string): unknown {
  const reasons: string[] = [];
  for (const parent of [tmpdir(), join(homedir(), '.cache', 'vitrine'), '/tmp', '/dev/shm']) {
    try {
      return openIn(parent, path);
    } catch (error) {
      reasons.push(`${parent}: ${reasonOf(error)}`);
    }
  }
  process.stderr.write(
    `vitrine: no folder for the database engine: set TMPDIR to one that lets code run.\n`,
  );
  for (const reason of reasons) process.stderr.write(`  ${reason}\n`);
  process.exit(NO_PLACE);
}

function openIn(parent: string, path: string): unknown {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'addon-'));
  try {
    const copy = join(folder, 'addon.node');
    writeFileSync(copy, readFileSync(path), { mode: 0o500 });
    const holder = { exports: {} };
    process.dlopen(holder, copy);
    return holder.exports;
  } finally {
    // Windows keeps open libraries; elsewhere an open one needs no name.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
