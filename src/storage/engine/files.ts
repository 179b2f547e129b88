import { chmodSync, constants, existsSync, statSync } from 'node:fs';
import { access, copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../domain/errors.ts';

/** SQLite's header: big-endian numbers at these places. */
const USER_VERSION_OFFSET = 60;

/** Between the database's name and the time of a restore that has been decided on. */
const RESTORED = '.restored-';
const REPLACED = '-replaced-';

/** What group and others may do. */
const OTHERS = 0o077;

/**
 * Takes a file or folder away from everybody but its owner; says whether others had a right to it.
 * Throws `forbidden` where it belongs to somebody else, whom nothing keeps from giving it away again.
 */
export function makePrivate(path: string): boolean {
  const { mode } = statSync(path);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode & ~OTHERS & 0o777);
  } catch (cause) {
    throw new AppError(
      'forbidden',
      `Others can read ${path}, which belongs to somebody else: have its owner run "chmod go= ${path}".`,
      { cause },
    );
  }
  return true;
}

/**
 * Copies a database and its write-ahead log, byte by byte (without taking space where the file system
 * can share blocks). Whoever calls sees to it that nothing is moved from the log into the file
 * meanwhile; then writes may go on: the log only grows, and what is torn at its end has no valid
 * checksum, so the copy holds exactly the transactions up to some moment.
 */
export async function copyDatabaseFiles(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  if (existsSync(`${from}-wal`))
    await copyFile(`${from}-wal`, `${to}-wal`, constants.COPYFILE_FICLONE);
}

/** The schema's version as the file has it; the log may know a later one. Null for what is no database. */
export async function readSchemaVersion(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    return bytesRead === 100 ? buffer.readUInt32BE(USER_VERSION_OFFSET) : null;
  } finally {
    await file.close();
  }
}

/** Has the disk keep what was written to a file, or which names a folder holds. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Rejects with the system's error, which names the path, where this user may not read and write one that is there. */
export async function checkWritable(paths: readonly string[]): Promise<void> {
  for (const path of paths.filter((path) => existsSync(path)))
    await access(path, constants.R_OK | constants.W_OK);
}

/** Whether there is a database, or one is about to take its place. */
export async function isThere(database: string): Promise<boolean> {
  return existsSync(database) || (await findDecided(database)) !== null;
}

/** From here on the file at `path` is the database: a restore that is killed later goes on by itself. */
export async function decideRestore(
  path: string,
  { database, stamp }: { database: string; stamp: string },
): Promise<void> {
  await sync(path);
  await rename(path, `${database}${RESTORED}${stamp}`);
  await sync(dirname(database));
}

/**
 * Puts a restored database in its place, if one waits, and what was there beside it; resolves with
 * the path of the latter, or null. Each step may have been done before by a process that was killed.
 */
export async function finishRestore(database: string): Promise<string | null> {
  const decided = await findDecided(database);
  if (decided === null) return null;
  const replaced = `${database}${REPLACED}${decided.slice(decided.lastIndexOf(RESTORED) + RESTORED.length)}`;
  // The log goes with its database: beside another one it would be taken for that one's.
  for (const suffix of ['', '-wal']) {
    if (existsSync(database + suffix)) await rename(database + suffix, replaced + suffix);
  }
  await rm(`${database}-shm`, { force: true });
  await rename(decided, database);
  await sync(dirname(database));
  return existsSync(replaced) ? replaced : null;
}

async function findDecided(database: string): Promise<string | null> {
  if (!existsSync(dirname(database))) return null;
  const names = await readdir(dirname(database));
  const name = names.find((candidate) => candidate.startsWith(`${basename(database)}${RESTORED}`));
  return name === undefined ? null : join(dirname(database), name);
}
