import { statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';

/** The file beside a database that says which state of it had intact pages. */
const SUFFIX = '-checked';

/**
 * Notes that every page of the file is intact. Call it after the last write. The note holds as long as
 * nobody writes to the file.
 */
export async function leaveCheckedMark(path: string): Promise<void> {
  await writeFile(path + SUFFIX, stateOf(path), { mode: 0o600 });
}

/**
 * Removes the note and returns whether it holds: an earlier process left it and nobody has written to
 * the file since. Call it before the first write, so that a killed process leaves no note.
 */
export async function takeCheckedMark(path: string): Promise<boolean> {
  const mark = await readFile(path + SUFFIX, 'utf8').catch(() => null);
  await rm(path + SUFFIX, { force: true });
  return mark !== null && mark === stateOf(path);
}

/** Differs once the file is written, copied or replaced. */
function stateOf(path: string): string {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs} ${ino}\n`;
}
